//! API keys.

use serde::{Deserialize, Serialize};

use crate::auth::Permission;
use crate::error::{Error, FieldError, Result};
use crate::ids::ApiKeyId;
use crate::limits;
use crate::names::{Username, label};
use crate::page::Page;
use crate::timestamp::Timestamp;

/// The kind of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum KeyKind {
    /// An agent's own key.
    Agent,
    /// A key that its owner created, with limits.
    Managed,
}

crate::text_enum! {
    KeyKind {
        Agent => "agent",
        Managed => "managed",
    }
}

/// The status of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum KeyStatus {
    /// The key is valid until it expires, if it does.
    Active,
    /// The key was revoked.
    Revoked,
}

/// The set of tools that an MCP client sees. It may call every tool, listed or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum McpProfile {
    /// All tools.
    #[default]
    Full,
    /// The most common tools, and the two that reach the rest.
    Compact,
    /// All tools, each with a title and an output schema, for programs that generate code from them.
    Typed,
}

crate::text_enum! {
    McpProfile {
        Full => "full",
        Compact => "compact",
        Typed => "typed",
    }
}

impl McpProfile {
    /// The profile with this name.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Full, Self::Compact, Self::Typed].into_iter().find(|profile| profile.as_str() == word)
    }
}

/// A key without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// Its display name.
    pub name: String,
    /// Its kind.
    pub kind: KeyKind,
    /// The handle of its owner.
    pub owner: String,
    /// The agent as which it acts; absent when it acts as its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its permissions.
    pub permissions: Vec<Permission>,
    /// The channels that it may use; an empty list means all.
    pub allowed_channels: Vec<String>,
    /// The tools that a client with this key sees over MCP by default.
    #[serde(default)]
    pub mcp_profile: McpProfile,
    /// Its status.
    pub status: KeyStatus,
    /// Its first characters, to identify it.
    pub prefix: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// A page of keys.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ApiKeyPage {
    /// The keys, newest first.
    pub keys: Vec<ApiKey>,
    /// The total number of keys.
    pub total: i64,
}

/// The filter of a list of keys.
#[derive(Debug, Clone, Default)]
pub struct ApiKeyFilter {
    /// Only keys of this user, for callers that may see those of others.
    pub owner: Option<Username>,
    /// Only active keys, or only revoked ones.
    pub status: Option<KeyStatus>,
    /// The page.
    pub page: Page,
}

/// The request to create a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "CreateKey"))]
#[serde(deny_unknown_fields)]
pub struct NewApiKey {
    /// Name of the key, for your own use.
    pub name: String,
    /// The agent it acts as; you when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Permissions; each includes those before it.
    pub permissions: Vec<Permission>,
    /// Channels that it may use; all when absent or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_channels: Option<Vec<String>>,
    /// Expiry; never when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Tools that MCP clients with this key see by default; `full` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_profile: Option<McpProfile>,
}

impl NewApiKey {
    /// Reports all invalid fields at once, and normalizes lists. `latest` is the expiry of the key that makes
    /// the request, if it has one.
    pub fn checked(mut self, now: Timestamp, latest: Option<Timestamp>) -> Result<Self> {
        let mut faults = Vec::new();
        let mut fault = |field: &str, message: String| faults.push(FieldError { field: field.into(), message });
        match label("name", &self.name, limits::KEY_NAME_MAX) {
            Ok(name) => self.name = name,
            Err(error) => fault("name", error.fields()[0].message.clone()),
        }
        if self.permissions.is_empty() {
            fault("permissions", "must name at least one of read, write, admin".into());
        }
        self.permissions.sort_unstable();
        self.permissions.dedup();
        if let Some(channels) = &mut self.allowed_channels {
            if channels.len() > limits::KEY_CHANNELS_MAX {
                fault("allowed_channels", format!("can name at most {} channels", limits::KEY_CHANNELS_MAX));
            }
            if channels.iter().any(|name| name.contains('\0')) {
                fault("allowed_channels", "names an unknown channel; see GET /api/channels".into());
            }
            channels.sort_unstable();
            channels.dedup();
        }
        if self.expires_at.is_some_and(|end| end <= now) {
            fault("expires_at", "must be in the future".into());
        }
        if latest.is_some_and(|latest| self.expires_at.is_none_or(|end| end > latest)) {
            fault("expires_at", "must not be after the expiry of the key that you use".into());
        }
        if self.agent.as_ref().is_some_and(|name| name.contains('\0')) {
            fault("agent", "is not one of your agents".into());
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}
