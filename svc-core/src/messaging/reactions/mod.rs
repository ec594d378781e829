//! Reactions: typed marks on messages that determine a workflow state.
//!
//! Invariants:
//! - A participant has each reaction on a message at most once.
//! - A message has at most one `in_progress`, that of the first participant to set it.
//! - The state of a message in a workflow channel is [`workflow::state`] of its reactions, and
//!   every change of it is an event.
//!
//! Changes to one message are serialized: each locks the row of the message first. A message that
//! was sent before its channel had a workflow gets its state with the first reaction after that.
//! The state of a message stays up to date while the workflow is turned off, without events.

mod announce;
mod change;
mod service;
pub(crate) mod stalemate;
pub(crate) mod store;
pub(crate) mod workflow;

pub(crate) use change::mark;
pub(crate) use service::Judgements;
pub use service::Reactions;
pub(crate) use store::LISTED;
