//! Queues against a simple model: whatever workers and clocks do, in any order, both tell the same.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use svc_core::Timestamp;
use svc_core::clock::Clock;
use svc_core::ids::QueueItemId;
use svc_core::queue::{Backoff, ClaimedItem, Failure, ItemStatus, Queue, QueueItem, QueueRules};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::queue::{LEASE, item};

const CASES: u32 = 24;
const STEPS: usize = 60;
const ATTEMPTS: u32 = 3;
const CONCURRENCY: usize = 2;
/// After the first, the second, … attempt, in seconds.
const DELAYS: [u64; 2] = [5, 10];
const KEYS: [&str; 3] = ["a", "b", "c"];

#[derive(Debug, Clone)]
enum Step {
    Enqueue { key: usize, priority: u32, delay: u64 },
    Claim(u32),
    Finish(prop::sample::Index),
    Fail(prop::sample::Index),
    Release(prop::sample::Index),
    Renew(prop::sample::Index),
    Retry(prop::sample::Index),
    Advance(u64),
    SetBack(u64),
    EndLeases,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let any = any::<prop::sample::Index>;
    let step = prop_oneof![
        6 => (0..KEYS.len(), 4..=6_u32, prop_oneof![3 => Just(0), 1 => 1..30_u64])
            .prop_map(|(key, priority, delay)| Step::Enqueue { key, priority, delay }),
        6 => (1..6_u32).prop_map(Step::Claim),
        3 => any().prop_map(Step::Finish),
        4 => any().prop_map(Step::Fail),
        2 => any().prop_map(Step::Release),
        2 => any().prop_map(Step::Renew),
        1 => any().prop_map(Step::Retry),
        4 => (1..20_u64).prop_map(Step::Advance),
        1 => (1..100_u64).prop_map(Step::SetBack),
        1 => Just(Step::EndLeases),
    ];
    prop::collection::vec(step, STEPS)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not before `due`; waiting since the other moment.
    Waiting {
        due: Timestamp,
        since: Timestamp,
    },
    Pending,
    /// By the claim of this number.
    Leased {
        end: Timestamp,
        since: Timestamp,
        claim: usize,
    },
    Done,
    Dead {
        by_worker: bool,
    },
}

#[derive(Debug, Clone)]
struct Modelled {
    key: &'static str,
    priority: u32,
    state: State,
    attempts: u32,
    last_claim: Option<usize>,
}

#[derive(Default)]
struct Model {
    items: BTreeMap<QueueItemId, Modelled>,
    claims: Vec<ClaimedItem>,
}

impl Model {
    fn end_leases(&mut self, now: Timestamp) {
        for item in self.items.values_mut() {
            if matches!(item.state, State::Leased { end, .. } if end <= now) {
                item.state = if item.attempts < ATTEMPTS { State::Pending } else { State::Dead { by_worker: false } };
            }
        }
    }

    fn come_due(&mut self, now: Timestamp) {
        for item in self.items.values_mut() {
            if matches!(item.state, State::Waiting { due, .. } if due <= now) {
                item.state = State::Pending;
            }
        }
    }

    /// What began in the future begins now.
    fn shorten(&mut self, now: Timestamp) {
        for item in self.items.values_mut() {
            match &mut item.state {
                State::Waiting { due: end, since } | State::Leased { end, since, .. } if *since > now => {
                    *end = now.plus(end.since(*since));
                    *since = now;
                }
                _ => {}
            }
        }
    }

    fn count(&self, key: &str, wanted: impl Fn(&Modelled) -> bool) -> usize {
        self.items.values().filter(|item| item.key == key && wanted(item)).count()
    }

    fn leased(&self, key: &str) -> usize {
        self.count(key, |item| matches!(item.state, State::Leased { .. }))
    }

    fn pending(&self, key: &str) -> usize {
        self.count(key, |item| item.state == State::Pending)
    }

