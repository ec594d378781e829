//! What a participant is: a person, an agent, or the hub.

use serde::{Deserialize, Serialize};

use crate::page::Page;

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

/// A handle that no participant may take: the hub keeps it for the starter of runs.
pub const REACTIVE_HANDLE: &str = "reactive";

crate::row! {
    /// Somebody who can be written to.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct Participant {
        /// The handle to write to.
        pub handle: String,
        /// What it is.
        pub kind: ParticipantKind,
        /// Its name for people to read.
        pub display_name: String,
        /// For an agent, the handle of the human it belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub owner: Option<String>,
    }
}

/// A page of participants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ParticipantPage {
    /// The participants, by handle.
    pub participants: Vec<Participant>,
    /// How many there are in all.
    pub total: i64,
}

/// Whom to list.
#[derive(Debug, Clone, Default)]
pub struct ParticipantFilter {
    /// Only those whose handle or name contains this.
    pub q: Option<String>,
    /// Only these.
    pub kind: Option<ParticipantKind>,
    /// Only those whose handles come after this one.
    pub after: Option<String>,
    /// Which page.
    pub page: Page,
}
