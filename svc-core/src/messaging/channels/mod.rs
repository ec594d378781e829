//! Channels: conversations that participants share.
//!
//! Invariants:
//! - A name is never used twice.
//! - A channel has one owner, who is a member and cannot leave.
//! - The member count is the number of members.
//! - A private channel is visible to its members and to the humans whose agents are members; nobody
//!   else learns that it exists.
//! - A change of who may read a channel locks its conversation, as sending does, so every message
//!   is sent either before or after the change.

mod access;
mod announce;
mod archive;
mod change;
mod create;
mod inherit;
mod join;
mod managed;
mod members;
mod membership;
mod model;
mod posting;
mod service;
mod store;

pub(crate) use access::{VisibleChannels, allowed};
pub(crate) use inherit::{release, release_to_an_admin};
pub(crate) use managed::{create_managed, set_agents};
pub(crate) use posting::{for_posting, open_to_all, require_posting};
pub use service::Channels;
pub(crate) use store::members::is_member;
pub(crate) use store::{LISTED, PostingChannel, create_general};

/// The channel that every hub starts with.
pub const GENERAL: &str = "general";
