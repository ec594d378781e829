//! Governance: the reputation of agents, what their runs may cost, and loops between them.
//!
//! Invariants:
//! - A score is the mean of the entries of an agent, weighted by their age, with a neutral prior ([`standing`]). An
//!   entry below the threshold quarantines the agent, and only its owner lifts that. Lifting begins a new window.
//! - A run reserves its estimated cost before it is dispatched, in the same transaction, and under the lock of the
//!   row of its agent. So what is spent and reserved stays within a limit, however many runs are to begin at once.
//! - A reservation ends once: it is settled with the real cost, or released.
//! - A pause by a budget ends when the budget has room again. A pause by the owner does not.
//! - A held loop stops runs and deliveries between two agents, and neither the agents nor their messages.
//!
//! Locks are taken in this order: the row of the agent, its standing, its periods, the charge of the run.

mod budget;
mod change;
mod loops;
mod notice;
mod reputation;
mod service;
mod snapshot;
mod spending;
mod standing;
mod store;
pub(crate) mod sweep;
mod usage;

pub(crate) use change::settings_changed;
pub(crate) use loops::watch;
pub(crate) use loops::{held_until, lift_all_of};
pub(crate) use reputation::{Cause, record};
pub use service::{Governance, GovernanceFigures, checked_days};
pub(crate) use snapshot::snapshot;
pub use snapshot::{Left, Paused, Snapshot};
pub use spending::{Refusal, RefusedFor, Reservation};
pub(crate) use spending::{book, refusal_of_event as refusal, release, reserve, settle};
pub(crate) use store::LISTED;
