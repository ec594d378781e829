//! The audit log: changes of accounts and credentials, with the actor and the origin.
//!
//! Invariants: an entry is written in the transaction of its change, so neither exists without the other; the
//! same entry appears in the structured log under the target `svc::auth`; neither ever contains a password,
//! key, token or secret.

mod model;
mod service;
mod store;

pub(crate) use model::NewEntry;
pub use service::Audit;
pub(crate) use service::record;
pub(crate) use store::LISTED;
