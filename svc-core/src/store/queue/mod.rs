//! Queues: work that is kept in the store until it is done, claimed under leases by workers of any process.
//!
//! [`table`] has the statements of leases, for every table whose rows are worked on: direct messages are one
//! such table, and `queue_items` is another, for work of any kind. An item belongs to a queue and, in it, to a
//! key: a receiver, an owner.
//!
//! What always holds:
//! - An item is waiting, pending, leased, done or dead, and exists exactly if the transaction that enqueued it
//!   was committed. Constraints of the store tie status, claim, lease and attempts together.
//! - An item is held by at most one claim. Whoever's lease has ended can neither finish nor renew nor release it
//!   (`lease_lost`); a lease lasts as long as it was given for, also when the clock is set back.
//! - Attempts never exceed their maximum. After the last one an item is dead, with its last failure, and stays
//!   listed until somebody retries it or the sweep removes it.
//! - A key never gets more than its rate and its concurrency, among all processes: claims of one key come one
//!   after the other, and leases are counted where they are, in the items.
//! - More urgent items go first. Among equally urgent ones the keys take turns, so no key starves another
//!   (see [`keys`]).
//! - A claim reads what it takes and little else: what is not due, paused or finished is in other indexes.

mod claim;
pub(crate) mod expiry;
mod items;
mod keys;
mod model;
mod rules;
mod service;
pub(crate) mod sweep;
pub(crate) mod table;

pub use model::{ClaimedItem, Enqueued, Failure, ItemStatus, NewItem, QueueItem};
pub use rules::{Backoff, QueueRules, Rate};
pub use service::{Queue, Queues};

/// The statements over tables that grow, for the test that looks at their plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [items::LISTED, keys::LISTED, expiry::LISTED].concat()
}
