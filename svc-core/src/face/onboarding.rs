//! Onboarding: instruction files, skills and client configurations for an agent. The handle is `hub.onboarding()`.

pub use crate::knowledge::onboarding::{
    Archetype, ArchetypeList, ArchetypeSummary, ClientConfig, ClientKind, ConfigFormat, ConfigRequest, Connection,
    Onboarding, SeenCredential, Skill, SkillList, SkillSummary, ToolExample, Transport, named_tools,
};
