//! Requests of agents for secrets.

mod service;

pub use service::SecretRequests;
