//! Secrets: values that an agent's runs receive as environment variables, encrypted at rest.
//!
//! Invariants: a value is stored only in sealed form, bound to its owner and its name, and is opened only
//! when a run starts; the API never returns a value; a store uses one encryption key, and a different key
//! cannot add secrets while one of the first key is left; a secret is removed with its user or agent.

mod change;
mod key;
mod run;
mod service;
pub(crate) mod store;

pub(crate) use change::set as set_in;
pub use service::Secrets;
