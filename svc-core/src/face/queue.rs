//! Queues: durable work that processes claim under leases, with retries, rates and turns. The handle is
//! `hub.queues()`.
//!
//! [`Queues::open`] opens a queue by its [`QueueRules`].

pub use crate::store::queue::{
    Backoff, ClaimedItem, Enqueued, Failure, ItemStatus, NewItem, Queue, QueueItem, QueueRules, Queues, Rate,
};
