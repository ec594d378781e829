//! Workers that race, die and wait, in several processes on one store.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use svc_core::ids::QueueItemId;
use svc_core::queue::{ClaimedItem, ItemStatus, Queue};
use svc_test_macros::both_engines;
use tokio::sync::{Mutex, Notify};

use crate::support::hub::TestHub;
use crate::support::queue::{LEASE, claim_one, fill, item, open, rules};
use crate::support::wait::{soon, until};

const ITEMS: usize = 120;
const CONCURRENCY: u32 = 5;

/// What all workers have done together.
#[derive(Default)]
struct Tally {
    claims: AtomicU32,
    finished: Mutex<Vec<QueueItemId>>,
}

impl Tally {
    /// Works on an item, or dies with it: a quarter of the first attempts comes to nothing.
    async fn work(&self, queue: &Queue, claimed: ClaimedItem) {
        self.claims.fetch_add(1, Ordering::SeqCst);
        if claimed.item.attempts == 1 && claimed.item.id.0 % 4 == 0 {
            return;
        }
        match queue.finish(&claimed).await {
            Ok(()) => self.finished.lock().await.push(claimed.item.id),
            Err(late) => assert_eq!(late.code(), "lease_lost"),
        }
    }
}

#[both_engines]
async fn workers_that_die_lose_nothing_and_nothing_is_done_twice(test: TestHub) {
    let rules = || rules().attempts(100).concurrency(CONCURRENCY);
    let hubs = [test.another().await, test.another().await];
    let queue = open(&test.hub, rules());
    let mut ids = BTreeSet::new();
    for key in ["a", "b", "c", "d"] {
        ids.extend(fill(&queue, key, ITEMS / 4).await);
    }
    let tally = Arc::new(Tally::default());
    let workers = (0..8).map(|number| {
        let (queue, tally) = (open(&hubs[number % 2], rules()), tally.clone());
        tokio::spawn(async move {
            while tally.finished.lock().await.len() < ITEMS {
                for claimed in queue.claim(3).await.unwrap() {
                    tally.work(&queue, claimed).await;
                }
                tokio::task::yield_now().await;
            }
        })
    });
    let workers: Vec<_> = workers.collect();
    let crowded = "SELECT coalesce(max(held), 0)
                     FROM (SELECT count(*) AS held FROM queue_items WHERE status = 'leased' GROUP BY key) AS leases";
    // Time passes when nothing has been done for a while: what the dead hold comes back, and those who are
    // still at work are late. The while grows, so that even slow ones are in time in the end.
    let (mut done, mut idle, mut patience) = (0, 0, 10);
    until("everything done", async || {
        assert!(test.number(crowded).await <= i64::from(CONCURRENCY));
        let now_done = tally.finished.lock().await.len();
        idle = if std::mem::replace(&mut done, now_done) == now_done { idle + 1 } else { 0 };
        if idle == patience {
            test.clock.advance(LEASE);
            (idle, patience) = (0, patience + 10);
        }
        (now_done == ITEMS).then_some(())
    })
    .await;
    for worker in workers {
        worker.await.unwrap();
    }
    let finished = tally.finished.lock().await.clone();
    assert_eq!(finished.len(), ITEMS);
    assert_eq!(finished.into_iter().collect::<BTreeSet<_>>(), ids, "each once");
    let claims = tally.claims.load(Ordering::SeqCst);
    let attempts = test.number("SELECT CAST(sum(attempts) AS BIGINT) FROM queue_items WHERE status = 'done'").await;
    assert_eq!(attempts, i64::from(claims));
    assert!(claims as usize >= ITEMS + ITEMS / 4);
    join_all(hubs.iter().map(svc_core::Hub::close)).await;
}

