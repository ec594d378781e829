//! The registry as types, and what is shown of it.

use serde::{Deserialize, Serialize};

use super::history::SourceVersion;
use super::status::RuntimeStatus;
use crate::error::Error;
use crate::timestamp::Timestamp;

/// The version of the document that this hub reads.
pub(crate) const VERSION: &str = "svc.machine-principal-registry/v1";

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
