//! API keys: managed keys with limits, and the rows of agent keys.
//!
//! What always holds: a key is shown once and kept as a hash; a managed key acts as its agent, or as
//! its owner when it names none, and never beyond its permissions, channels and end; an agent has
//! at most one agent key that works.

mod create;
mod service;
pub(crate) mod store;

pub(crate) use create::ChannelSight;
pub use create::CreatedKey;
pub use service::ApiKeys;
pub(crate) use service::end_managed_of;
pub(crate) use store::LISTED;
