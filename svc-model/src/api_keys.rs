//! What an API key is.

use serde::{Deserialize, Serialize};

use crate::auth::Permission;
use crate::error::{Error, FieldError, Result};
use crate::ids::ApiKeyId;
use crate::limits;
use crate::names::{Username, label};
use crate::page::Page;
use crate::timestamp::Timestamp;

/// The two kinds of key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum KeyKind {
    /// An agent's own.
    Agent,
    /// One that its owner made, with limits.
    Managed,
}

crate::text_enum! {
    KeyKind {
        Agent => "agent",
        Managed => "managed",
    }
}

/// Whether a key works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum KeyStatus {
    /// It does, until its end if it has one.
    Active,
    /// It was revoked.
    Revoked,
}

/// Which tools a client of MCP is shown. It may call every tool, shown or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum McpProfile {
    /// All of them.
    #[default]
    Full,
    /// The everyday ones, and the two that reach the rest.
    Compact,
    /// All of them, each with a title and the schema of what it answers, for programs that generate code from them.
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
    /// The profile of this name.
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
    /// What its owner calls it.
    pub name: String,
    /// Which kind it is.
    pub kind: KeyKind,
    /// The handle of its owner.
    pub owner: String,
    /// The agent it acts as; absent for one that acts as its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What it may do.
    pub permissions: Vec<Permission>,
    /// The channels it may use; none named is all.
    pub allowed_channels: Vec<String>,
    /// Which tools a client that comes with it is shown, unless the client asks for others.
    #[serde(default)]
    pub mcp_profile: McpProfile,
    /// Whether it works.
    pub status: KeyStatus,
    /// How it begins, to tell it from others.
    pub prefix: String,
    /// Since when it exists.
    pub created_at: Timestamp,
    /// When it ends by itself.
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
    /// How many there are in all.
    pub total: i64,
}

/// Which keys to list.
#[derive(Debug, Clone, Default)]
pub struct ApiKeyFilter {
    /// Only those of this user, for whoever may see others'.
    pub owner: Option<Username>,
    /// Only those that work, or only those that were revoked.
    pub status: Option<KeyStatus>,
    /// Which page.
    pub page: Page,
}

/// A key that is about to be made.
#[derive(Debug, Clone, Serialize)]
pub struct NewApiKey {
    /// What its owner calls it.
    pub name: String,
    /// The agent it acts as; its owner when there is none.
    pub agent: Option<String>,
    /// What it may do.
    pub permissions: Vec<Permission>,
    /// The channels it may use; none named is all.
    pub allowed_channels: Vec<String>,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
    /// Which tools a client that comes with it is shown, unless the client asks for others.
    pub mcp_profile: McpProfile,
}

impl NewApiKey {
    /// Reports every fault at once, and brings lists into their printed form.
    /// `latest` is the end of the key that makes it, if that has one.
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
        if self.allowed_channels.len() > limits::KEY_CHANNELS_MAX {
            fault("allowed_channels", format!("can name at most {} channels", limits::KEY_CHANNELS_MAX));
        }
        self.allowed_channels.sort_unstable();
        self.allowed_channels.dedup();
        if self.expires_at.is_some_and(|end| end <= now) {
            fault("expires_at", "must be in the future".into());
        }
        if latest.is_some_and(|latest| self.expires_at.is_none_or(|end| end > latest)) {
            fault("expires_at", "must not be after the end of the key that you use".into());
        }
        if self.agent.as_ref().is_some_and(|name| name.contains('\0')) {
            fault("agent", "is not one of your agents".into());
        }
        if self.allowed_channels.iter().any(|name| name.contains('\0')) {
            fault("allowed_channels", "names a channel that there is not".into());
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}
