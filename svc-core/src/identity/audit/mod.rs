//! The audit log: what happened to accounts and credentials, by whom and from where.
//!
//! What always holds: an entry is written in the transaction of what it tells about, so there is
//! none without the other; the same entry appears in the structured log under the target
//! `svc::auth`; neither ever holds a password, key, token or secret.

mod model;
mod service;
mod store;

pub(crate) use model::NewEntry;
pub use service::Audit;
pub(crate) use service::record;
pub(crate) use store::LISTED;
