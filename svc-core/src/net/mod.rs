//! Outgoing requests to URLs of untrusted origin.
//!
//! Invariants: such a request reaches public addresses and the networks that the operator allows, and connects to
//! the same address that was checked.

mod certificate;
mod guarded;
mod networks;
mod post;
mod ssrf;

pub(crate) use guarded::{Bounds, GuardedClient, install_tls_provider};
pub use networks::AllowedNetworks;
pub(crate) use post::{PostError, Reply};
