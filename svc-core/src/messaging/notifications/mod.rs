//! Notifications: what a participant has not read yet, and how far it has read.
//!
//! What always holds: a cursor is one row per participant and conversation and never moves back; what is
//! unread is the number of messages that others sent after it, counted without reading them; listing
//! moves nothing. What was said in a channel and told once more to whom it mentions is one thing, and both counts
//! say so.

mod mark;
mod service;
mod store;

pub use service::Notifications;
pub(crate) use store::{LISTED, mention_copies};
