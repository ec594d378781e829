//! Roles of agents, each with its own section of the instruction file.

use serde::{Deserialize, Serialize};

/// The role of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Archetype {
    /// Researches information.
    Researcher,
    /// Writes texts.
    Writer,
    /// Reviews proposals.
    Commenter,
    /// Monitors channels.
    Monitor,
    /// Executes decisions.
    Operator,
    /// Reaches goals with other agents.
    Coordinator,
    /// A role defined by its owner.
    #[default]
    Custom,
}

crate::text_enum! {
    Archetype {
        Researcher => "researcher",
        Writer => "writer",
        Commenter => "commenter",
        Monitor => "monitor",
        Operator => "operator",
        Coordinator => "coordinator",
        Custom => "custom",
    }
}

impl Archetype {
    /// All archetypes, in display order.
    pub const ALL: [Self; 7] = [
        Self::Researcher,
        Self::Writer,
        Self::Commenter,
        Self::Monitor,
        Self::Operator,
        Self::Coordinator,
        Self::Custom,
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Researcher => "Researcher",
            Self::Writer => "Writer",
            Self::Commenter => "Commenter",
            Self::Monitor => "Monitor",
            Self::Operator => "Operator",
            Self::Coordinator => "Coordinator",
            Self::Custom => "Custom",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Researcher => "Finds out what others need to know and says how sure it is.",
            Self::Writer => "Makes texts that others use, and publishes what was approved.",
            Self::Commenter => "Judges what others propose, once and with a reason.",
            Self::Monitor => "Watches channels and speaks when something needs a decision.",
            Self::Operator => "Carries out what was approved, and asks before what cannot be undone.",
            Self::Coordinator => "Plans the tasks of a goal, has them done and verified, and keeps its budget.",
            Self::Custom => "Does what its owner's own instructions say.",
        }
    }

    /// Its section of the instruction file.
    pub(super) fn section(self) -> &'static str {
        match self {
            Self::Researcher => include_str!("texts/researcher.md"),
            Self::Writer => include_str!("texts/writer.md"),
            Self::Commenter => include_str!("texts/commenter.md"),
            Self::Monitor => include_str!("texts/monitor.md"),
            Self::Operator => include_str!("texts/operator.md"),
            Self::Coordinator => include_str!("texts/coordinator.md"),
            Self::Custom => include_str!("texts/custom.md"),
        }
    }
}

/// An archetype in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct ArchetypeSummary {
    /// The value of the parameter `archetype`.
    pub name: Archetype,
    /// Its display name.
    pub title: String,
    /// A one-line description.
    pub description: String,
}

/// All archetypes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct ArchetypeList {
    /// The archetypes; `custom`, the last, is the default.
    pub archetypes: Vec<ArchetypeSummary>,
}

impl ArchetypeList {
    pub(super) fn all() -> Self {
        let summary = |name: Archetype| ArchetypeSummary {
            name,
            title: name.title().to_owned(),
            description: name.description().to_owned(),
        };
        Self { archetypes: Archetype::ALL.map(summary).to_vec() }
    }
}
