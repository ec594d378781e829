//! Items of a queue: requests, states and failures.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::ids::QueueItemId;
use crate::limits;
use crate::store::db::{Columns, FromRow, RowError};
use crate::timestamp::Timestamp;

/// The status of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ItemStatus {
    /// The item is not due yet.
    Waiting,
    /// The item can be claimed as soon as the rate and the concurrency of its key allow.
    Pending,
    /// A worker holds a lease on it.
    Leased,
    /// A worker finished it.
    Done,
    /// The last attempt failed.
    Dead,
}

crate::text_enum! {
    ItemStatus { Waiting => "waiting", Pending => "pending", Leased => "leased", Done => "done", Dead => "dead" }
}

/// An item to be enqueued.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "an item is in no queue until it is enqueued"]
pub struct NewItem {
    pub(super) payload: Value,
    pub(super) key: String,
    pub(super) priority: u32,
    pub(super) delay: Duration,
    pub(super) dedupe: Option<String>,
    pub(super) attempts: Option<u32>,
}

impl NewItem {
    /// An item with the payload for its worker.
    pub fn new(payload: Value) -> Self {
        Self {
            payload,
            key: String::new(),
            priority: limits::PRIORITY_DEFAULT,
            delay: Duration::ZERO,
            dedupe: None,
            attempts: None,
        }
    }

    /// The key whose turns, rate and concurrency it counts for, such as a recipient or an owner. Items
    /// without a key share the empty key.
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: key.into(), ..self }
    }

    /// The priority, 1 to 10; 5 by default. Items with a higher priority, of any key, are claimed first.
    pub fn priority(self, priority: u32) -> Self {
        Self { priority, ..self }
    }

    /// Delays the first attempt.
    pub fn delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Deduplicates: a queue has at most one unfinished item with the same value.
    pub fn dedupe(self, value: impl Into<String>) -> Self {
        Self { dedupe: Some(value.into()), ..self }
    }

    /// The maximum number of attempts, instead of the queue's.
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts: Some(attempts), ..self }
    }

    /// Checks the limits; returns the payload as JSON text.
    pub(super) fn check(&self) -> Result<String> {
        for (field, text) in [("key", Some(&self.key)), ("dedupe", self.dedupe.as_ref())] {
            if text.is_some_and(|text| text.len() > limits::QUEUE_KEY_MAX || text.contains('\0')) {
                let most = limits::QUEUE_KEY_MAX;
                return Err(Error::invalid(field, format!("must be at most {most} bytes, without NUL")));
            }
        }
        if !limits::PRIORITIES.contains(&self.priority) {
            let (least, most) = (limits::PRIORITIES.start(), limits::PRIORITIES.end());
            return Err(Error::invalid("priority", format!("must be {least} to {most}")));
        }
        if self.delay > limits::QUEUE_DELAY_MAX {
            let most = limits::QUEUE_DELAY_MAX.as_secs();
            return Err(Error::invalid("delay", format!("must be at most {most} seconds")));
        }
        if self.attempts.is_some_and(|attempts| !(1..=limits::QUEUE_ATTEMPTS_MAX).contains(&attempts)) {
            return Err(Error::invalid("attempts", format!("must be 1 to {}", limits::QUEUE_ATTEMPTS_MAX)));
        }
        let payload = self.payload.to_string();
        if payload.len() > limits::QUEUE_PAYLOAD_MAX {
            let most = limits::QUEUE_PAYLOAD_MAX;
            return Err(Error::invalid("payload", format!("must be at most {most} bytes of JSON")));
        }
        Ok(payload)
    }
}

/// The result of enqueueing an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Enqueued {
    /// The new item, or the existing one.
    pub id: QueueItemId,
    /// Whether it is new; `false` when an unfinished item had the same `dedupe` value.
    pub new: bool,
}

