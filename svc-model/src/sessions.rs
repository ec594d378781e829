//! What a session is.

use serde::{Deserialize, Serialize};

use crate::ids::SessionId;
use crate::timestamp::Timestamp;

/// A login of the account that asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Session {
    /// Its id, by which it can be ended. It is no credential.
    pub id: SessionId,
    /// From where the login came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_ip: Option<String>,
    /// What the browser calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Since when.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub seen_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// The logins of an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SessionList {
    /// The sessions, newest first.
    pub sessions: Vec<Session>,
    /// How many there are.
    pub total: i64,
}