    /// Takes over what was claimed, if it may be claimed.
    fn claim(&mut self, now: Timestamp, limit: u32, claimed: Vec<ClaimedItem>) {
        self.end_leases(now);
        self.come_due(now);
        let most: usize =
            KEYS.iter().map(|key| self.pending(key).min(CONCURRENCY - self.leased(key).min(CONCURRENCY))).sum();
        assert_eq!(claimed.len(), most.min(limit as usize), "as many as there are");
        for new in claimed {
            let number = self.claims.len();
            let item = self.items.get_mut(&new.item.id).unwrap();
            assert_eq!(item.state, State::Pending, "nobody has it, and its time has come");
            item.attempts += 1;
            assert_eq!((new.item.attempts, new.item.lease_expires_at), (item.attempts, Some(now.plus(LEASE))));
            assert!(item.attempts <= ATTEMPTS);
            item.state = State::Leased { end: now.plus(LEASE), since: now, claim: number };
            item.last_claim = Some(number);
            let (id, key, priority) = (new.item.id, item.key, item.priority);
            self.claims.push(new);
            assert!(self.leased(key) <= CONCURRENCY);
            let older = self.items.iter().find(|(other, item)| {
                **other < id && item.key == key && item.priority == priority && item.state == State::Pending
            });
            assert!(older.is_none(), "the oldest of a key first");
        }
        let lowest = self.claims.iter().rev().take(most.min(limit as usize)).map(|new| new.item.priority).min();
        let passed_over = self.items.values().find(|item| {
            item.state == State::Pending
                && lowest.is_some_and(|lowest| item.priority > lowest)
                && self.leased(item.key) < CONCURRENCY
        });
        assert!(passed_over.is_none(), "the urgent first: {passed_over:?}");
    }

    /// The item of a claim, if the claim lasts.
    fn held(&mut self, now: Timestamp, claim: usize) -> Option<&mut Modelled> {
        let id = self.claims[claim].item.id;
        let item = self.items.get_mut(&id).unwrap();
        matches!(item.state, State::Leased { end, claim: by, .. } if by == claim && end > now).then_some(item)
    }

    /// Whether the last worker of an item may say again how it ended.
    fn may_repeat(&self, claim: usize, state: State) -> bool {
        let item = &self.items[&self.claims[claim].item.id];
        item.state == state && item.last_claim == Some(claim)
    }
}

struct Run<'t> {
    test: &'t TestHub,
    queue: Queue,
    model: Model,
}

