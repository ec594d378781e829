//! Secrets: values that an agent's runs receive as environment variables, sealed at rest.
//!
//! What always holds: a value is in the store only as the vault sealed it, tied to its owner and its
//! name, and is opened only when a run starts; nobody is ever shown a value; a store is sealed with one
//! key, and another key adds nothing to it while a secret of the first one is left; a secret ends
//! with the user or the agent it belongs to.

mod change;
mod key;
mod run;
mod service;
pub(crate) mod store;

pub use service::Secrets;
