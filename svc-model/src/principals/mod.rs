//! Machine principals: the registry document, and its representation in the API.

mod events;
mod faults;

pub use events::*;
pub use faults::*;

use crate::column::{Column, Kind, Mismatch, Value as ColumnValue};
use crate::error::Error;
use crate::error::Result;
use crate::exact_json::exact_json_or_none;
use crate::timestamp::Timestamp;
use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

/// The version of the registry document that this hub reads.
pub const VERSION: &str = "svc.machine-principal-registry/v1";

/// A registry document that has passed every check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registry {
    /// The component for which it is intended.
    pub audience: Audience,
    /// The principals, in the order of the document.
    pub principals: Vec<Principal>,
}

/// A registered service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Its id, such as `svc:sense:door-1`.
    pub principal_id: String,
    /// Whether it may make any request.
    pub enabled: bool,
    /// The keys that authenticate it.
    pub keys: Vec<MachineKey>,
}

/// A key of a principal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineKey {
    /// Its id, unique within the registry.
    pub kid: String,
    /// The public key.
    pub public_key: PublicKey,
    /// Its status.
    pub status: MachineKeyStatus,
    /// Its scopes, one to four.
    pub scopes: Vec<Scope>,
}

/// The 32 bytes of an Ed25519 public key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(pub [u8; 32]);

impl Column for PublicKey {
    const KIND: Kind = Kind::Bytes;

    fn into_value(self) -> ColumnValue {
        self.0.to_vec().into_value()
    }

    fn from_value(value: ColumnValue) -> Result<Self, Mismatch> {
        let bytes = Vec::<u8>::from_value(value)?;
        let length = bytes.len();
        bytes
            .try_into()
            .map(Self)
            .map_err(|_| Mismatch { expected: "the 32 bytes of a key", found: format!("{length} bytes") })
    }
}

/// The component for which requests are intended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "kebab-case"))]
pub enum Audience {
    /// The component that observes.
    SvcSense,
    /// The component that decides.
    SvcBrain,
    /// The component that notifies people.
    SvcBell,
}

crate::text_enum! {
    Audience {
        SvcSense => "svc-sense",
        SvcBrain => "svc-brain",
        SvcBell => "svc-bell",
    }
}

impl std::str::FromStr for Audience {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let all = [Self::SvcSense, Self::SvcBrain, Self::SvcBell];
        let found = all.into_iter().find(|audience| audience.as_str() == text);
        found.ok_or_else(|| Error::invalid("audience", "must be svc-sense, svc-brain or svc-bell"))
    }
}

/// The status of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum MachineKeyStatus {
    /// The key can be used.
    Active,
    /// The key was revoked.
    Revoked,
}

crate::text_enum! {
    MachineKeyStatus {
        Active => "active",
        Revoked => "revoked",
    }
}

/// The scopes of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
pub enum Scope {
    /// Set the configuration of a source.
    #[serde(rename = "source-config:write")]
    #[cfg_attr(feature = "openapi", oai(rename = "source-config:write"))]
    SourceConfigWrite,
    /// Report the status of the principal.
    #[serde(rename = "runtime-status:write")]
    #[cfg_attr(feature = "openapi", oai(rename = "runtime-status:write"))]
    RuntimeStatusWrite,
    /// Report events.
    #[serde(rename = "events:ingest")]
    #[cfg_attr(feature = "openapi", oai(rename = "events:ingest"))]
    EventsIngest,
    /// Read evidence.
    #[serde(rename = "evidence:read")]
    #[cfg_attr(feature = "openapi", oai(rename = "evidence:read"))]
    EvidenceRead,
}

crate::text_enum! {
    Scope {
        SourceConfigWrite => "source-config:write",
        RuntimeStatusWrite => "runtime-status:write",
        EventsIngest => "events:ingest",
        EvidenceRead => "evidence:read",
    }
}

crate::row! {
    /// The loaded registry.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct LoadedRegistry {
        /// The component for which it is intended.
        pub audience: Audience,
        /// The SHA-256 of the document's bytes, in hexadecimal digits.
        pub sha256: String,
        /// Its origin: the path of a file, or the name of the uploader. Only admins see it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub source: Option<String>,
        /// When it was loaded.
        pub loaded_at: Timestamp,
        /// The number of principals.
        pub principals: i64,
        /// The number of keys.
        pub keys: i64,
    }
}

