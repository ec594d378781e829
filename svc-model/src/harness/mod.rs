//! Harnesses: how the hub runs an agent, and what a run reports.
//!
//! Invariants: settings that pass [`HarnessSettings::checked`] can be run, apart from what only the machine knows
//! (whether a command exists, or an address is allowed); a report is bounded in every field.

mod check;
mod report;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::limits;

pub(crate) use check::is_variable;
pub use check::{is_inner_path, placeholders};
pub use report::{Prices, ReportedUsage, RunFailure, RunReport, Usage, micros};

/// Where and how a run takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum HarnessBackend {
    /// A command on the machine of the hub.
    #[default]
    Subprocess,
    /// A container, through the command `docker` or `podman`.
    Docker,
    /// A job of a Kubernetes cluster.
    K8s,
    /// A signed request to a URL.
    Webhook,
}

crate::text_enum! {
    HarnessBackend { Subprocess => "subprocess", Docker => "docker", K8s => "k8s", Webhook => "webhook" }
}

/// A program whose arguments and output the hub knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum HarnessPreset {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
}

crate::text_enum! {
    HarnessPreset { Claude => "claude", Codex => "codex", Gemini => "gemini", Opencode => "opencode" }
}

/// What becomes of the text that a run answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReplyMode {
    /// It is posted as the agent's reply, unless the run sent a message itself.
    #[default]
    Auto,
    /// It is only recorded.
    Never,
}

crate::text_enum! { ReplyMode { Auto => "auto", Never => "never" } }

/// What a run is expected to cost; so much is reserved before it starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(default, deny_unknown_fields)]
pub struct RunEstimate {
    /// Dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Tokens, input and output together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<i64>,
}

/// How the hub runs an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(default, deny_unknown_fields)]
pub struct HarnessSettings {
    /// Where a run takes place.
    pub backend: HarnessBackend,
    /// A program whose arguments and output the hub knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<HarnessPreset>,
    /// The command: a name to be found in `PATH`, or a path. The preset has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The URL that a run is posted to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The image of a container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Arguments, after those of the preset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Variables of the environment. They are shown to everybody who sees the agent; secrets are set elsewhere.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The time limit of a run, in seconds.
    pub timeout_seconds: u32,
    /// The template of the prompt; the hub has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What becomes of the text that a run answers with.
    pub reply: ReplyMode,
    /// The memory of a run, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u32>,
    /// Files that are laid into the work directory: their paths and their text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Further MCP servers beside the hub, by name, in the form of `mcpServers`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mcp_servers: BTreeMap<String, Value>,
    /// Prices of tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// What a run is expected to cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<RunEstimate>,
    /// A run that has cost more dollars than this is ended, as far as it reports them while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_usd: Option<f64>,
    /// A run that has used more tokens than this is ended, as far as it reports them while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<i64>,
}

impl Default for HarnessSettings {
    fn default() -> Self {
        Self {
            backend: HarnessBackend::default(),
            preset: None,
            command: None,
            url: None,
            image: None,
            args: Vec::new(),
            env: BTreeMap::new(),
            timeout_seconds: limits::RUN_SECONDS,
            prompt: None,
            reply: ReplyMode::default(),
            memory_mb: None,
            files: BTreeMap::new(),
            mcp_servers: BTreeMap::new(),
            prices: None,
            estimate: None,
            max_usd: None,
            max_tokens: None,
        }
    }
}

/// What a template may contain, written `{{name}}`.
pub const PLACEHOLDERS: [&str; 7] = ["agent", "run_id", "messages", "thread", "budget", "request", "how_to_answer"];

/// Files that the hub lays into the work directory itself.
pub const RESERVED_FILES: [&str; 7] =
    ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".mcp.json", "prompt.md", "messages.json", "result.json"];

/// The name of the hub among the MCP servers of a run.
pub const HUB_SERVER: &str = "svc";
