//! Entries of the audit log.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::ids::{AuditId, UserId};
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// The kind of an audit entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AuditEvent {
    /// A human logged in.
    LoginSuccess,
    /// A login failed.
    LoginFailure,
    /// A key or a token was created.
    TokenIssued,
    /// A token was exchanged for a newer one.
    TokenRefreshed,
    /// A key or a token was revoked.
    TokenRevoked,
    /// A session began.
    SessionCreated,
    /// A session ended.
    SessionDestroyed,
    /// An account was created.
    UserCreated,
    /// The role of an account changed, or it was disabled, enabled or deleted.
    UserChanged,
    /// An invitation was created.
    InviteCreated,
    /// An invitation was revoked.
    InviteRevoked,
    /// A link to choose a new password was created; the old password ended.
    PasswordReset,
    /// A password was changed.
    PasswordChanged,
    /// An OAuth client was created or deleted.
    ClientChanged,
    /// A secret was set or removed.
    SecretChanged,
    /// A new registry of machine principals was loaded.
    RegistryLoaded,
    /// A request in the name of a machine principal was rejected.
    MachineRefused,
    /// Events of machine principals were purged.
    MachineEventsPurged,
    /// A webhook was created, changed or deleted, or its secret was rotated.
    WebhookChanged,
    /// An agent was quarantined, paused or warned of its budget, or such a state was lifted.
    AgentStateChanged,
    /// A loop between agents was held or lifted.
    LoopChanged,
    /// A handler of cluster jobs was registered or deleted.
    HandlerChanged,
    /// A message was deleted.
    MessageDeleted,
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
        InviteRevoked => "invite_revoked",
        PasswordReset => "password_reset",
        PasswordChanged => "password_changed",
        ClientChanged => "client_changed",
        SecretChanged => "secret_changed",
        RegistryLoaded => "registry_loaded",
        MachineRefused => "machine_refused",
        MachineEventsPurged => "machine_events_purged",
        WebhookChanged => "webhook_changed",
        AgentStateChanged => "agent_state_changed",
        LoopChanged => "loop_changed",
        HandlerChanged => "handler_changed",
        MessageDeleted => "message_deleted",
    }
}

crate::row! {
    /// An entry of the audit log.
    #[derive(Debug, Clone, Serialize, serde::Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct AuditEntry {
        /// Its position in the log.
        pub id: AuditId,
        /// The kind of the entry; new words may be added.
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
        /// The IP address of the caller.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub remote_ip: Option<String>,
        /// The surface of the request.
        pub surface: Surface,
        /// The id of the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub request_id: Option<String>,
        /// Further details: a JSON object.
        pub details: Value,
        /// When it happened.
        pub created_at: Timestamp,
        /// The account that did it, or whose agent did; absent for an operator at the command line and for the hub.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub actor: Option<String>,
    }
}

/// The filter of a list of audit entries, newest first.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Only entries of this kind.
    pub event: Option<String>,
    /// Only entries about this account.
    pub username: Option<String>,
    /// Only actions of this account.
    pub actor: Option<String>,
    /// Only entries from this time on.
    pub since: Option<Timestamp>,
    /// Only entries before this time.
    pub until: Option<Timestamp>,
    /// Only entries before this one, for the next page.
    pub before: Option<AuditId>,
    /// The maximum number of entries; `None` is the default page size.
    pub limit: Option<i64>,
}

/// The number of entries of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct AuditStats {
    /// The kind.
    pub event: String,
    /// The number of entries.
    pub count: i64,
    /// When the last one happened.
    pub last_at: Timestamp,
}

impl AuditEntry {
    /// The columns of an export.
    pub const COLUMNS: [&str; 11] = [
        "id",
        "created_at",
        "event",
        "user_id",
        "username",
        "actor",
        "client_id",
        "remote_ip",
        "surface",
        "request_id",
        "details",
    ];

    /// The values as text, for a row of an export.
    pub fn cells(&self) -> [String; 11] {
        [
            self.id.to_string(),
            self.created_at.to_string(),
            self.event.clone(),
            self.user_id.map(|id| id.to_string()).unwrap_or_default(),
            self.username.clone().unwrap_or_default(),
            self.actor.clone().unwrap_or_default(),
            self.client_id.clone().unwrap_or_default(),
            self.remote_ip.clone().unwrap_or_default(),
            self.surface.to_string(),
            self.request_id.clone().unwrap_or_default(),
            self.details.to_string(),
        ]
    }
}

impl AuditFilter {
    /// Rejects a filter that can match nothing.
    pub fn check(&self) -> Result<()> {
        for (field, value) in [("event", &self.event), ("username", &self.username), ("actor", &self.actor)] {
            if value.as_ref().is_some_and(|value| value.contains('\0')) {
                return Err(Error::invalid(field, "must not contain the NUL character"));
            }
        }
        match (self.since, self.until) {
            (Some(since), Some(until)) if since >= until => Err(Error::invalid("until", "must be after since")),
            _ => Ok(()),
        }
    }

    /// The username as the statement compares it.
    pub fn username_key(&self) -> Option<Cow<'_, str>> {
        self.username.as_deref().map(|name| name.to_ascii_lowercase().into())
    }

    /// The actor as the statement compares it.
    pub fn actor_key(&self) -> Option<Cow<'_, str>> {
        self.actor.as_deref().map(|name| name.to_ascii_lowercase().into())
    }
}
