//! Queues: items are claimed under leases, and end as done or dead.

use std::time::Duration;

use serde_json::json;
use svc_core::ids::QueueItemId;
use svc_core::queue::{Backoff, Failure, ItemStatus, NewItem};
use svc_core::{Error, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::queue::{LEASE, claim_one, fill, item, open, rules};

fn code<T: std::fmt::Debug>(outcome: Result<T, Error>) -> &'static str {
    outcome.unwrap_err().code()
}

#[both_engines]
async fn an_item_is_claimed_once_and_finished_once(test: TestHub) {
    let queue = open(&test.hub, rules());
    let enqueued = queue.enqueue(NewItem::new(json!({ "to": "ann", "n": [1, 2] }))).await.unwrap();
    assert!(enqueued.new);
    let claimed = claim_one(&queue).await;
    assert_eq!((claimed.item.id, claimed.item.attempts), (enqueued.id, 1));
    assert_eq!(claimed.item.payload, json!({ "to": "ann", "n": [1, 2] }));
    assert_eq!(claimed.item.lease_expires_at, Some(test.hub.clock().now().plus(LEASE)));
    assert!(queue.claim(50).await.unwrap().is_empty());
    queue.finish(&claimed).await.unwrap();
    queue.finish(&claimed).await.unwrap();
    let done = queue.get(enqueued.id).await.unwrap();
    assert_eq!((done.status, done.finished_at), (ItemStatus::Done, Some(test.hub.clock().now())));
    assert_eq!(code(queue.fail(&claimed, Failure::new("late")).await), "lease_lost");
    assert!(queue.claim(50).await.unwrap().is_empty());
    // Another queue has nothing to do with it.
    let other = open(&test.hub, svc_core::queue::QueueRules::new("other"));
    assert_eq!(code(other.get(enqueued.id).await), "not_found");
}

#[both_engines]
async fn whoever_lost_a_lease_can_do_nothing_with_it(test: TestHub) {
    let queue = open(&test.hub, rules().attempts(2));
    fill(&queue, "a", 1).await;
    let first = claim_one(&queue).await;
    test.clock.advance(LEASE / 2);
    queue.renew(&first).await.unwrap();
    test.clock.advance(LEASE.checked_sub(Duration::from_secs(1)).unwrap());
    assert!(queue.claim(1).await.unwrap().is_empty(), "it was renewed");
    test.clock.advance(Duration::from_secs(1));
    // Over is over, also before somebody else has it.
    assert_eq!(code(queue.renew(&first).await), "lease_lost");
    let second = claim_one(&queue).await;
    assert_eq!(second.item.attempts, 2);
    assert_eq!(code(queue.renew(&first).await), "lease_lost");
    assert_eq!(code(queue.finish(&first).await), "lease_lost");
    assert_eq!(code(queue.fail(&first, Failure::new("x")).await), "lease_lost");
    assert_eq!(code(queue.release(&first).await), "lease_lost");
    queue.finish(&second).await.unwrap();
    assert_eq!(code(queue.finish(&first).await), "lease_lost");
}

#[both_engines]
async fn what_a_late_worker_writes_is_undone(test: TestHub) {
    let (queue, reports) = (open(&test.hub, rules()), open(&test.hub, svc_core::queue::QueueRules::new("reports")));
    fill(&queue, "a", 1).await;
    let claimed = claim_one(&queue).await;
    test.clock.advance(LEASE);
    let input = (queue.clone(), reports.clone(), claimed);
    let late = test.hub.db().write(input, |tx, (queue, reports, claimed)| {
        Box::pin(async move {
            reports.enqueue_in(tx, &item("report")).await?;
            queue.finish_in(tx, claimed).await
        })
    });
    assert_eq!(code(late.await), "lease_lost");
    assert!(reports.claim(1).await.unwrap().is_empty());
}

#[both_engines]
async fn an_item_exists_exactly_if_its_cause_does(test: TestHub) {
    let queue = open(&test.hub, rules());
    let undone = test.hub.db().write(queue.clone(), |tx, queue| {
        Box::pin(async move {
            queue.enqueue_in(tx, &item("a")).await?;
            Err::<(), _>(Error::conflict("changed_mind", "No."))
        })
    });
    assert_eq!(code(undone.await), "changed_mind");
    assert!(queue.claim(1).await.unwrap().is_empty());
    let done = test.hub.db().write(queue.clone(), |tx, queue| {
        Box::pin(async move {
            queue.enqueue_in(tx, &item("a")).await?;
            queue.enqueue_in(tx, &item("b")).await
        })
    });
    done.await.unwrap();
    assert_eq!(queue.claim(50).await.unwrap().len(), 2);
}

