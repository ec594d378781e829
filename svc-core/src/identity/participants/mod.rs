//! Participants: all senders and recipients of messages, with one handle each.
//!
//! Invariants: a handle is unique without regard to case, among humans, agents and the system together, and
//! is never reused after a deletion. A user's or an agent's id is the id of its participant. A new display
//! name never resembles another participant's handle, nor the hub's name.

use crate::error::Error;
pub use directory::Participants;
pub(crate) use directory::pattern;
pub(crate) use store::{
    LISTED, NewParticipant, insert, is_filled, is_taken, mark_deleted, note_seen, profile_changed, set_display_name,
};

mod directory;

mod naming;

mod store;

/// The error for a handle that is taken or was used before.
pub(crate) fn handle_taken() -> Error {
    Error::conflict("handle_taken", "This name is taken or was used before: choose another.")
}