#[both_engines]
async fn many_claims_at_once_share_what_there_is(test: TestHub) {
    let hubs = [test.another().await, test.another().await];
    let queue = open(&test.hub, rules());
    let ids: BTreeSet<_> = fill(&queue, "a", 12).await.into_iter().collect();
    let queues: Vec<_> = (0..12).map(|number| open(&hubs[number % 2], rules())).collect();
    let claims = join_all(queues.iter().map(|queue| queue.claim(1))).await;
    let claimed: BTreeSet<_> = claims.into_iter().flat_map(Result::unwrap).map(|claimed| claimed.item.id).collect();
    assert_eq!(claimed, ids, "each asked once and each got one");
    join_all(hubs.iter().map(svc_core::Hub::close)).await;
}

#[both_engines]
async fn who_waits_is_woken(test: TestHub) {
    let other = test.another().await;
    let (queue, elsewhere) = (open(&test.hub, rules().concurrency(1)), open(&other, rules().concurrency(1)));
    let waiting = |queue: &Queue| {
        let queue = queue.clone();
        tokio::spawn(async move {
            loop {
                if let Some(claimed) = queue.claim(1).await.unwrap().pop() {
                    return claimed;
                }
                queue.wait().await.unwrap();
            }
        })
    };
    // By what another process enqueues.
    let woken = waiting(&queue);
    fill(&elsewhere, "a", 2).await;
    let first = soon("the item of elsewhere", woken).await.unwrap();
    // By a place that becomes free.
    let woken = waiting(&elsewhere);
    queue.finish(&first).await.unwrap();
    let second = soon("the free place", woken).await.unwrap();
    // By a lease that ends, and by an item that comes due.
    let woken = waiting(&queue);
    test.clock.advance(LEASE);
    assert_eq!(soon("the ended lease", woken).await.unwrap().item.id, second.item.id);
    let late = queue.enqueue(item("b").delay(Duration::from_mins(5))).await.unwrap();
    let woken = waiting(&elsewhere);
    test.clock.advance(Duration::from_mins(5));
    let claimed = soon("the item that is due", woken).await.unwrap();
    assert!([late.id, second.item.id].contains(&claimed.item.id));
    other.close().await;
}

#[both_engines]
async fn who_waits_for_nothing_is_told_when_the_hub_closes(test: TestHub) {
    let other = test.another().await;
    let queue = open(&other, rules());
    let waiting = tokio::spawn(async move { queue.wait().await });
    other.close().await;
    assert_eq!(soon("the end", waiting).await.unwrap().unwrap_err().code(), "storage_unavailable");
}

/// A transaction that enqueues and stays open until it is let go.
struct Enqueuing {
    ready: Notify,
    go: Notify,
    queue: Queue,
}

#[tokio::test]
async fn an_item_that_is_being_enqueued_is_not_left_behind() {
    let Some(test) = TestHub::postgres().await else { return };
    let queue = open(&test.hub, rules().concurrency(2));
    fill(&queue, "a", 1).await;
    let enqueuing = Arc::new(Enqueuing { ready: Notify::new(), go: Notify::new(), queue: queue.clone() });
    let late = tokio::spawn({
        let (hub, enqueuing) = (test.hub.clone(), enqueuing.clone());
        async move {
            hub.db()
                .write(enqueuing, |tx, enqueuing| {
                    Box::pin(async move {
                        let enqueued = enqueuing.queue.enqueue_in(tx, &item("a")).await?;
                        enqueuing.ready.notify_one();
                        enqueuing.go.notified().await;
                        Ok(enqueued)
                    })
                })
                .await
        }
    });
    enqueuing.ready.notified().await;
    // Nobody waits for it, and the key has nothing else now.
    let first = soon("a claim beside it", claim_one(&queue)).await;
    assert!(soon("another claim", queue.claim(1)).await.unwrap().is_empty());
    soon("a finish beside it", queue.finish(&first)).await.unwrap();
    enqueuing.go.notify_one();
    let late = late.await.unwrap().unwrap();
    let claimed = claim_one(&queue).await;
    assert_eq!(claimed.item.id, late.id);
    queue.finish(&claimed).await.unwrap();
    assert_eq!(queue.get(late.id).await.unwrap().status, ItemStatus::Done);
}
