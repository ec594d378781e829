//! The store: a database on either engine, and the mechanisms built on its transactions.
//!
//! This layer knows nothing of users, agents or messages.

pub(crate) mod backup;
pub mod db;
pub(crate) mod events;
pub(crate) mod idempotency;
pub(crate) mod leases;
pub(crate) mod queue;
pub(crate) mod vault;
pub(crate) mod workers;
