//! Agents: programs that act for a human.
//!
//! Invariants: an agent belongs to one user, and only that user (and an operator) can see or change it; it
//! has one agent key at a time, shown once; deleting it ends every credential that acts as it, and its name
//! is never reused.

mod change;
mod create;
mod model;
mod service;
pub(crate) mod store;

pub(crate) use change::update;
pub use create::CreatedAgent;
pub(crate) use create::create as create_in;
pub use service::Agents;
pub(crate) use service::{existing, named_or_own, reach};
