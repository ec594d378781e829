//! The event log: a durable, ordered record of all changes that readers follow.
//!
//! Invariants:
//! - An event is written in the transaction of its change: both exist, or neither.
//! - Every reader, in any process, sees the same order, misses nothing and sees nothing twice. On PostgreSQL
//!   positions in the log are not taken in the order of commits, so a reader passes a missing position only
//!   when no transaction can fill it any more (see [`order`]).
//! - Live streams, webhooks, triggers, push and the search index are all readers of this log, each with its
//!   own position, so there is one mechanism for all of them.

mod consume;
mod dialect;
mod follower;
mod log;
mod model;
mod order;
pub(crate) mod retention;
mod store;
mod subscription;

pub use log::EventLog;
pub use model::{After, Event, NewEvent};
pub use subscription::Subscription;

pub(crate) use store::LISTED;
