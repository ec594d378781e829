//! The event log: one durable, ordered record of every change that somebody may want to see.
//!
//! What always holds:
//! - An event is written in the transaction of the change it tells of: both are there, or neither.
//! - Every reader sees the same order, misses nothing and sees nothing twice, in whichever process
//!   it runs. On PostgreSQL places in the log are not taken in the order of commits, so a reader
//!   passes a missing place only when nobody can fill it any more (see [`order`]).
//! - Live streams, webhooks, triggers, push and the search index are all readers of this one log,
//!   each with its own position, so nothing is wired twice.

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
