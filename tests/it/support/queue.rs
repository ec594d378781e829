//! Queues with short rules, and what workers do with them.

use std::time::Duration;

use serde_json::json;
use svc_core::Hub;
use svc_core::ids::QueueItemId;
use svc_core::queue::{ClaimedItem, NewItem, Queue, QueueRules};

/// How long claims last in these queues.
pub(crate) const LEASE: Duration = Duration::from_secs(30);

/// The rules of a queue `work`, to be changed.
pub(crate) fn rules() -> QueueRules {
    QueueRules::new("work").lease(LEASE)
}

pub(crate) fn open(hub: &Hub, rules: QueueRules) -> Queue {
    hub.queues().open(rules).unwrap()
}

/// An item of a key.
pub(crate) fn item(key: &str) -> NewItem {
    NewItem::new(json!({ "for": key })).key(key)
}

/// Enqueues so many items of a key.
pub(crate) async fn fill(queue: &Queue, key: &str, count: usize) -> Vec<QueueItemId> {
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(queue.enqueue(item(key)).await.unwrap().id);
    }
    ids
}

/// Claims, and tells the keys of what was claimed.
pub(crate) async fn claim_keys(queue: &Queue, limit: u32) -> Vec<String> {
    queue.claim(limit).await.unwrap().into_iter().map(|claimed| claimed.item.key).collect()
}

/// Claims the one item that there is to claim.
pub(crate) async fn claim_one(queue: &Queue) -> ClaimedItem {
    let mut claimed = queue.claim(50).await.unwrap();
    assert_eq!(claimed.len(), 1);
    claimed.remove(0)
}
