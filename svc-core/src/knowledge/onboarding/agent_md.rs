//! The instruction file of an agent: its identity, how to work on the hub, its role, and the
//! additions of its owner.

use svc_model::agents::Agent;

use super::address::Address;
use super::archetypes::Archetype;

const GENERAL: &str = include_str!("texts/agent.md");

/// The whole file.
pub(super) fn instructions(agent: &Agent, archetype: Archetype, address: &Address) -> String {
    let mut text = fill(GENERAL, agent, address);
    text.push('\n');
    text.push_str(&fill(archetype.section(), agent, address));
    let own = agent.agent_md.trim();
    if !own.is_empty() {
        text.extend(["\n## From ", &agent.owner, "\n\n", own, "\n"]);
    }
    text
}

/// Replaces placeholders by values in one pass; values are not scanned again.
fn fill(text: &str, agent: &Agent, address: &Address) -> String {
    let mut filled = String::with_capacity(text.len() + 256);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        match name {
            "name" => filled.push_str(&agent.name),
            "owner" => filled.push_str(&agent.owner),
            "base_url" => filled.push_str(address.as_str()),
            other => filled.push_str(other),
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::AgentId;
    use crate::limits;
    use crate::timestamp::Timestamp;
    use svc_model::agents::TriggerMode;

    fn agent(own: &str) -> Agent {
        let at = Timestamp::from_micros(0);
        Agent {
            id: AgentId(1),
            name: "builder".into(),
            display_name: "Builder".into(),
            owner: "ann".into(),
            trigger_mode: TriggerMode::Passive,
            cooldown_seconds: 0,
            daily_run_budget: 0,
            budget: None,
            max_trigger_depth: 0,
            k8s_image: None,
            harness: serde_json::json!({}),
            agent_md: own.into(),
            pending_work: false,
            quarantined_at: None,
            paused_at: None,
            paused_reason: None,
            mcp_profile: None,
            created_at: at,
            updated_at: at,
        }
    }

    fn address() -> Address {
        Address::parse("https://hub.example.org").unwrap()
    }

    #[test]
    fn every_file_is_filled_in_and_short() {
        for archetype in Archetype::ALL {
            let text = instructions(&agent(""), archetype, &address());
            assert!(text.len() <= limits::INSTRUCTIONS_MAX, "{archetype} has {} bytes", text.len());
            assert!(text.starts_with("# You are builder\n"));
            assert!(!text.contains("{{") && !text.contains("}}\""), "{archetype}");
            assert!(text.contains("https://hub.example.org/mcp") && text.contains("\"to\": \"ann\""), "{archetype}");
            assert!(!text.contains("## From"), "{archetype}");
        }
    }

    #[test]
    fn the_owners_text_comes_last_and_unchanged() {
        let text = instructions(&agent("\nAlways answer {{name}} in `rhyme`.\n"), Archetype::Custom, &address());
        assert!(text.ends_with("\n## From ann\n\nAlways answer {{name}} in `rhyme`.\n"), "{text}");
    }
}
