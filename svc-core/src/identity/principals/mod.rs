//! Machine principals: services that are not users, defined by a registry document, that sign their requests.
//!
//! Invariants:
//! - A registry is loaded as a whole or not at all: it is validated first, with all faults at once, and then
//!   replaces the previous one in a single transaction. An invalid document changes nothing.
//! - Permissions are read from the store with every request, in the transaction of its work, and a new
//!   registry waits for those transactions before it is loaded. So once it is, a key that it revokes or a
//!   principal that it disables can do nothing more.
//! - A signed request is executed once: its nonce is written in the same transaction, on every node.
//! - An event that a machine reports is stored once, with the message that notifies a channel of it. A reader
//!   gets events only up to the first id that is not committed yet, so it misses nothing when it continues
//!   from there, and principals do not wait for each other.
//! - A rejected request gets a code of its own and leaves an entry in the audit log, and nothing else.

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
pub(crate) use store::listed;
pub use watch::{RegistryFile, RegistryFileState};
