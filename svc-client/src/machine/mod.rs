//! Signs the requests of services that are registered as machine principals.
//!
//! ```
//! use svc_client::machine::{SecretKey, Signer};
//!
//! # fn main() -> svc_client::Result<()> {
//! // From `svc-admin machines keygen`; its public half stands in the hub's registry.
//! let key: SecretKey = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A".parse()?;
//! let signer = Signer::new("svc:sense:door-1", "door-2026-01", key)?;
//!
//! let mut request = http::Request::put("https://hub.example/api/machine/runtime-status")
//!     .header("content-type", "application/json")
//!     .body(r#"{"state": "running"}"#)
//!     .expect("the address is one");
//! signer.sign(&mut request)?;
//! assert!(request.headers().contains_key("signature"));
//! # Ok(())
//! # }
//! ```
//!
//! Invariants: a request that is signed again gets a new time and a new nonce; the secret key is never
//! printed.

mod key;
mod signer;

pub use key::SecretKey;
pub use signer::Signer;