#[both_engines]
async fn attempts_follow_the_schedule_and_end(test: TestHub) {
    let delays = [1, 5, 30].map(Duration::from_secs);
    let queue = open(&test.hub, rules().backoff(Backoff::schedule(delays).jitter(20)));
    let ids = fill(&queue, "a", 8).await;
    let mut waits = Vec::new();
    for delay in delays {
        let now = test.hub.clock().now();
        for claimed in queue.claim(50).await.unwrap() {
            assert_eq!(queue.fail(&claimed, Failure::new("no answer")).await.unwrap(), ItemStatus::Waiting);
            let waiting = queue.get(claimed.item.id).await.unwrap();
            assert_eq!(waiting.failure.as_deref(), Some("no answer"));
            waits.push(waiting.due_at.since(now).as_secs_f64() / delay.as_secs_f64());
        }
        test.clock.advance(delay.checked_sub(Duration::from_micros(1)).unwrap());
        assert!(queue.claim(50).await.unwrap().is_empty(), "before {delay:?}");
        test.clock.advance(delay / 5 + Duration::from_secs(1));
    }
    assert_eq!(waits.len(), 24);
    assert!(waits.iter().all(|wait| (1.0..=1.2).contains(wait)), "{waits:?}");
    assert!(waits.iter().any(|wait| *wait > 1.02) && waits.iter().any(|wait| *wait < 1.18), "by chance: {waits:?}");
    for claimed in queue.claim(50).await.unwrap() {
        assert_eq!(claimed.item.attempts, 4);
        assert_eq!(queue.fail(&claimed, Failure::new("still no answer")).await.unwrap(), ItemStatus::Dead);
        // Told again, because the first answer was lost.
        assert_eq!(queue.fail(&claimed, Failure::new("still no answer")).await.unwrap(), ItemStatus::Dead);
    }
    test.clock.advance(Duration::from_hours(1));
    assert!(queue.claim(50).await.unwrap().is_empty());
    assert_eq!(queue.dead(None, None).await.unwrap().len(), ids.len());
}

#[both_engines]
async fn a_failure_may_be_the_last_or_ask_for_more_time(test: TestHub) {
    let queue = open(&test.hub, rules().backoff(Backoff::schedule([Duration::from_secs(1)])));
    fill(&queue, "a", 2).await;
    let claimed = queue.claim(2).await.unwrap();
    assert_eq!(queue.fail(&claimed[0], Failure::last("gone")).await.unwrap(), ItemStatus::Dead);
    let later = Failure::new("busy").not_before(Duration::from_mins(10));
    assert_eq!(queue.fail(&claimed[1], later).await.unwrap(), ItemStatus::Waiting);
    test.clock.advance(Duration::from_mins(9));
    assert!(queue.claim(2).await.unwrap().is_empty());
    test.clock.advance(Duration::from_mins(1));
    assert_eq!(claim_one(&queue).await.item.id, claimed[1].item.id);
}

#[both_engines]
async fn dead_items_are_listed_and_can_be_retried(test: TestHub) {
    let queue = open(&test.hub, rules().attempts(1));
    let ids = fill(&queue, "a", 3).await;
    for claimed in queue.claim(2).await.unwrap() {
        queue.fail(&claimed, Failure::new("broken")).await.unwrap();
    }
    // The third is lost by its worker, and that was its only attempt.
    let lost = claim_one(&queue).await;
    test.clock.advance(LEASE);
    assert!(queue.claim(50).await.unwrap().is_empty());
    assert_eq!(code(queue.fail(&lost, Failure::new("late")).await), "lease_lost");
    let dead = queue.dead(None, None).await.unwrap();
    let listed: Vec<_> = dead.iter().map(|item| item.id).collect();
    assert_eq!(listed, [ids[2], ids[1], ids[0]]);
    assert_eq!(dead[1].failure.as_deref(), Some("broken"));
    assert!(dead[0].failure.as_ref().unwrap().contains("lease"), "{:?}", dead[0].failure);
    let page = queue.dead(Some(ids[2]), Some(1)).await.unwrap();
    assert_eq!(page.iter().map(|item| item.id).collect::<Vec<_>>(), [ids[1]]);
    queue.retry(ids[1]).await.unwrap();
    assert_eq!(code(queue.retry(ids[1]).await), "not_dead");
    assert_eq!(code(queue.retry(QueueItemId(i64::MAX)).await), "not_found");
    let again = claim_one(&queue).await;
    assert_eq!((again.item.id, again.item.attempts, again.item.failure.as_deref()), (ids[1], 1, None));
    queue.finish(&again).await.unwrap();
    assert_eq!(queue.dead(None, None).await.unwrap().len(), 2);
}

#[both_engines]
async fn a_queue_has_one_unfinished_item_of_a_kind(test: TestHub) {
    let queue = open(&test.hub, rules().attempts(1));
    let wanted = || item("a").dedupe("page 7");
    let first = queue.enqueue(wanted()).await.unwrap();
    let again = queue.enqueue(wanted()).await.unwrap();
    assert_eq!((again.id, again.new), (first.id, false));
    let claimed = claim_one(&queue).await;
    assert!(!queue.enqueue(wanted()).await.unwrap().new, "it is under way");
    queue.fail(&claimed, Failure::new("broken")).await.unwrap();
    let second = queue.enqueue(wanted()).await.unwrap();
    assert!(second.new);
    assert_eq!(code(queue.retry(first.id).await), "already_queued");
    let claimed = claim_one(&queue).await;
    queue.finish(&claimed).await.unwrap();
    queue.retry(first.id).await.unwrap();
    assert!(!queue.enqueue(wanted()).await.unwrap().new);
    // The same words in another queue are other words.
    assert!(open(&test.hub, svc_core::queue::QueueRules::new("other")).enqueue(wanted()).await.unwrap().new);
}

