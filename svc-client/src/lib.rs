//! svc-client: what a program needs to talk to a hub from outside.
//!
//! [`machine`] signs the requests of services that are registered as machine principals.
//!
//! What always holds: this crate stands on `svc-model` alone. It builds no database, no image codec and no
//! object store.

pub mod machine;

pub use svc_model::{Error, ErrorKind, FieldError, Result};
