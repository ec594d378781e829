//! Embedded: the MCP surface on the store itself, in this process.
//!
//! What always holds: the hub was there before. This program opens the store of a hub, brings it up to
//! date as every process on it may, and takes no lock, so any number of them and a server work on one
//! store. It runs no workers, because what those do follows a server's settings; it only sees to leases
//! that have ended, for a store without a server.

mod chores;
mod open;
mod serve;

pub(crate) use chores::Chores;
pub(crate) use open::{check, open};
pub(crate) use serve::serve;
