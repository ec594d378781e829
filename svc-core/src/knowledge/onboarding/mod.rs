//! Onboarding: what an agent and its owner need to begin. An instruction file, skills, ready
//! configurations of clients, and whether the agent has been seen.
//!
//! What always holds: an agent's owner (and whoever runs the server, and the agent itself) gets these,
//! for anybody else the agent is not there; a key is put into a configuration only after it proved to
//! act as that agent, and looking at it does not count as using it; the texts write every call of a tool
//! in one form, `name {"argument": …}` in inline code, which [`named_tools`] reads, so that a test can
//! make every call that they teach.

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