#[both_engines]
async fn items_wait_for_their_time(test: TestHub) {
    let queue = open(&test.hub, rules());
    let late = queue.enqueue(item("a").delay(Duration::from_mins(2))).await.unwrap();
    let soon = queue.enqueue(item("a").delay(Duration::from_mins(1))).await.unwrap();
    assert!(queue.claim(50).await.unwrap().is_empty());
    assert_eq!(queue.get(late.id).await.unwrap().status, ItemStatus::Waiting);
    test.clock.advance(Duration::from_mins(1));
    let claimed = claim_one(&queue).await;
    assert_eq!(claimed.item.id, soon.id);
    // A released item was not tried, and is there at once.
    queue.release(&claimed).await.unwrap();
    let claimed = claim_one(&queue).await;
    assert_eq!((claimed.item.id, claimed.item.attempts), (soon.id, 1));
    test.clock.advance(Duration::from_mins(1));
    assert_eq!(queue.claim(50).await.unwrap().len(), 2, "the second, and the first, whose lease is over");
}

#[both_engines]
async fn a_clock_that_is_set_back_prolongs_nothing(test: TestHub) {
    let queue = open(&test.hub, rules().rate(svc_core::queue::Rate::new(1, Duration::from_secs(20))));
    fill(&queue, "a", 2).await;
    let leased = claim_one(&queue).await;
    let waiting = queue.enqueue(item("b").delay(Duration::from_secs(10))).await.unwrap();
    test.clock.set_back(Duration::from_hours(24));
    test.run_worker("lease_expiry").await;
    assert!(queue.claim(50).await.unwrap().is_empty());
    test.clock.advance(Duration::from_secs(10));
    assert_eq!(claim_one(&queue).await.item.id, waiting.id);
    test.clock.advance(Duration::from_secs(10));
    let second = claim_one(&queue).await;
    assert_ne!(second.item.id, leased.item.id, "its rate allows the other one of the key");
    queue.finish(&second).await.unwrap();
    test.clock.advance(Duration::from_secs(10));
    test.run_worker("lease_expiry").await;
    assert_eq!(queue.get(leased.item.id).await.unwrap().status, ItemStatus::Pending);
}

#[both_engines]
async fn what_is_finished_is_kept_for_a_while(test: TestHub) {
    let queue = open(&test.hub, rules().attempts(1));
    let ids = fill(&queue, "a", 3).await;
    let claimed = queue.claim(2).await.unwrap();
    queue.finish(&claimed[0]).await.unwrap();
    queue.fail(&claimed[1], Failure::new("broken")).await.unwrap();
    let keys = async || test.number("SELECT count(*) FROM queue_keys").await;
    test.clock.advance(limits::QUEUE_DONE_RETENTION.checked_sub(Duration::from_secs(1)).unwrap());
    test.run_worker("queue_sweep").await;
    assert_eq!(queue.get(ids[0]).await.unwrap().status, ItemStatus::Done);
    test.clock.advance(Duration::from_secs(1));
    test.run_worker("queue_sweep").await;
    assert_eq!(code(queue.get(ids[0]).await), "not_found");
    assert_eq!(queue.get(ids[1]).await.unwrap().status, ItemStatus::Dead);
    test.clock.advance(limits::QUEUE_DEAD_RETENTION);
    test.run_worker("queue_sweep").await;
    assert_eq!(code(queue.get(ids[1]).await), "not_found");
    // What is not finished is kept for ever, and so is its key.
    assert_eq!(queue.get(ids[2]).await.unwrap().status, ItemStatus::Pending);
    assert_eq!(keys().await, 1);
    let last = claim_one(&queue).await;
    queue.finish(&last).await.unwrap();
    test.clock.advance(limits::QUEUE_KEY_RETENTION);
    test.run_worker("queue_sweep").await;
    assert_eq!(keys().await, 0);
}

#[both_engines]
async fn what_breaks_a_limit_is_refused(test: TestHub) {
    assert_eq!(code(test.hub.queues().open(rules().concurrency(0)).map(drop)), "validation_failed");
    let queue = open(&test.hub, rules());
    for limit in [0, limits::CLAIM_MAX + 1] {
        assert_eq!(code(queue.claim(limit).await), "validation_failed");
    }
    for refused in [item(&"k".repeat(256)), item("a").priority(11), item("a").attempts(101), item("a\0")] {
        assert_eq!(code(queue.enqueue(refused).await), "validation_failed");
    }
    let nul = NewItem::new(json!("a\0b"));
    assert_eq!(code(queue.enqueue(nul).await), "validation_failed");
    assert!(queue.claim(1).await.unwrap().is_empty());
}
