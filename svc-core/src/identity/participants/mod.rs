//! Participants: everything that can send or receive, under one handle each.
//!
//! What always holds: a handle is unique without regard to case, among humans, agents and the
//! system together, and is never given again after a deletion. A user's or an agent's id is the id
//! of its participant. A display name that is given from now on is taken for nobody else's handle, nor for the hub.

mod directory;
mod naming;
mod store;

use serde::{Deserialize, Serialize};

pub use directory::{Participant, ParticipantFilter, ParticipantPage, Participants};
pub(crate) use store::{LISTED, NewParticipant, insert, is_filled, mark_deleted, set_display_name};

use crate::error::Error;

/// What a participant is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ParticipantKind {
    /// A person.
    Human,
    /// A program that acts for a person.
    Agent,
    /// The hub itself.
    System,
}

crate::text_enum! {
    ParticipantKind {
        Human => "human",
        Agent => "agent",
        System => "system",
    }
}

/// The handle of the hub itself.
pub const SYSTEM_HANDLE: &str = "system";

/// What is answered when a handle is taken, or was once.
pub(crate) fn handle_taken() -> Error {
    Error::conflict("handle_taken", "This name is taken, or was once: choose another.")
}
