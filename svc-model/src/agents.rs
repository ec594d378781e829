//! Agents and their settings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api_keys::McpProfile;
use crate::error::{Error, FieldError, Result};
use crate::governance::{Budget, PausedReason};
use crate::harness::HarnessSettings;
use crate::ids::AgentId;
use crate::limits;
use crate::names::{AgentName, Username, display_name};
use crate::object::object_or_none;
use crate::page::Page;
use crate::text::holds_nul;
use crate::timestamp::Timestamp;

/// The condition under which the hub runs an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum TriggerMode {
    /// Never: the agent fetches its messages itself.
    Passive,
    /// When it receives a direct message or is mentioned.
    Reactive,
    /// Never, and no pending work is recorded either.
    Disabled,
}

crate::text_enum! {
    TriggerMode {
        Passive => "passive",
        Reactive => "reactive",
        Disabled => "disabled",
    }
}

crate::row! {
    /// An agent.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct Agent {
        /// Its id.
        pub id: AgentId,
        /// Its handle.
        pub name: String,
        /// Its display name.
        pub display_name: String,
        /// The handle of its owner.
        pub owner: String,
        /// The condition under which the hub runs it.
        pub trigger_mode: TriggerMode,
        /// The pause between two of its runs, in seconds.
        pub cooldown_seconds: u32,
        /// The maximum number of runs per day.
        pub daily_run_budget: u32,
        /// The limits of what its runs may cost; absent when there are none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub budget: Option<Budget>,
        /// The maximum depth of a chain of triggers in which it is run.
        pub max_trigger_depth: u32,
        /// The container image that its cluster jobs run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub k8s_image: Option<String>,
        /// The configuration of its runtime: a JSON object.
        pub harness: Value,
        /// Its instruction file.
        pub agent_md: String,
        /// Whether work is pending for its next run.
        pub pending_work: bool,
        /// When it was quarantined; absent when it is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub quarantined_at: Option<Timestamp>,
        /// When it was paused; absent when it is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub paused_at: Option<Timestamp>,
        /// The reason why it is paused; absent when it is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub paused_reason: Option<PausedReason>,
        /// The tools that a client with its own key sees over MCP; absent when it has had no key for long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mcp_profile: Option<McpProfile>,
        /// When it was created.
        pub created_at: Timestamp,
        /// When it was last changed.
        pub updated_at: Timestamp,
    }
}

/// A page of agents.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct AgentPage {
    /// The agents, by name.
    pub agents: Vec<Agent>,
    /// The total number of agents.
    pub total: i64,
}

/// The filter of a list of agents.
#[derive(Debug, Clone, Default)]
pub struct AgentFilter {
    /// Only agents of this user, for callers that may see those of others.
    pub owner: Option<Username>,
    /// The page.
    pub page: Page,
}

/// The request to create an agent.
#[derive(Debug, Clone, Serialize)]
pub struct NewAgent {
    /// Its handle.
    #[serde(serialize_with = "as_text")]
    pub name: AgentName,
    /// Its owner; the caller by default. Required on the admin socket.
    #[serde(serialize_with = "as_optional_text")]
    pub owner: Option<Username>,
    /// The initial settings.
    pub settings: AgentSettings,
}

impl NewAgent {
    /// An agent of the caller with default settings.
    pub fn named(name: &str) -> Result<Self> {
        Ok(Self { name: name.parse()?, owner: None, settings: AgentSettings::default() })
    }

    /// Sets the owner. A program that creates agents as root has to name one.
    pub fn owned_by(mut self, username: &str) -> Result<Self> {
        self.owner = Some(Username::parse("owner", username)?);
        Ok(self)
    }
}

/// Serializes a name as it was written, for the fingerprint of a request.
fn as_text<S: serde::Serializer>(name: &AgentName, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(name)
}

#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn as_optional_text<S: serde::Serializer>(
    name: &Option<Username>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    name.as_ref().map(Username::as_str).serialize(serializer)
}

/// The settings of an agent. A field that is `None` stays unchanged, or gets its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct AgentSettings {
    /// Its display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The condition under which the hub runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger_mode: Option<TriggerMode>,
    /// The pause between two of its runs, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooldown_seconds: Option<u32>,
    /// The maximum number of runs per day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daily_run_budget: Option<u32>,
    /// The limits of what its runs may cost; an empty object removes them.
    #[serde(default, deserialize_with = "object_or_none", skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// The maximum depth of a chain of triggers in which it is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_trigger_depth: Option<u32>,
    /// The container image that its cluster jobs run; an empty text removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k8s_image: Option<String>,
    /// The configuration of its runtime: a JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Value>,
    /// Its instruction file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_md: Option<String>,
    /// Pauses or resumes it. Resuming one whose budget is used up adds the limits once more for this period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<bool>,
    /// Only `false` is allowed: lifts its quarantine. Earlier entries of its reputation no longer count then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quarantined: Option<bool>,
    /// The tools that a client with its own key sees over MCP by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_profile: Option<McpProfile>,
}

impl AgentSettings {
    /// Reports all invalid fields at once, and trims text fields.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        let mut fault = |field: &str, message: String| faults.push(FieldError { field: field.into(), message });
        if let Some(text) = self.display_name.take() {
            match display_name("display_name", &text) {
                Ok(text) => self.display_name = Some(text),
                Err(error) => fault("display_name", error.fields()[0].message.clone()),
            }
        }
        for (field, value, most) in [
            ("cooldown_seconds", self.cooldown_seconds, limits::AGENT_COOLDOWN_MAX),
            ("daily_run_budget", self.daily_run_budget, limits::AGENT_DAILY_RUNS_MAX),
            ("max_trigger_depth", self.max_trigger_depth, limits::AGENT_TRIGGER_DEPTH_MAX),
        ] {
            if value.is_some_and(|value| value > most) {
                fault(field, format!("must be 0 to {most}"));
            }
        }
        if self.k8s_image.as_ref().is_some_and(|image| !is_image(image)) {
            fault("k8s_image", "must be the name of an image, such as registry.example.org/agent:1".into());
        }
        if let Some(harness) = &self.harness
            && !is_harness(harness)
        {
            fault("harness", format!("must be a JSON object of at most {} bytes, without NUL", limits::HARNESS_MAX));
        } else if let Some(harness) = self.harness.as_ref().filter(|harness| **harness != Value::Object(Map::new()))
            && let Err(error) = HarnessSettings::from_json(harness)
        {
            for found in error.fields() {
                fault(&found.field, found.message.clone());
            }
        }
        if self.agent_md.as_ref().is_some_and(|text| text.len() > limits::AGENT_MD_MAX || text.contains('\0')) {
            fault("agent_md", format!("must be at most {} bytes, without NUL", limits::AGENT_MD_MAX));
        }
        if self.quarantined == Some(true) {
            fault("quarantined", "can only be set to false: quarantine follows from an agent's reputation".into());
        }
        faults.extend(self.budget.iter().flat_map(Budget::faults));
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

fn is_harness(value: &Value) -> bool {
    let text = value.to_string();
    value.is_object() && text.len() <= limits::HARNESS_MAX && !holds_nul(value)
}

/// Whether a text is empty or can be the name of an image: visible letters without spaces or quotes.
fn is_image(text: &str) -> bool {
    text.len() <= limits::IMAGE_MAX
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./:@_-".contains(&byte))
}
