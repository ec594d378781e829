//! Who there is, what proves it, and what each may do.
//!
//! Stands on the store.

pub(crate) mod agents;
pub(crate) mod api_keys;
pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod oauth;
pub(crate) mod participants;
pub(crate) mod principals;
pub(crate) mod secrets;
pub(crate) mod sessions;
pub(crate) mod users;
