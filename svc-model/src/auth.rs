//! The identity and the permissions of a caller.

use serde::{Deserialize, Serialize};

use crate::api_keys::McpProfile;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// The permissions of a managed key. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Permission {
    /// Read messages, channels and other resources.
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

/// The identity of the caller, as returned by the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Identity {
    /// The handle under which it acts.
    pub handle: String,
    /// The kind of that participant.
    pub kind: ParticipantKind,
    /// The handle of the human for whom it acts.
    pub owner: String,
    /// Its permissions.
    pub permissions: Vec<Permission>,
    /// The channels that it may use; an empty list means all.
    pub allowed_channels: Vec<String>,
    /// When its credential expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The tools that it sees over MCP by default.
    pub mcp_profile: McpProfile,
}
