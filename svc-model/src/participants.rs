//! Participants: humans, agents, and the hub itself.

use serde::{Deserialize, Serialize};

use crate::page::Page;

/// The kind of a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ParticipantKind {
    /// A human.
    Human,
    /// A program that acts for a human.
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

/// A reserved handle: the hub uses it for the component that starts agent runs.
pub const REACTIVE_HANDLE: &str = "reactive";

crate::row! {
    /// A participant that can receive messages.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct Participant {
        /// Its handle.
        pub handle: String,
        /// Its kind.
        pub kind: ParticipantKind,
        /// Its display name.
        pub display_name: String,
        /// For an agent, the handle of its owner.
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
    /// The total number of participants.
    pub total: i64,
}

/// The filter of a list of participants.
#[derive(Debug, Clone, Default)]
pub struct ParticipantFilter {
    /// Only participants whose handle or display name contains this.
    pub q: Option<String>,
    /// Only participants of this kind.
    pub kind: Option<ParticipantKind>,
    /// Only participants whose handles sort after this one.
    pub after: Option<String>,
    /// The page.
    pub page: Page,
}
