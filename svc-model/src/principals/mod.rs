//! Machine principals: the registry as types, and what is shown of it.

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

/// The version of the document that this hub reads.
pub const VERSION: &str = "svc.machine-principal-registry/v1";

/// A registry document that has passed every check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registry {
    /// The component that it is meant for.
    pub audience: Audience,
    /// The principals, in the order of the document.
    pub principals: Vec<Principal>,
}

/// A service that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Its name, such as `svc:sense:door-1`.
    pub principal_id: String,
    /// Whether it may ask for anything at all.
    pub enabled: bool,
    /// What proves that it is asking.
    pub keys: Vec<MachineKey>,
}

/// A key of a principal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineKey {
    /// Its name, which no other key of the registry has.
    pub kid: String,
    /// The key itself.
    pub public_key: PublicKey,
    /// Whether it can be used.
    pub status: MachineKeyStatus,
    /// What it may be used for, one to four.
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

/// The component that requests are meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "kebab-case"))]
pub enum Audience {
    /// What observes.
    SvcSense,
    /// What decides.
    SvcBrain,
    /// What tells people.
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

/// Whether a key can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum MachineKeyStatus {
    /// It can.
    Active,
    /// It could once.
    Revoked,
}

crate::text_enum! {
    MachineKeyStatus {
        Active => "active",
        Revoked => "revoked",
    }
}

/// What a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
pub enum Scope {
    /// Set the configuration of a source.
    #[serde(rename = "source-config:write")]
    #[cfg_attr(feature = "openapi", oai(rename = "source-config:write"))]
    SourceConfigWrite,
    /// Say how the principal is.
    #[serde(rename = "runtime-status:write")]
    #[cfg_attr(feature = "openapi", oai(rename = "runtime-status:write"))]
    RuntimeStatusWrite,
    /// Report what happened.
    #[serde(rename = "events:ingest")]
    #[cfg_attr(feature = "openapi", oai(rename = "events:ingest"))]
    EventsIngest,
    /// Read what was reported.
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
    /// The registry that is in force.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct LoadedRegistry {
        /// The component that it is meant for.
        pub audience: Audience,
        /// The SHA-256 of the document's bytes, in hexadecimal digits.
        pub sha256: String,
        /// Where it came from: the path of a file, or who gave it. Only admins are told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub source: Option<String>,
        /// When it came into force.
        pub loaded_at: Timestamp,
        /// How many principals it has.
        pub principals: i64,
        /// How many keys it has.
        pub keys: i64,
    }
}

/// A principal as it is shown, keys without their bytes, and what it has sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct RegistryPrincipal {
    /// Its name.
    pub principal_id: String,
    /// Whether it may ask for anything at all.
    pub enabled: bool,
    /// Its keys that can be used.
    pub active_keys: i64,
    /// Its keys that could be used once.
    pub revoked_keys: i64,
    /// What its usable keys may be used for, each once.
    pub scopes: Vec<Scope>,
    /// Whether the registry has it. One that is gone is shown for what it has sent.
    pub registered: bool,
    /// What it last said about itself; absent when it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RuntimeStatus>,
    /// How many events it has reported.
    pub events: i64,
    /// When it last reported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_event_at: Option<Timestamp>,
    /// The sources that it has configured, by name.
    pub sources: Vec<SourceVersion>,
}

/// What a machine says about itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct NewRuntimeStatus {
    /// A word: small letters, digits, `_` and `-`, the first a letter, 32 characters at most.
    pub state: String,
    /// How often it will say so, 1 to 86400 seconds; 60 when absent.
    #[serde(default)]
    pub heartbeat_seconds: Option<i64>,
    /// A sentence for people, 500 characters at most.
    #[serde(default)]
    pub message: Option<String>,
    /// Whatever else is worth knowing: a JSON object of at most 16 KiB.
    #[serde(default, deserialize_with = "exact_json_or_none")]
    pub details: Option<Value>,
}

/// What a machine said last about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct RuntimeStatus {
    /// Its state.
    pub state: String,
    /// A sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whatever else it said, an object; not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// How often it says so.
    pub heartbeat_seconds: i64,
    /// Since when it has been in this state.
    pub since: Timestamp,
    /// When it last said so.
    pub seen_at: Timestamp,
    /// From then on the status is stale, unless the machine says something before.
    pub stale_at: Timestamp,
    /// Whether three beats have passed without another.
    pub stale: bool,
    /// How often it has said something so far.
    pub beats: i64,
}

crate::row! {
    /// The configuration of a source that is in force.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct SourceVersion {
        /// The source.
        pub source: String,
        /// The number of the version.
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
    /// The number of the version in force, from 1.
    pub version: i64,
    /// The SHA-256 of the content, written without spaces and with its names in order, in hexadecimal digits.
    pub sha256: String,
    /// When this version was set.
    pub created_at: Timestamp,
    /// Whether this request set it; `false` when the content is the same as before.
    pub changed: bool,
}

/// The registry that is in force with its principals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct RegistryView {
    /// The registry; absent if none was ever loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry: Option<LoadedRegistry>,
    /// What is wrong with the registry's file, if something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<RegistryProblem>,
    /// Its principals by name, a thousand at most, and those that are gone after the others have their place.
    pub principals: Vec<RegistryPrincipal>,
    /// Whether there are more.
    pub truncated: bool,
}

/// Why the registry's file could not be put into force the last time it was read. What is wrong with it is for
/// admins; others learn that something is, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RegistryProblem {
    /// When it was read.
    pub tried_at: Timestamp,
    /// Since when it could not be put into force, whenever it was tried.
    pub since: Timestamp,
    /// The code of what is wrong, such as `registry_invalid`; `registry_not_taken` for those who are no admins.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The faults of the document, the first hundred of them; none for those who are no admins.
    pub faults: Vec<Fault>,
}

/// What another registry changes. Keys are named as requests name them, `<principal_id>/<kid>`; those of
/// principals that come or go are not named one by one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryChanges {
    /// Principals that are new.
    pub added: Vec<String>,
    /// Principals that are gone.
    pub removed: Vec<String>,
    /// Principals that may ask for something again.
    pub enabled: Vec<String>,
    /// Principals that may not ask for anything any more.
    pub disabled: Vec<String>,
    /// Keys that are new.
    pub keys_added: Vec<String>,
    /// Keys that are gone.
    pub keys_removed: Vec<String>,
    /// Keys that cannot be used any more.
    pub keys_revoked: Vec<String>,
    /// Keys that can be used again.
    pub keys_restored: Vec<String>,
    /// Keys that have other bytes or other scopes under the same name.
    pub keys_changed: Vec<String>,
}

impl RegistryChanges {
    /// Each kind of change with what it concerns.
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

    /// How many there are of each kind of which there are any.
    pub fn counts(&self) -> std::collections::BTreeMap<&'static str, usize> {
        self.lists().into_iter().filter(|(_, list)| !list.is_empty()).map(|(kind, list)| (kind, list.len())).collect()
    }
}
