//! The order of the checks, and a model of an agent with messages that arrive, wait and run.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proptest::prelude::*;

use super::*;

const COOLDOWN: Duration = Duration::from_mins(10);
const MAX_DEPTH: u32 = 4;

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_micros(0).plus(Duration::from_secs(seconds))
}

fn ready() -> Snapshot {
    Snapshot {
        now: at(1000),
        mode: TriggerMode::Reactive,
        is_quarantined: false,
        paused: None,
        max_depth: MAX_DEPTH,
        exhausted: None,
        cooldown_until: None,
        is_active: false,
    }
}

/// A snapshot in which every check refuses.
fn hopeless() -> Snapshot {
    Snapshot {
        is_quarantined: true,
        paused: Some(Until::Change),
        exhausted: Some(Until::Time(at(5000))),
        cooldown_until: Some(at(2000)),
        is_active: true,
        ..ready()
    }
}

fn status(verdict: Verdict) -> Option<RunStatus> {
    match verdict {
        Verdict::Refused(refusal) => Some(refusal.status),
        Verdict::Ignored | Verdict::Start => None,
    }
}

#[test]
fn the_first_check_that_refuses_decides() {
    let mut snapshot = hopeless();
    let deep = MAX_DEPTH + 1;
    for (heal, refused) in [
        (Box::new(|_: &mut Snapshot| {}) as Box<dyn Fn(&mut Snapshot)>, RunStatus::Quarantined),
        (Box::new(|snapshot| snapshot.is_quarantined = false), RunStatus::Paused),
        (Box::new(|snapshot| snapshot.paused = None), RunStatus::DepthExceeded),
        (Box::new(|snapshot| snapshot.max_depth = deep), RunStatus::BudgetExhausted),
        (Box::new(|snapshot| snapshot.exhausted = None), RunStatus::CooldownSkipped),
        (Box::new(|snapshot| snapshot.cooldown_until = None), RunStatus::Coalesced),
    ] {
        heal(&mut snapshot);
        assert_eq!(status(judge(&snapshot, deep)), Some(refused));
    }
    snapshot.is_active = false;
    assert_eq!(judge(&snapshot, deep), Verdict::Start);
    for mode in [TriggerMode::Passive, TriggerMode::Disabled] {
        assert_eq!(judge(&Snapshot { mode, ..hopeless() }, deep), Verdict::Ignored);
        assert_eq!(judge(&Snapshot { mode, ..ready() }, 0), Verdict::Ignored);
    }
}

#[test]
fn a_cooldown_ends_at_its_time() {
    let snapshot = Snapshot { cooldown_until: Some(at(1001)), ..ready() };
    assert_eq!(plan(&snapshot), Plan::Wake(at(1001)));
    assert_eq!(plan(&Snapshot { now: at(1001), ..snapshot }), Plan::Start);
}

fn until() -> impl Strategy<Value = Option<Until>> {
    prop_oneof![Just(None), Just(Some(Until::Change)), (0..5000_u64).prop_map(|seconds| Some(Until::Time(at(seconds)))),]
}

fn snapshot() -> impl Strategy<Value = Snapshot> {
    let mode = prop_oneof![Just(TriggerMode::Passive), Just(TriggerMode::Reactive), Just(TriggerMode::Disabled)];
    let cooldown = prop::option::of((0..5000_u64).prop_map(at));
    (mode, any::<bool>(), until(), 0..6_u32, until(), cooldown, any::<bool>()).prop_map(
        |(mode, is_quarantined, paused, max_depth, exhausted, cooldown_until, is_active)| Snapshot {
            now: at(1000),
            mode,
            is_quarantined,
            paused,
            max_depth,
            exhausted,
            cooldown_until,
            is_active,
        },
    )
}

