//! Runs: a message starts its agent through a harness, and leaves a story.
//!
//! Invariants:
//! - A message is evaluated as a trigger once: a named reader of the log does it, and a unique index holds against
//!   everything else. The checks are one pure function ([`check`]).
//! - An agent has one run at a time, by a partial unique index. Whatever starts, begins or ends a run locks the row of
//!   the agent first.
//! - A run claims its messages as any worker does, so a message is in one run at a time, and a message that a run
//!   ended is not claimed again. Messages that a check refused wait, and the agent has `pending_work`; when `wake_at` has
//!   come, or the agent has changed, what really waits then is looked at.
//! - An open run has an item in one of two queues ([`lanes`]), which holds its lease. What the end of a run did to the
//!   run, its messages and the item is one transaction; a node that lost the lease writes nothing.
//! - A run on the machine of a node that dies is interrupted. A run that is a Job of a cluster goes on, and another node
//!   takes it up; it is created once ([`site`]).
//! - The credential of a run is stored as a hash, and ends with the run. That of a Job follows from a key of the hub and
//!   the item, so that a node that takes it up knows it.
//! - A run of an event ([`event`]) is none of those that an agent has one after the other: it has no cooldown and no
//!   daily limit.

mod begin;
mod change;
mod check;
pub(crate) mod directories;
pub(crate) mod dispatch;
mod event;
mod gate;
mod job;
mod lanes;
mod logs;
mod meter;
mod outcome;
mod preview;
mod prompt;
pub(crate) mod reader;
mod service;
mod site;
mod span;
mod start;
mod store;
pub(crate) mod sweep;
mod view;

pub(crate) use change::{RequestedStart, end_all_of, start_requested};
pub(crate) use event::{EventStart, open_among, start_event};
pub(crate) use lanes::{Lane, Lanes};
pub use logs::RunLog;
pub use meter::RunCounts;
pub(crate) use service::{Guide, Parts};
pub use service::{RunSettings, Runs};
pub(crate) use store::LISTED;
