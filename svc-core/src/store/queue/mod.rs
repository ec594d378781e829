//! Queues: durable work that is claimed under leases by workers of any process.
//!
//! [`table`] has the lease statements of every table whose rows are processed: direct messages are one such
//! table, and `queue_items` is another, for work of any kind. An item belongs to a queue and, within it, to a
//! key, such as a recipient or an owner.
//!
//! Invariants:
//! - An item is waiting, pending, leased, done or dead, and exists exactly if the transaction that enqueued
//!   it was committed. Constraints of the store tie status, claim, lease and attempts together.
//! - An item is held by at most one claim. A worker whose lease has expired can neither finish nor renew nor
//!   release it (`lease_lost`). A lease never lasts longer than its duration, even when the clock is set
//!   back.
//! - Attempts never exceed their maximum. After the last one an item is dead, with its last failure, and
//!   stays listed until it is retried or the sweep removes it.
//! - A key never exceeds its rate and its concurrency, among all processes: claims of one key are serialized,
//!   and leases are counted in the items themselves.
//! - Items with a higher priority go first. Among items of the same priority the keys take turns, so no key
//!   starves another (see [`keys`]).
//! - A claim reads little more than the items that it takes: items that are not due, paused or finished are
//!   in other indexes. A claim that leaves a group of keys out also reads those of them whose turn it is.

mod changes;
mod claim;
pub(crate) mod expiry;
mod items;
mod keys;
mod model;
mod rules;
mod service;
pub(crate) mod sweep;
pub(crate) mod table;

pub(crate) use items::end_of_holder;
pub(crate) use model::Report;
pub use model::{ClaimedItem, Enqueued, Failure, ItemStatus, NewItem, QueueItem};
pub use rules::{Backoff, QueueRules, Rate};
pub use service::{Queue, Queues};

/// The statements over growing tables, for the test of query plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [items::LISTED, keys::LISTED, changes::LISTED, expiry::LISTED].concat()
}
