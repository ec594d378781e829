//! Channels: rooms that participants share.
//!
//! What always holds: a name is given once; a channel has one owner, who is a member and cannot leave;
//! its member count is the number of its members; a private channel is seen by its members and by the
//! humans whose agents are members, and nobody else learns that it exists. Whoever changes who may read
//! a channel holds its conversation, as senders do, so a message is said before the change or after it.

mod access;
mod announce;
mod archive;
mod change;
mod create;
mod inherit;
mod join;
mod members;
mod membership;
mod model;
mod posting;
mod service;
mod store;

pub(crate) use access::{VisibleChannels, allowed};
pub(crate) use inherit::{release, release_to_an_admin};
pub(crate) use posting::{for_posting, open_to_all};
pub use service::Channels;
pub(crate) use store::{LISTED, Room, create_general};

/// The channel that every hub begins with.
pub const GENERAL: &str = "general";