crate::row! {
    /// An item of a queue.
    #[derive(Debug, Clone, PartialEq, Serialize)]
    #[non_exhaustive]
    pub struct QueueItem {
        /// Its id.
        pub id: QueueItemId,
        /// Its key; empty when it has none.
        pub key: String,
        /// The priority, 1 to 10.
        pub priority: u32,
        /// Its status.
        pub status: ItemStatus,
        /// The number of attempts: claims without those that were released.
        pub attempts: u32,
        /// The maximum number of attempts.
        pub max_attempts: u32,
        /// The deduplication value.
        pub dedupe: Option<String>,
        /// The payload for its worker.
        pub payload: Value,
        /// The earliest time of the next attempt.
        pub due_at: Timestamp,
        /// When the lease expires.
        pub lease_expires_at: Option<Timestamp>,
        /// The reason why the last attempt failed.
        pub failure: Option<String>,
        /// When it was enqueued.
        pub created_at: Timestamp,
        /// When it last changed.
        pub updated_at: Timestamp,
        /// When it became done or dead.
        pub finished_at: Option<Timestamp>,
    }
}

/// An item that is claimed by a worker.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimedItem {
    /// The item as it was when it was claimed.
    pub item: QueueItem,
    pub(super) token: String,
}

impl FromRow for ClaimedItem {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, RowError> {
        Ok(Self { item: QueueItem::from_row(columns)?, token: columns.take("claim_token")? })
    }
}

#[cfg(test)]
impl ClaimedItem {
    /// An item that no store has, for tests of what workers do with items.
    pub(crate) fn sample(id: i64, key: &str) -> Self {
        let at = Timestamp::from_micros(0);
        let item = QueueItem {
            id: QueueItemId(id),
            key: key.into(),
            priority: 5,
            status: ItemStatus::Leased,
            attempts: 1,
            max_attempts: 4,
            dedupe: None,
            payload: Value::Null,
            due_at: at,
            lease_expires_at: Some(at),
            failure: None,
            created_at: at,
            updated_at: at,
            finished_at: None,
        };
        Self { item, token: String::new() }
    }
}

/// The failure of an attempt, with its reason and the retry policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub(super) reason: String,
    pub(super) least_delay: Duration,
    pub(super) is_final: bool,
}

impl Failure {
    /// A failure that is retried after the queue's delay, as long as attempts are left.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: shortened(&reason.into()), least_delay: Duration::ZERO, is_final: false }
    }

    /// A permanent failure: the item becomes dead at once.
    pub fn last(reason: impl Into<String>) -> Self {
        Self { is_final: true, ..Self::new(reason) }
    }

    /// The minimum delay of the retry, if it is longer than the queue's own.
    #[must_use]
    pub fn not_before(self, delay: Duration) -> Self {
        Self { least_delay: delay.min(limits::QUEUE_DELAY_MAX), ..self }
    }
}

/// The end of an attempt, as its worker reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Report {
    /// The item is done.
    Finished,
    /// The attempt failed.
    Failed(Failure),
}

/// Truncates a reason. Responses of other servers may have any length, so they are not rejected.
fn shortened(reason: &str) -> String {
    let mut reason = reason.replace('\0', "");
    if let Some((end, _)) = reason.char_indices().nth(limits::REASON_MAX) {
        reason.truncate(end);
    }
    reason
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reason_is_truncated_at_a_character() {
        assert_eq!(Failure::new("a\0b").reason, "ab");
        let long = Failure::new("é".repeat(limits::REASON_MAX + 7));
        assert_eq!(long.reason.chars().count(), limits::REASON_MAX);
    }

    #[test]
    fn invalid_items_are_rejected_by_field() {
        let good = NewItem::new(json!({ "to": 1 }));
        assert_eq!(good.check().unwrap(), "{\"to\":1}");
        let long = "x".repeat(limits::QUEUE_KEY_MAX + 1);
        for (item, field) in [
            (good.clone().key(long.clone()), "key"),
            (good.clone().key("a\0"), "key"),
            (good.clone().dedupe(long), "dedupe"),
            (good.clone().priority(0), "priority"),
            (good.clone().priority(11), "priority"),
            (good.clone().delay(limits::QUEUE_DELAY_MAX + Duration::from_secs(1)), "delay"),
            (good.clone().attempts(0), "attempts"),
            (NewItem::new(json!("x".repeat(limits::QUEUE_PAYLOAD_MAX))), "payload"),
        ] {
            assert_eq!(item.check().unwrap_err().fields()[0].field, field);
        }
    }
}
