//! Model types of auth.

use serde::{Deserialize, Serialize};

use crate::api_keys::McpProfile;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// What a managed key may do. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Permission {
    /// Look at things.
    Read,
    /// Send, react, claim, upload.
    Write,
    /// Manage the owner's agents, keys and settings.
    Admin,
}

crate::text_enum! {
    Permission {
        Read => "read",
        Write => "write",
        Admin => "admin",
    }
}

/// What a caller is told about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Identity {
    /// The handle it acts under.
    pub handle: String,
    /// What that is.
    pub kind: ParticipantKind,
    /// The human it acts for.
    pub owner: String,
    /// What it may do.
    pub permissions: Vec<Permission>,
    /// The channels it may use; none named is all.
    pub allowed_channels: Vec<String>,
    /// When its credential ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Which tools it is shown over MCP, unless it asks for others.
    pub mcp_profile: McpProfile,
}
