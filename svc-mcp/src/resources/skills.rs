//! `svc://skills/{name}`: skills, Markdown instructions that an agent reads on demand.

use rmcp::model::{Resource, ResourceTemplate};
use svc_core::{Caller, Hub, Result};

use super::MARKDOWN;
use super::uri::Address;

/// URI template of skills.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new("svc://skills/{name}", "skill")
        .with_title("Skill")
        .with_description("Instructions for work on this hub that takes several tools.")
        .with_mime_type(MARKDOWN)
}

/// All skills.
pub(super) fn list(hub: &Hub, caller: &Caller) -> Result<Vec<Resource>> {
    let skills = hub.onboarding().skills(caller)?.skills;
    Ok(skills
        .into_iter()
        .map(|skill| {
            Resource::new(Address::Skill(skill.name.clone()).print(), skill.name)
                .with_description(skill.description)
                .with_mime_type(MARKDOWN)
        })
        .collect())
}

/// A skill by name.
pub(super) fn read(hub: &Hub, caller: &Caller, name: &str) -> Result<String> {
    Ok(hub.onboarding().skill(caller, name)?.text.to_owned())
}