/// A principal with its key counts and a summary of its reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct RegistryPrincipal {
    /// Its id.
    pub principal_id: String,
    /// Whether it may make any request.
    pub enabled: bool,
    /// The number of active keys.
    pub active_keys: i64,
    /// The number of revoked keys.
    pub revoked_keys: i64,
    /// The scopes of its active keys, each once.
    pub scopes: Vec<Scope>,
    /// Whether the registry lists it. A removed principal is still shown with its reports.
    pub registered: bool,
    /// Its last status report; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RuntimeStatus>,
    /// The number of events that it has reported.
    pub events: i64,
    /// When it last reported an event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_event_at: Option<Timestamp>,
    /// The sources that it has configured, by name.
    pub sources: Vec<SourceVersion>,
}

/// A status report of a machine.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct NewRuntimeStatus {
    /// The state: lower case letters, digits, `_` and `-`, the first a letter, 32 characters at most.
    pub state: String,
    /// The interval of its heartbeats, 1 to 86400 seconds; 60 when absent.
    #[serde(default)]
    pub heartbeat_seconds: Option<i64>,
    /// A message for people, 500 characters at most.
    #[serde(default)]
    pub message: Option<String>,
    /// Further details: a JSON object of at most 16 KiB.
    #[serde(default, deserialize_with = "exact_json_or_none")]
    pub details: Option<Value>,
}

/// The last status report of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct RuntimeStatus {
    /// Its state.
    pub state: String,
    /// A message for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Further details: a JSON object; not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// The interval of its heartbeats in seconds.
    pub heartbeat_seconds: i64,
    /// When it entered this state.
    pub since: Timestamp,
    /// When it last reported.
    pub seen_at: Timestamp,
    /// When the status becomes stale, unless the machine reports before.
    pub stale_at: Timestamp,
    /// Whether three heartbeats were missed.
    pub stale: bool,
    /// The number of reports so far.
    pub beats: i64,
}

crate::row! {
    /// The current version of a source's configuration.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct SourceVersion {
        /// The source.
        pub source: String,
        /// The version number.
        pub version: i64,
        /// When it was set.
        pub created_at: Timestamp,
    }
}

/// A version of a source's configuration, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SourceConfig {
    /// The source.
    pub source: String,
    /// The current version number, from 1.
    pub version: i64,
    /// The SHA-256 of the content, serialized without spaces and with sorted names, in hexadecimal digits.
    pub sha256: String,
    /// When this version was set.
    pub created_at: Timestamp,
    /// Whether this request changed it; `false` when the content is the same as before.
    pub changed: bool,
}

/// The loaded registry with its principals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct RegistryView {
    /// The registry; absent if none was ever loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry: Option<LoadedRegistry>,
    /// The problem with the registry file, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<RegistryProblem>,
    /// Its principals by name, a thousand at most, followed by removed principals if there is room.
    pub principals: Vec<RegistryPrincipal>,
    /// Whether there are more.
    pub truncated: bool,
}

/// The reason why the registry file could not be loaded the last time it was read. Only admins see the
/// details; other users see that there is a problem, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RegistryProblem {
    /// When the file was last read.
    pub tried_at: Timestamp,
    /// Since when loading has failed.
    pub since: Timestamp,
    /// The error code, such as `registry_invalid`; `registry_not_taken` for users who are not admins.
    pub code: String,
    /// The error message.
    pub message: String,
    /// The faults of the document, the first hundred; empty for users who are not admins.
    pub faults: Vec<Fault>,
}

/// The changes that a new registry makes. Keys are written as in requests, `<principal_id>/<kid>`; the keys
/// of added and removed principals are not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryChanges {
    /// New principals.
    pub added: Vec<String>,
    /// Removed principals.
    pub removed: Vec<String>,
    /// Principals that were enabled again.
    pub enabled: Vec<String>,
    /// Principals that were disabled.
    pub disabled: Vec<String>,
    /// New keys.
    pub keys_added: Vec<String>,
    /// Removed keys.
    pub keys_removed: Vec<String>,
    /// Revoked keys.
    pub keys_revoked: Vec<String>,
    /// Keys that are active again.
    pub keys_restored: Vec<String>,
    /// Keys with the same id and other bytes or other scopes.
    pub keys_changed: Vec<String>,
}

impl RegistryChanges {
    /// All lists of changes, by name.
    pub fn lists(&self) -> [(&'static str, &[String]); 9] {
        [
            ("added", &self.added),
            ("removed", &self.removed),
            ("enabled", &self.enabled),
            ("disabled", &self.disabled),
            ("keys_added", &self.keys_added),
            ("keys_removed", &self.keys_removed),
            ("keys_revoked", &self.keys_revoked),
            ("keys_restored", &self.keys_restored),
            ("keys_changed", &self.keys_changed),
        ]
    }

    /// The number of changes of each kind, without empty ones.
    pub fn counts(&self) -> std::collections::BTreeMap<&'static str, usize> {
        self.lists().into_iter().filter(|(_, list)| !list.is_empty()).map(|(kind, list)| (kind, list.len())).collect()
    }
}