impl Run<'_> {
    fn now(&self) -> Timestamp {
        self.test.clock.now()
    }

    fn chosen(&self, index: prop::sample::Index) -> Option<(usize, ClaimedItem)> {
        let claims = &self.model.claims;
        (!claims.is_empty()).then(|| index.index(claims.len())).map(|number| (number, claims[number].clone()))
    }

    async fn step(&mut self, step: Step) {
        let now = self.now();
        match step {
            Step::Enqueue { key, priority, delay } => {
                let new = item(KEYS[key]).priority(priority).delay(Duration::from_secs(delay));
                let id = self.queue.enqueue(new).await.unwrap().id;
                let due = now.plus(Duration::from_secs(delay));
                let state = if delay == 0 { State::Pending } else { State::Waiting { due, since: now } };
                let new = Modelled { key: KEYS[key], priority, state, attempts: 0, last_claim: None };
                self.model.items.insert(id, new);
            }
            Step::Claim(limit) => {
                let claimed = self.queue.claim(limit).await.unwrap();
                self.model.claim(now, limit, claimed);
            }
            Step::Finish(index) => self.finish(now, index).await,
            Step::Fail(index) => self.fail(now, index).await,
            Step::Release(index) => {
                let Some((number, claimed)) = self.chosen(index) else { return };
                let released = self.queue.release(&claimed).await.map_err(|error| error.code());
                let held = self.model.held(now, number);
                assert_eq!(released, held.as_ref().map(|_| ()).ok_or("lease_lost"));
                if let Some(item) = held {
                    (item.state, item.attempts) = (State::Pending, item.attempts - 1);
                }
            }
            Step::Renew(index) => {
                let Some((number, claimed)) = self.chosen(index) else { return };
                let renewed = self.queue.renew(&claimed).await.map_err(|error| error.code());
                let held = self.model.held(now, number);
                assert_eq!(renewed, held.as_ref().map(|_| ()).ok_or("lease_lost"));
                if let Some(item) = held {
                    item.state = State::Leased { end: now.plus(LEASE), since: now, claim: number };
                }
            }
            Step::Retry(index) => {
                let ids: Vec<_> = self.model.items.keys().copied().collect();
                let Some(id) = (!ids.is_empty()).then(|| ids[index.index(ids.len())]) else { return };
                // What the model calls dead may still be leased in the store, until somebody looks.
                self.end_leases().await;
                let retried = self.queue.retry(id).await.map_err(|error| error.code());
                let item = self.model.items.get_mut(&id).unwrap();
                if matches!(item.state, State::Dead { .. }) {
                    assert_eq!(retried, Ok(()));
                    (item.state, item.attempts, item.last_claim) = (State::Pending, 0, None);
                } else {
                    assert_eq!(retried, Err("not_dead"));
                }
            }
            Step::Advance(seconds) => self.test.clock.advance(Duration::from_secs(seconds)),
            Step::SetBack(seconds) => {
                self.test.clock.set_back(Duration::from_secs(seconds));
                self.end_leases().await;
            }
            Step::EndLeases => self.end_leases().await,
        }
    }

    async fn end_leases(&mut self) {
        self.test.run_worker("lease_expiry").await;
        let now = self.now();
        self.model.shorten(now);
        self.model.end_leases(now);
    }

    async fn finish(&mut self, now: Timestamp, index: prop::sample::Index) {
        let Some((number, claimed)) = self.chosen(index) else { return };
        let finished = self.queue.finish(&claimed).await.map_err(|error| error.code());
        let is_repeated = self.model.may_repeat(number, State::Done);
        let held = self.model.held(now, number);
        let expected = if held.is_some() || is_repeated { Ok(()) } else { Err("lease_lost") };
        assert_eq!(finished, expected);
        if let Some(item) = held {
            item.state = State::Done;
        }
    }

    async fn fail(&mut self, now: Timestamp, index: prop::sample::Index) {
        let Some((number, claimed)) = self.chosen(index) else { return };
        let failed = self.queue.fail(&claimed, Failure::new("no")).await.map_err(|error| error.code());
        let is_repeated = self.model.may_repeat(number, State::Dead { by_worker: true });
        match self.model.held(now, number) {
            Some(item) if item.attempts == ATTEMPTS => {
                item.state = State::Dead { by_worker: true };
                assert_eq!(failed, Ok(ItemStatus::Dead));
            }
            Some(item) => {
                let delay = Duration::from_secs(DELAYS[item.attempts as usize - 1]);
                item.state = State::Waiting { due: now.plus(delay), since: now };
                assert_eq!(failed, Ok(ItemStatus::Waiting));
            }
            None if is_repeated => assert_eq!(failed, Ok(ItemStatus::Dead)),
            None => assert_eq!(failed, Err("lease_lost")),
        }
    }

    async fn compare(&mut self) {
        self.end_leases().await;
        for (id, modelled) in &self.model.items {
            let item: QueueItem = self.queue.get(*id).await.unwrap();
            assert_eq!(item.attempts, modelled.attempts, "{item:?} {modelled:?}");
            match modelled.state {
                // The store has what came due wait until somebody claims.
                State::Waiting { .. } | State::Pending => {
                    assert!(matches!(item.status, ItemStatus::Waiting | ItemStatus::Pending), "{item:?}");
                }
                State::Leased { end, .. } => assert_eq!(item.lease_expires_at, Some(end)),
                State::Done => assert_eq!(item.status, ItemStatus::Done),
                State::Dead { .. } => assert_eq!(item.status, ItemStatus::Dead),
            }
        }
    }

    /// Nothing is lost: with time and workers, everything comes to an end.
    async fn drain(&mut self) {
        for _ in 0..10 * STEPS {
            self.test.clock.advance(LEASE);
            let claimed = self.queue.claim(50).await.unwrap();
            let now = self.now();
            self.model.claim(now, 50, claimed.clone());
            for claimed in claimed {
                self.queue.finish(&claimed).await.unwrap();
                self.model.items.get_mut(&claimed.item.id).unwrap().state = State::Done;
            }
            if self.model.items.values().all(|item| matches!(item.state, State::Done | State::Dead { .. })) {
                return;
            }
        }
        panic!("some items are never claimed: {:?}", self.model.items);
    }
}

#[both_engines]
async fn whatever_happens_the_queue_does_as_its_model(test: TestHub) {
    let mut runner = TestRunner::deterministic();
    for case in 0..CASES {
        let steps = steps().new_tree(&mut runner).unwrap().current();
        let rules = QueueRules::new(format!("case{case}"))
            .lease(LEASE)
            .backoff(Backoff::schedule(DELAYS.map(Duration::from_secs)))
            .concurrency(u32::try_from(CONCURRENCY).unwrap());
        let queue = test.hub.queues().open(rules).unwrap();
        let mut run = Run { test: &test, queue, model: Model::default() };
        for step in steps {
            run.step(step).await;
        }
        run.compare().await;
        run.drain().await;
        run.compare().await;
    }
}
