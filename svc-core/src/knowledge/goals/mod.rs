//! Goals: an outcome that an owner wants, a tree of tasks, and the agents that do them.
//!
//! Invariants:
//! - A goal belongs to a human. That human and their agents see it and act on it; for everybody else it does not exist.
//!   Approvals are the owner's.
//! - Everything that changes a goal, its tasks, claims or proposals holds the row of the goal, so that each decision is
//!   made on what is stored then. Moves are decided by two tables ([`machine`]).
//! - A task has one claim at a time, by a partial unique index, under a lease. What a claimant reports after its lease
//!   ended changes nothing.
//! - Every cost is a row. The sums at the task and at the goal change in its transaction, and a run is charged once.
//! - A proposed agent exists only after a human approved it, and is no wider than its proposer.
//! - A move, its entry in the timeline and its event are one transaction.

mod approvals;
mod budget;
mod channel;
pub(crate) mod charges;
mod claim;
mod create;
mod decide;
mod deletion;
mod end;
mod machine;
mod notice;
mod record;
mod service;
mod spawn;
mod store;
mod tree;
pub(crate) mod verify;
mod view;
mod work;

pub(crate) use claim::TaskLeases;
pub(crate) use deletion::{end_all_of, release_all_of};
pub use service::Goals;
pub(crate) use service::is_of;
pub(crate) use store::LISTED;
