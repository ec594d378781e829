//! The store: a database on either engine, and what is built on its transactions.
//!
//! Nothing here knows a user, an agent or a message.

pub mod db;
pub(crate) mod events;
pub(crate) mod idempotency;
pub(crate) mod leases;
pub(crate) mod queue;
pub(crate) mod vault;
pub(crate) mod workers;
