//! Notifications: unread counts and read cursors of a participant, and the notification settings of a human.
//!
//! Invariants:
//! - There is one cursor per participant and conversation, and it never moves back.
//! - The unread count is the number of messages by others after the cursor, computed without
//!   reading them.
//! - Listing moves no cursor.
//! - A channel message that mentions a participant and its direct copy are the same message, and
//!   the counts of both reflect that.
//! - A level mutes a conversation for clients and push messages; it changes no count.

mod mark;
mod quiet;
mod service;
mod settings;
pub(crate) mod store;

pub(crate) use quiet::is_quiet;
pub use service::Notifications;
pub(crate) use store::{LISTED, mention_copies};
