//! The hub as a client of other servers: every request to an address that somebody else chose.
//!
//! What always holds: such a request reaches public addresses only, and the address that was
//! checked is the one that is connected to.

mod guarded;
mod ssrf;

pub(crate) use guarded::{Bounds, GuardedClient, install_tls_provider};
