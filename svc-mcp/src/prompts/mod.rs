//! Prompts: one message each, in Markdown, with current data of the hub.
//!
//! Invariants:
//! - A prompt queries the hub as its caller and shows only data that the caller may see; data that needs more
//!   permissions is marked as visible to the owner only.
//! - A prompt takes at most [`limits::PROMPT_MAX`](svc_core::limits::PROMPT_MAX) bytes. Items that do not fit are
//!   omitted as a whole, and their number is reported (see [`page`]).
//! - Text by others is quoted, with its author and the author's trust beside it.

mod channel_overview;
mod daily_digest;
mod debug_agent;
mod figures;
mod health_check;
mod page;
mod quote;

use rmcp::model::{
    CacheScope, GetPromptRequestParams, GetPromptResult, JsonObject, ListPromptsResult, Prompt, PromptArgument,
    PromptMessage, Role,
};
use serde_json::Value;
use svc_core::{Caller, Error, FieldError, Hub, Result};

use figures::Viewer;

/// Cache lifetime of content that is the same for every caller, in milliseconds.
const SAME_FOR_ALL: u64 = 3_600_000;

/// Definition of a prompt.
struct Offered {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Tools that return the same content. An agent that may not call them may not read the prompt.
    tools: &'static [&'static str],
    /// Name and description of the argument, and whether it is required.
    argument: Option<(&'static str, &'static str, bool)>,
}

const OFFERED: [Offered; 4] = [
    Offered {
        name: "daily-digest",
        title: "Daily digest",
        description: "Pending work, activity in the last 24 hours and stalled messages, with figures.",
        tools: &["my_status", "read_inbox", "list_by_state"],
        argument: None,
    },
    Offered {
        name: "agent-health-check",
        title: "Agent health check",
        description: "The state of your agents: work, failures, trust and whether they may run.",
        tools: &["my_status", "get_trust"],
        argument: None,
    },
    Offered {
        name: "channel-overview",
        title: "Channel overview",
        description: "A channel with its states and newest messages, or all channels when none is named.",
        tools: &["list_channels", "get_channel_messages"],
        argument: Some(("channel", "The name of a channel; all channels when left out.", false)),
    },
    Offered {
        name: "debug-agent",
        title: "Debug an agent",
        description: "One agent in depth: settings, work, failures by action, trust and messages.",
        tools: &["my_status", "get_trust", "search_messages"],
        argument: Some(("agent_name", "The name of one of your agents.", true)),
    },
];

impl Offered {
    fn prompt(&self) -> Prompt {
        let arguments = self.argument.map(|(name, description, required)| {
            vec![PromptArgument::new(name).with_description(description).with_required(required)]
        });
        Prompt::new(self.name, Some(self.description), arguments).with_title(self.title)
    }

    /// Fails unless the caller may call the tools of this prompt.
    fn require(&self, caller: &Caller) -> Result<()> {
        self.tools.iter().try_for_each(|tool| caller.require_tool(tool))
    }

    /// Reads the value of the argument; any other argument results in an error that names it.
    fn read(&self, arguments: JsonObject) -> Result<Option<String>> {
        let known = self.argument.map(|(name, ..)| name);
        let mut value = None;
        let mut faults = Vec::new();
        for (name, given) in arguments {
            match given {
                Value::Null => {}
                Value::String(text) if Some(name.as_str()) == known => value = Some(text.trim().to_owned()),
                _ if Some(name.as_str()) == known => {
                    faults.push(FieldError { field: name, message: "must be a string".into() });
                }
                _ => faults.push(FieldError { message: format!("is not an argument of {}", self.name), field: name }),
            }
        }
        let value = value.filter(|text| !text.is_empty());
        if let (Some((name, description, true)), None) = (self.argument, &value)
            && faults.is_empty()
        {
            faults.push(FieldError { field: name.into(), message: format!("is missing. {description}") });
        }
        if faults.is_empty() { Ok(value) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// Whether a prompt has this argument.
pub(crate) fn takes(prompt: &str, argument: &str) -> bool {
    OFFERED.iter().any(|offered| offered.name == prompt && offered.argument.is_some_and(|(name, ..)| name == argument))
}

/// Whether the caller may read a prompt.
pub(crate) fn is_allowed(prompt: &str, caller: &Caller) -> bool {
    OFFERED.iter().any(|offered| offered.name == prompt && offered.require(caller).is_ok())
}

/// The prompts that the caller may read, in a fixed order.
pub(crate) fn list(caller: &Caller) -> ListPromptsResult {
    let allowed = OFFERED.iter().filter(|offered| offered.require(caller).is_ok());
    ListPromptsResult::with_all_items(allowed.map(Offered::prompt).collect())
        .with_ttl_ms(SAME_FOR_ALL)
        .with_cache_scope(CacheScope::Private)
}

/// Renders a prompt with current data.
pub(crate) async fn get(hub: &Hub, caller: &Caller, request: GetPromptRequestParams) -> Result<GetPromptResult> {
    let Some(offered) = OFFERED.iter().find(|offered| offered.name == request.name) else {
        return Err(unknown(&request.name));
    };
    offered.require(caller)?;
    let argument = offered.read(request.arguments.unwrap_or_default())?;
    let viewer = Viewer { hub, caller };
    let page = match (offered.name, argument) {
        ("daily-digest", _) => daily_digest::page(&viewer).await?,
        ("agent-health-check", _) => health_check::page(&viewer).await?,
        ("channel-overview", Some(channel)) => channel_overview::one(&viewer, &channel).await?,
        ("channel-overview", None) => channel_overview::all(&viewer).await?,
        ("debug-agent", Some(agent)) => debug_agent::page(&viewer, &agent).await?,
        _ => return Err(unknown(offered.name)),
    };
    let message = PromptMessage::new_text(Role::User, page.print());
    Ok(GetPromptResult::new(vec![message]).with_description(offered.description))
}

fn unknown(name: &str) -> Error {
    let shown: String = name.chars().take(80).collect();
    let names: Vec<&str> = OFFERED.iter().map(|offered| offered.name).collect();
    Error::invalid("name", format!("no prompt named {shown:?}; prompts: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(prompt: &str, arguments: Value) -> Result<Option<String>> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        OFFERED.iter().find(|offered| offered.name == prompt).unwrap().read(arguments)
    }

    #[test]
    fn arguments_are_taken_by_name_and_others_are_refused() {
        assert_eq!(read("debug-agent", json!({ "agent_name": " scout " })).unwrap().as_deref(), Some("scout"));
        assert_eq!(read("channel-overview", json!({ "channel": "" })).unwrap(), None);
        assert_eq!(read("channel-overview", json!({ "channel": null })).unwrap(), None);
        for (prompt, arguments, field) in [
            ("debug-agent", json!({}), "agent_name"),
            ("debug-agent", json!({ "agent_name": 5 }), "agent_name"),
            ("debug-agent", json!({ "agent_name": "  " }), "agent_name"),
            ("debug-agent", json!({ "agent_name": "scout", "verbose": "yes" }), "verbose"),
            ("daily-digest", json!({ "channel": "general" }), "channel"),
        ] {
            assert_eq!(read(prompt, arguments).unwrap_err().fields()[0].field, field);
        }
    }
}
