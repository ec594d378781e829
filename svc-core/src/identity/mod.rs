//! Identity: accounts, agents, credentials and permissions.
//!
//! This layer depends on the store only.

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
