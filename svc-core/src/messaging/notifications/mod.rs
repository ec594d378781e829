//! Notifications: unread counts and read cursors of a participant, and the notification settings of a human.
//!
//! Invariants:
//! - There is one cursor per participant and conversation, and it never moves back.
//! - The unread count is the number of messages by others after the cursor, computed without
//!   reading them.
//! - Listing moves no cursor.
//! - A mention of a person is unread in its channel and nowhere else: read and unread follow the read cursor there. For an
//!   agent its direct copy is unread too, and the counts tell how many are such copies.
//! - A person who is no member of a public channel has a cursor for the mentions there. It starts with the first mention;
//!   leaving the channel takes the earlier mentions away.
//! - A level mutes a conversation for clients and push messages; it changes no count. `svc_model::notifications::waiting`
//!   says how much of a conversation waits, for all surfaces.

mod mark;
mod mentions;
mod quiet;
mod service;
mod settings;
pub(crate) mod store;

pub(crate) use quiet::is_quiet;
pub use service::Notifications;
pub(crate) use store::{LISTED, mention_copies};