/// What happens to an agent of the model.
#[derive(Debug, Clone)]
enum Step {
    /// A message of this depth arrives.
    Send(u32),
    /// Time passes, in seconds.
    Pass(u64),
    /// The run ends, well or not.
    End(Ended),
    /// A poller takes the most urgent message that waits.
    Poll,
    Pause(bool),
    Quarantine(bool),
    Mode(bool),
    Budget(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Well,
    Badly,
    Interrupted,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..7_u32).prop_map(Step::Send),
        3 => (1..1500_u64).prop_map(Step::Pass),
        3 => prop_oneof![Just(Ended::Well), Just(Ended::Badly), Just(Ended::Interrupted)].prop_map(Step::End),
        1 => Just(Step::Poll),
        1 => any::<bool>().prop_map(Step::Pause),
        1 => any::<bool>().prop_map(Step::Quarantine),
        1 => any::<bool>().prop_map(Step::Mode),
        1 => (0..4_u32).prop_map(Step::Budget),
    ]
}

/// An agent as the store keeps it.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of the store")]
struct Agent {
    now: u64,
    passive: bool,
    paused: bool,
    quarantined: bool,
    budget: u32,
    begun_today: BTreeMap<u64, u32>,
    ended_at: Option<u64>,
    /// The claimed messages of the active run, the trigger first.
    active: Option<Vec<u32>>,
    pending_work: bool,
    wake_at: Option<Timestamp>,
    /// Messages that wait in the inbox, with their depths.
    inbox: BTreeMap<u32, u32>,
    sent: u32,
    /// How often each message was the trigger of a run that ended by itself.
    triggered: BTreeMap<u32, u32>,
    /// Messages that are done or failed, or that a poller has.
    ended: BTreeSet<u32>,
    evaluated: BTreeMap<u32, u32>,
}

const DAY: u64 = 24 * 3600;

impl Agent {
    fn snapshot(&self) -> Snapshot {
        let today = self.now / DAY;
        let begun = self.begun_today.get(&today).copied().unwrap_or_default();
        Snapshot {
            now: at(self.now),
            mode: if self.passive { TriggerMode::Passive } else { TriggerMode::Reactive },
            is_quarantined: self.quarantined,
            paused: self.paused.then_some(Until::Change),
            max_depth: MAX_DEPTH,
            exhausted: (begun >= self.budget).then(|| Until::Time(at((today + 1) * DAY))),
            cooldown_until: self.ended_at.map(|ended| at(ended).plus(COOLDOWN)),
            is_active: self.active.is_some(),
        }
    }

    /// The most urgent message that waits and could start a run.
    fn waiting(&self) -> Option<u32> {
        self.inbox.iter().find(|(_, depth)| **depth <= MAX_DEPTH).map(|(id, _)| *id)
    }

    fn start(&mut self, trigger: u32) {
        assert!(self.active.is_none(), "an agent has one run at a time");
        let mut claimed = vec![trigger];
        claimed
            .extend(self.inbox.iter().filter(|(id, depth)| **id != trigger && **depth <= MAX_DEPTH).map(|(id, _)| *id));
        claimed.truncate(limits::RUN_MESSAGES as usize);
        for id in &claimed {
            assert!(self.inbox.remove(id).is_some(), "a run claims what waits");
        }
        *self.begun_today.entry(self.now / DAY).or_default() += 1;
        self.active = Some(claimed);
    }

    /// As the reader of the log does for a new message.
    fn evaluate(&mut self, id: u32, depth: u32) {
        *self.evaluated.entry(id).or_default() += 1;
        match judge(&self.snapshot(), depth) {
            Verdict::Ignored | Verdict::Refused(Refusal { kept: None, .. }) => {}
            Verdict::Start => self.start(id),
            Verdict::Refused(Refusal { kept: Some(_), .. }) => self.keep(),
        }
    }

    /// Records that work waits, and when it is looked at again.
    fn keep(&mut self) {
        self.pending_work = true;
        self.wake_at = match plan(&self.snapshot()) {
            Plan::Start => Some(at(self.now)),
            Plan::Wake(at) => Some(at),
            Plan::Wait => None,
        };
    }

    /// As the timer does.
    fn look(&mut self) {
        if self.wake_at.is_none_or(|wake| wake > at(self.now)) {
            return;
        }
        match (self.waiting(), plan(&self.snapshot())) {
            (None, _) => (self.pending_work, self.wake_at) = (false, None),
            (Some(trigger), Plan::Start) => {
                self.start(trigger);
                (self.pending_work, self.wake_at) = (false, None);
            }
            (Some(_), Plan::Wake(at)) => self.wake_at = Some(at),
            (Some(_), Plan::Wait) => self.wake_at = None,
        }
    }

