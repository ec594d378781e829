//! What a hub needs to know before it opens.

use std::path::{Path, PathBuf};
use std::time::Duration;

use svc_model::principals::Audience;

use crate::error::Result;
use crate::limits;
use crate::messaging::attachments::FileSettings;
use crate::store::db::StoreUrl;
use crate::store::vault::SecretKey;

/// The settings of a [`Hub`](crate::Hub). Start from [`HubConfig::at`] or [`HubConfig::postgres`].
#[derive(Debug, Clone)]
pub struct HubConfig {
    /// Where keys, attachments and, unless a store is named, the database are kept.
    pub data: PathBuf,
    /// The store; `None` is the file `svc.db` in the data directory.
    pub store: Option<StoreUrl>,
    /// How long events can be resumed from.
    pub event_retention: Duration,
    /// How long traces are kept.
    pub trace_retention: Duration,
    /// How long messages are kept; `None` is for ever.
    pub message_retention: Option<Duration>,
    /// How long a worker's lease lasts when its process dies.
    pub worker_lease: Duration,
    /// The work factor of password hashes, 4 to 31.
    pub bcrypt_cost: u32,
    /// How long a login lasts.
    pub session_ttl: Duration,
    /// Failed logins in a row before the next has to wait; 0 is no wait.
    pub login_attempts: u32,
    /// Bytes of files that a human and their agents may have uploaded; `None` is no limit.
    pub quota_file_bytes: Option<u64>,
    /// Messages that a human and their agents may send in 24 hours; `None` is no limit.
    pub quota_messages: Option<u64>,
    /// How long a search looks before it answers with what it has found.
    pub search_deadline: Duration,
    /// The key that secrets are sealed with; `None` is the file `secret.key` in the data directory.
    pub secret_key: Option<SecretKey>,
    /// Where files are kept, `s3://bucket/prefix`; `None` is the directory `blobs` in the data directory.
    pub blob_url: Option<String>,
    /// Whether to begin with an empty database although the data directory holds what belongs to another one.
    pub new_store: bool,
    /// The hub whose files this hub takes over, by its id; `unbound` for files that belong to no hub yet.
    pub adopt_blobs: Option<String>,
    /// The address under which clients reach the hub, `https://hub.example.org`, for the files that connect
    /// them; `None` where whoever asks for one has to say it.
    pub base_url: Option<String>,
    /// The component that this hub is to machine principals; a registry for another one is refused.
    pub audience: Audience,
}

impl HubConfig {
    /// Everything in one directory, on SQLite.
    pub fn at(data: impl AsRef<Path>) -> Self {
        Self {
            data: data.as_ref().to_owned(),
            store: None,
            event_retention: limits::EVENT_RETENTION,
            trace_retention: limits::TRACE_RETENTION,
            message_retention: None,
            worker_lease: limits::WORKER_LEASE,
            bcrypt_cost: limits::BCRYPT_COST,
            session_ttl: limits::SESSION_TTL,
            login_attempts: limits::LOGIN_ATTEMPTS,
            quota_file_bytes: Some(limits::QUOTA_FILE_BYTES),
            quota_messages: Some(limits::QUOTA_MESSAGES),
            search_deadline: limits::SEARCH_DEADLINE,
            secret_key: None,
            blob_url: None,
            new_store: false,
            adopt_blobs: None,
            base_url: None,
            audience: Audience::SvcBrain,
        }
    }

    /// The store on a PostgreSQL server, everything else in `./data`.
    pub fn postgres(url: &str) -> Result<Self> {
        Self::at("data").with_store(url)
    }

    /// Names the store: `sqlite:PATH` or `postgres://…`.
    pub fn with_store(mut self, url: &str) -> Result<Self> {
        self.store = Some(url.parse()?);
        Ok(self)
    }

    /// Where the store is.
    pub fn store_url(&self) -> StoreUrl {
        self.store.clone().unwrap_or_else(|| StoreUrl::Sqlite(self.data.join("svc.db")))
    }

    pub(super) fn files(&self) -> FileSettings {
        FileSettings {
            data: self.data.clone(),
            blob_url: self.blob_url.clone(),
            new_store: self.new_store,
            adopt_blobs: self.adopt_blobs.clone(),
            quota_file_bytes: self.quota_file_bytes,
        }
    }
}
