//! What an entry of the audit log is.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::ids::{AuditId, UserId};
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditEvent {
    /// A human logged in.
    LoginSuccess,
    /// Somebody tried to, in vain.
    LoginFailure,
    /// A key or a token was made.
    TokenIssued,
    /// A token was exchanged for a newer one.
    TokenRefreshed,
    /// A key or a token was ended.
    TokenRevoked,
    /// A login began.
    SessionCreated,
    /// A login ended.
    SessionDestroyed,
    /// An account was made.
    UserCreated,
    /// An account got another role, or was disabled, enabled or deleted.
    UserChanged,
    /// An invitation was made.
    InviteCreated,
    /// A password was changed.
    PasswordChanged,
    /// An OAuth client was made or deleted.
    ClientChanged,
    /// A secret was set or removed.
    SecretChanged,
    /// Another registry of machine principals came into force.
    RegistryLoaded,
    /// A request in the name of a machine principal was refused.
    MachineRefused,
    /// What machine principals reported was forgotten.
    MachineEventsPurged,
}

crate::text_enum! {
    AuditEvent {
        LoginSuccess => "login_success",
        LoginFailure => "login_failure",
        TokenIssued => "token_issued",
        TokenRefreshed => "token_refreshed",
        TokenRevoked => "token_revoked",
        SessionCreated => "session_created",
        SessionDestroyed => "session_destroyed",
        UserCreated => "user_created",
        UserChanged => "user_changed",
        InviteCreated => "invite_created",
        PasswordChanged => "password_changed",
        ClientChanged => "client_changed",
        SecretChanged => "secret_changed",
        RegistryLoaded => "registry_loaded",
        MachineRefused => "machine_refused",
        MachineEventsPurged => "machine_events_purged",
    }
}

crate::row! {
    /// An entry of the log.
    #[derive(Debug, Clone, Serialize, serde::Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct AuditEntry {
        /// Its place in the log.
        pub id: AuditId,
        /// What happened; an open set of words.
        pub event: String,
        /// The account it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub user_id: Option<UserId>,
        /// That account's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub username: Option<String>,
        /// The OAuth client it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client_id: Option<String>,
        /// From where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub remote_ip: Option<String>,
        /// Through which door.
        pub surface: Surface,
        /// In which request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub request_id: Option<String>,
        /// What else is worth knowing, an object.
        pub details: Value,
        /// When.
        pub created_at: Timestamp,
    }
}

/// Which entries to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Only these events.
    pub event: Option<String>,
    /// Only about this account.
    pub username: Option<String>,
    /// Only from then on.
    pub since: Option<Timestamp>,
    /// Only before then.
    pub until: Option<Timestamp>,
    /// Only entries before this one, for the next page.
    pub before: Option<AuditId>,
    /// How many at most; `None` is the usual page.
    pub limit: Option<i64>,
}

/// How often each event happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct AuditStats {
    /// The event.
    pub event: String,
    /// How often.
    pub count: i64,
    /// When last.
    pub last_at: Timestamp,
}

impl AuditFilter {
    /// Refuses what can match nothing.
    pub fn check(&self) -> Result<()> {
        for (field, value) in [("event", &self.event), ("username", &self.username)] {
            if value.as_ref().is_some_and(|value| value.contains('\0')) {
                return Err(Error::invalid(field, "must not contain the NUL character"));
            }
        }
        match (self.since, self.until) {
            (Some(since), Some(until)) if since >= until => Err(Error::invalid("until", "must be after since")),
            _ => Ok(()),
        }
    }

    /// The words of the filter as the statement compares them.
    pub fn username_key(&self) -> Option<Cow<'_, str>> {
        self.username.as_deref().map(|name| name.to_ascii_lowercase().into())
    }
}
