//! Machine principals: services that are not users, known by a registry document, that sign what they ask.
//!
//! What always holds:
//! - A registry is in force as a whole or not at all: it is checked first, all faults at once, and then
//!   replaces the one before in one transaction. A bad document changes nothing.
//! - Who may do what is read from the store with every request, in the transaction that does it, and a registry
//!   waits for those transactions before it comes into force. So when it is, a key that it revokes or a principal
//!   that it disables has done its last.
//! - What was signed once is done once: its nonce is written in the same transaction, on every node.
//! - An event that a machine reports is stored once, with the message that tells a channel of it. A reader
//!   is shown events up to where none is still to come, so whoever reads on from one misses nothing, and principals
//!   do not wait for each other.
//! - A refusal has a code of its own and leaves an entry in the audit log, and nothing else.

mod authenticate;
mod changes;
mod configs;
pub(crate) mod dialect;
mod document;
pub(crate) mod history;
mod load;
pub(crate) mod machine;
mod refusal;
mod registry;
mod registry_store;
pub(crate) mod rules;
mod service;
pub(crate) mod signature;
mod status;
mod store;
pub(crate) mod sweep;
mod watch;

pub use authenticate::{Rejection, SignedHead};
pub use load::{REGISTRY_SCHEMA, is_kid, is_principal_id, load_registry};
pub use machine::Machine;
pub use registry::Loaded;
pub use service::Principals;
pub use signature::{ACCEPT_SIGNATURE, SignedRequest, normal_authority};
pub use watch::{RegistryFile, RegistryFileState};

/// The statements over tables that grow, for the test that looks at their plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [store::LISTED, configs::LISTED, &history::listed()].concat()
}
