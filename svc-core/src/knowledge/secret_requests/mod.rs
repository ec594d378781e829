//! Requests of agents for secrets, which their owners provide or reject.
//!
//! Invariants:
//! - An agent has at most one open request for a name, by a partial unique index. Asking again returns it.
//! - A value is stored as a secret of the agent, sealed, and never leaves the hub but into runs. A request has none.
//! - A request whose secret exists counts as provided, however that was stored.

mod service;
mod store;

pub use service::SecretRequests;
pub(crate) use store::{LISTED, remove_all_of};
