//! Login sessions.

use serde::{Deserialize, Serialize};

use crate::ids::SessionId;
use crate::timestamp::Timestamp;

/// A login session of the caller's account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Session {
    /// Its id, by which it can be ended. It is not a credential.
    pub id: SessionId,
    /// The IP address of the login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_ip: Option<String>,
    /// The `User-Agent` of the browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub seen_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether this is the session of the request.
    pub current: bool,
}

/// The sessions of an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SessionList {
    /// The sessions, newest first.
    pub sessions: Vec<Session>,
    /// The number of sessions.
    pub total: i64,
}
