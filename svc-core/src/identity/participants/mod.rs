//! Participants: everything that can send or receive, under one handle each.
//!
//! What always holds: a handle is unique without regard to case, among humans, agents and the
//! system together, and is never given again after a deletion. A user's or an agent's id is the id
//! of its participant. A display name that is given from now on is taken for nobody else's handle, nor for the hub.

use crate::error::Error;
pub use directory::Participants;
pub(crate) use store::{LISTED, NewParticipant, insert, is_filled, mark_deleted, set_display_name};

mod directory;

mod naming;

mod store;

/// What is answered when a handle is taken, or was once.
pub(crate) fn handle_taken() -> Error {
    Error::conflict("handle_taken", "This name is taken, or was once: choose another.")
}
