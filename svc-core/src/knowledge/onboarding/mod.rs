//! Onboarding: instruction file, skills, client configurations and connection state for an agent
//! and its owner.
//!
//! Invariants:
//! - The owner of an agent, the agent itself and the admin socket have access; for others the agent
//!   does not exist.
//! - A key is included in a configuration only after it was verified to act as that agent, and
//!   verifying it does not count as a use.
//! - The texts write every tool call in one form, `name {"argument": …}` in inline code, which
//!   [`named_tools`] extracts, so that a test can run every example.

mod address;
mod agent_md;
mod archetypes;
mod client_config;
mod connection;
mod examples;
mod service;
mod skills;
mod store;

pub use archetypes::{Archetype, ArchetypeList, ArchetypeSummary};
pub use client_config::{ClientConfig, ClientKind, ConfigFormat, ConfigRequest, Transport};
pub use connection::{Connection, SeenCredential};
pub use examples::{ToolExample, named_tools};
pub use service::Onboarding;
pub use skills::{Skill, SkillList, SkillSummary};
pub(crate) use store::LISTED;
