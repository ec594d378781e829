//! Embedded mode: the MCP surface on the store itself, in this process.
//!
//! Invariants: the hub already exists. This program opens the store of a hub, migrates it as every process on it may,
//! and takes no lock, so any number of them and a server work on one store. It runs no workers, because those depend
//! on a server's settings; it only expires leases, for a store without a server.

mod chores;
mod open;
mod serve;

pub(crate) use chores::Chores;
pub(crate) use open::{check, open};
pub(crate) use serve::serve;
