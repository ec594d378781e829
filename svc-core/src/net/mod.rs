//! Outgoing requests to URLs of untrusted origin.
//!
//! Invariants: such a request reaches public addresses only, and connects to the same address that was
//! checked.

mod guarded;
mod ssrf;

pub(crate) use guarded::{Bounds, GuardedClient, install_tls_provider};