    /// As after a change of the agent.
    fn changed(&mut self) {
        if self.pending_work {
            self.wake_at = Some(at(self.now));
        }
    }

    fn end(&mut self, ended: Ended) {
        let Some(claimed) = self.active.take() else { return };
        self.ended_at = Some(self.now);
        let (trigger, others) = claimed.split_first().expect("a run has a trigger");
        if ended != Ended::Interrupted {
            *self.triggered.entry(*trigger).or_default() += 1;
        }
        match ended {
            Ended::Well => self.ended.extend(claimed),
            Ended::Badly => {
                self.ended.insert(*trigger);
                self.inbox.extend(others.iter().map(|id| (*id, 0)));
            }
            Ended::Interrupted => self.inbox.extend(claimed.iter().map(|id| (*id, 0))),
        }
        if self.waiting().is_some() {
            self.keep();
        } else {
            (self.pending_work, self.wake_at) = (false, None);
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Send(depth) => {
                self.sent += 1;
                self.inbox.insert(self.sent, *depth);
                // Messages of the time when the hub did not run it are not evaluated later.
                self.evaluate(self.sent, *depth);
            }
            Step::Pass(seconds) => self.now += seconds,
            Step::End(ended) => self.end(*ended),
            Step::Poll => {
                if let Some(id) = self.inbox.keys().next().copied() {
                    self.inbox.remove(&id);
                    self.ended.insert(id);
                }
            }
            Step::Pause(paused) => self.paused = *paused,
            Step::Quarantine(quarantined) => self.quarantined = *quarantined,
            Step::Mode(passive) => self.passive = *passive,
            Step::Budget(budget) => self.budget = *budget,
        }
        if matches!(step, Step::Pause(_) | Step::Quarantine(_) | Step::Mode(_) | Step::Budget(_)) {
            self.changed();
        }
        self.look();
    }
}

proptest! {
    #[test]
    fn what_is_kept_can_start_later_and_what_is_not_is_too_deep(snapshot in snapshot(), depth in 0..8_u32) {
        match judge(&snapshot, depth) {
            Verdict::Refused(Refusal { status, kept }) => {
                prop_assert_eq!(kept.is_none(), status == RunStatus::DepthExceeded);
                prop_assert!(status.is_final() && !status.is_outcome());
            }
            Verdict::Start => prop_assert!(depth <= snapshot.max_depth && !snapshot.is_active),
            Verdict::Ignored => prop_assert!(snapshot.mode != TriggerMode::Reactive),
        }
        // Work that waits is never forgotten: it starts, has a time, or waits for a change that is announced.
        if let Plan::Wait = plan(&snapshot) {
            prop_assert!(snapshot.is_active || snapshot.mode != TriggerMode::Reactive);
        }
        if let Plan::Wake(wake) = plan(&snapshot) {
            prop_assert!(wake >= snapshot.now);
        }
    }

    #[test]
    fn no_message_is_lost_and_none_runs_twice(steps in prop::collection::vec(step(), 0..80)) {
        let mut agent = Agent { budget: 2, ..Agent::default() };
        for step in &steps {
            agent.step(step);
        }
        // Then nothing stands in the way any more, and every run ends well.
        for step in [Step::Mode(false), Step::Pause(false), Step::Quarantine(false), Step::Budget(9)] {
            agent.step(&step);
        }
        let kept = agent.pending_work || agent.active.is_some();
        for _ in 0..40 {
            agent.step(&Step::End(Ended::Well));
            agent.step(&Step::Pass(1500));
        }
        prop_assert!(agent.active.is_none());
        if kept {
            prop_assert_eq!(agent.waiting(), None, "work that was kept has run");
        }
        prop_assert!(!agent.pending_work && agent.wake_at.is_none());
        for (id, count) in &agent.triggered {
            prop_assert_eq!(*count, 1, "message {} started several runs", id);
        }
        for (id, count) in &agent.evaluated {
            prop_assert_eq!(*count, 1, "message {} was evaluated several times", id);
        }
        for id in agent.triggered.keys() {
            prop_assert!(agent.ended.contains(id) && !agent.inbox.contains_key(id));
        }
    }
}
