//! API keys: managed keys with limits, and the rows of agent keys.
//!
//! Invariants: a key is shown once and stored as a hash; a managed key acts as its agent, or as its owner
//! when it names none, and never beyond its permissions, channels and expiry; an agent has at most one active
//! agent key.

mod create;
mod service;
pub(crate) mod store;

pub(crate) use create::ChannelSight;
pub use create::CreatedKey;
pub use service::ApiKeys;
pub(crate) use service::end_managed_of;
pub(crate) use store::LISTED;
