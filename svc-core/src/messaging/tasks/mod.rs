//! The task auction: a participant posts a task, others bid for it, and one of them is assigned and
//! completes it.
//!
//! Invariants:
//! - A task is `open`, `assigned`, `completed` or `cancelled`, and changes only as [`lifecycle`]
//!   allows.
//! - At most one bid for a task is accepted, and exactly one while it is assigned or completed. The
//!   notifications of all bidders are part of the accepting transaction, so of two concurrent ones
//!   one fails.
//! - A bidder has one bid per task. A later bid replaces it under a new id, so nobody accepts terms
//!   that they have not read.
//! - A task in a channel is visible to the viewers of the channel; one without a channel is visible
//!   to everybody. A bid is visible to the poster, to the bidder and to the humans of both.
//! - The poster accepts and cancels, the assignee completes; their humans may act for them. The admin
//!   socket sees all tasks and cancels any, as the system.

mod accept;
mod access;
mod announce;
mod bid;
mod close;
pub(crate) mod deadline;
mod draft;
mod lifecycle;
mod notice;
mod post;
mod service;
mod store;

pub use service::Tasks;
pub(crate) use store::LISTED;
