//! The task auction: somebody offers work, others bid for it, one of them gets it and does it.
//!
//! What always holds:
//! - A task is `open`, `assigned`, `completed` or `cancelled`, and moves only as [`lifecycle`] says.
//! - Of all bids for a task at most one is accepted, and exactly one while it is assigned or completed.
//!   Accepting is one transaction with what every bidder is told of it, so of two at once one is refused.
//! - A bidder has one bid per task. A later one replaces it under another id, so nobody accepts terms that
//!   they have not read.
//! - A task in a channel is seen by those who see the channel; one without is offered to everybody. Bids
//!   are seen by the poster and by whoever made them, and by the humans of these.
//! - The poster accepts and cancels, the assignee completes; their humans may do it for them.

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
