//! Reactions: typed marks on messages, from which a workflow state follows.
//!
//! What always holds: a participant has a reaction on a message once; `in_progress` stands on a
//! message once, whoever set it first; the state of a message in a workflow channel is what
//! [`workflow::state`] makes of the reactions on it, and every change of it is an event.
//!
//! Changes of one message are made one after the other: each takes the message's row first. A message
//! that was sent before its channel had a workflow gets its state with the first reaction after that;
//! one that has a state keeps it true while the workflow is turned off, without anybody being told.

mod announce;
mod change;
mod service;
pub(crate) mod stalemate;
mod stalemate_store;
pub(crate) mod store;
pub(crate) mod workflow;

pub use service::Reactions;
pub(crate) use store::LISTED;
