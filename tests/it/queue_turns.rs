//! Whose turn it is: keys share a queue fairly, within their rates and their concurrency, the urgent first.

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::queue::{Queue, QueueRules, Rate};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::queue::{LEASE, claim_keys, claim_one, fill, item, open, rules};

/// Enqueues many items of a key at once.
async fn flood(test: &TestHub, queue: &Queue, key: &'static str, count: usize) {
    for few in vec![(); count].chunks(500) {
        let input = (queue.clone(), few.len());
        let enqueued = test.hub.db().write(input, move |tx, (queue, count)| {
            Box::pin(async move {
                for _ in 0..*count {
                    queue.enqueue_in(tx, &item(key)).await?;
                }
                Ok(())
            })
        });
        enqueued.await.unwrap();
    }
}

#[both_engines]
async fn a_key_with_one_item_is_next_however_many_others_have(test: TestHub) {
    let queue = open(&test.hub, rules());
    flood(&test, &queue, "busy", 10_000).await;
    assert_eq!(claim_keys(&queue, 3).await, ["busy"; 3]);
    fill(&queue, "quiet", 1).await;
    assert_eq!(claim_keys(&queue, 1).await, ["quiet"]);
    assert_eq!(claim_keys(&queue, 1).await, ["busy"]);
    // In one claim they share as well.
    fill(&queue, "quiet", 30).await;
    let shared = claim_keys(&queue, 20).await;
    assert_eq!(shared.iter().filter(|key| *key == "quiet").count(), 10, "{shared:?}");
}

#[both_engines]
async fn keys_take_turns_and_newcomers_starve_nobody(test: TestHub) {
    let queue = open(&test.hub, rules());
    for key in ["a", "b", "c"] {
        fill(&queue, key, 20).await;
    }
    let mut served = BTreeMap::<String, u32>::new();
    for _ in 0..30 {
        *served.entry(claim_keys(&queue, 1).await.remove(0)).or_default() += 1;
    }
    assert_eq!(served.into_values().collect::<Vec<_>>(), [10, 10, 10]);
    // Ever new keys with one item each: the three go on all the same.
    let mut served = BTreeMap::<String, u32>::new();
    for number in 0..40 {
        fill(&queue, &format!("new {number}"), 1).await;
        *served.entry(claim_keys(&queue, 1).await.remove(0)).or_default() += 1;
    }
    for key in ["a", "b", "c"] {
        assert!(served.get(key).is_some_and(|count| *count >= 3), "{key}: {served:?}");
    }
}

#[both_engines]
async fn the_urgent_go_first_and_then_the_old(test: TestHub) {
    let queue = open(&test.hub, rules());
    let mut expected = Vec::new();
    for (key, priority) in [("a", 5), ("a", 9), ("b", 1), ("b", 5), ("c", 10), ("a", 9), ("b", 10)] {
        expected.push((priority, queue.enqueue(item(key).priority(priority)).await.unwrap().id));
    }
    let claimed: Vec<_> =
        queue.claim(50).await.unwrap().into_iter().map(|claimed| (claimed.item.priority, claimed.item.id)).collect();
    assert_eq!(claimed.len(), expected.len());
    assert!(claimed.is_sorted_by_key(|(priority, _)| std::cmp::Reverse(*priority)), "{claimed:?}");
    let of_a: Vec<_> = claimed.iter().filter(|claimed| [1, 5].map(|at| expected[at]).contains(claimed)).collect();
    assert_eq!(of_a, [&expected[1], &expected[5]], "the older first");
    // A key that comes with something urgent overtakes.
    fill(&queue, "a", 2).await;
    fill(&queue, "b", 1).await;
    queue.enqueue(item("b").priority(6)).await.unwrap();
    let next = queue.claim(1).await.unwrap();
    assert_eq!((next[0].item.key.as_str(), next[0].item.priority), ("b", 6));
    assert_eq!(claim_keys(&queue, 50).await.len(), 3);
}

#[both_engines]
async fn a_key_gets_no_more_than_its_rate(test: TestHub) {
    let queue =
        open(&test.hub, rules().lease(Duration::from_hours(1)).rate(Rate::new(2, Duration::from_secs(10)).burst(3)));
    let other = open(&test.another().await, rules().rate(Rate::new(2, Duration::from_secs(10)).burst(3)));
    fill(&queue, "a", 12).await;
    fill(&queue, "b", 1).await;
    let first = claim_keys(&queue, 50).await;
    assert_eq!(first.iter().filter(|key| *key == "a").count(), 3, "{first:?}");
    assert_eq!(first.len(), 4);
    assert!(claim_keys(&other, 50).await.is_empty(), "the rate is that of all processes");
    test.clock.advance(Duration::from_secs(5) - Duration::from_micros(1));
    assert!(claim_keys(&queue, 50).await.is_empty());
    test.clock.advance(Duration::from_micros(1));
    assert_eq!(claim_keys(&other, 50).await, ["a"]);
    assert!(claim_keys(&queue, 50).await.is_empty());
    test.clock.advance(Duration::from_secs(10));
    assert_eq!(claim_keys(&queue, 50).await, ["a"; 2]);
    // What was not used is saved up, up to the burst.
    test.clock.advance(Duration::from_mins(10));
    assert_eq!(claim_keys(&queue, 50).await, ["a"; 3]);
}

#[both_engines]
async fn a_key_gets_no_more_leases_than_its_concurrency(test: TestHub) {
    let queue = open(&test.hub, rules().concurrency(2));
    fill(&queue, "a", 5).await;
    fill(&queue, "b", 1).await;
    let first = queue.claim(50).await.unwrap();
    let of_a: Vec<_> = first.iter().filter(|claimed| claimed.item.key == "a").collect();
    assert_eq!((of_a.len(), first.len()), (2, 3));
    fill(&queue, "a", 1).await;
    queue.enqueue(item("a").priority(9)).await.unwrap();
    assert!(queue.claim(50).await.unwrap().is_empty());
    queue.finish(of_a[0]).await.unwrap();
    let urgent = claim_one(&queue).await;
    assert_eq!(urgent.item.priority, 9);
    queue.release(&urgent).await.unwrap();
    assert_eq!(claim_one(&queue).await.item.id, urgent.item.id);
    queue.fail(of_a[1], svc_core::queue::Failure::last("gone")).await.unwrap();
    assert_eq!(claim_keys(&queue, 50).await, ["a"]);
    // Workers that die free their places in time.
    test.clock.advance(LEASE);
    test.run_worker("lease_expiry").await;
    assert_eq!(claim_keys(&queue, 50).await.iter().filter(|key| *key == "a").count(), 2);
}

#[both_engines]
async fn queues_do_not_hinder_each_other(test: TestHub) {
    let slow = open(&test.hub, QueueRules::new("slow").concurrency(1));
    let quick = open(&test.hub, QueueRules::new("quick"));
    fill(&slow, "a", 3).await;
    fill(&quick, "a", 3).await;
    assert_eq!(claim_keys(&slow, 50).await, ["a"]);
    assert_eq!(claim_keys(&quick, 50).await, ["a"; 3]);
    assert!(claim_keys(&slow, 50).await.is_empty());
}
