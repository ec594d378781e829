//! Settings of a hub.

use std::path::{Path, PathBuf};
use std::time::Duration;

use svc_model::principals::Audience;

use crate::automation::harness::{ClusterConfig, HarnessConfig};
use crate::automation::runs::RunSettings;
use crate::automation::webhooks::WebhookSettings;
use crate::error::Result;
use crate::limits;
use crate::messaging::attachments::FileSettings;
use crate::net::AllowedNetworks;
use crate::store::db::StoreUrl;
use crate::store::vault::SecretKey;

/// Settings of a [`Hub`](crate::Hub). Start from [`HubConfig::at`] or [`HubConfig::postgres`].
#[derive(Debug, Clone)]
pub struct HubConfig {
    /// The directory of keys, attachments and, unless `store` is set, the database.
    pub data: PathBuf,
    /// The store; `None` for the file `svc.db` in the data directory.
    pub store: Option<StoreUrl>,
    /// Retention of events, and so the period in which readers can resume.
    pub event_retention: Duration,
    /// Retention of traces.
    pub trace_retention: Duration,
    /// Retention of messages; `None` keeps them forever.
    pub message_retention: Option<Duration>,
    /// How long authors can edit their messages; zero for not at all.
    pub edit_window: Duration,
    /// The duration of a worker's lease, after which another process takes over.
    pub worker_lease: Duration,
    /// The work factor of password hashes, 4 to 31.
    pub bcrypt_cost: u32,
    /// The lifetime of a login.
    pub session_ttl: Duration,
    /// Failed logins in a row before the next one is delayed; 0 for no delay.
    pub login_attempts: u32,
    /// Bytes of files that a human and their agents may upload; `None` for no limit.
    pub quota_file_bytes: Option<u64>,
    /// Messages that a human and their agents may send in 24 hours; `None` for no limit.
    pub quota_messages: Option<u64>,
    /// The time limit of a search, after which it returns partial results.
    pub search_deadline: Duration,
    /// The key that encrypts secrets; `None` for the file `secret.key` in the data directory.
    pub secret_key: Option<SecretKey>,
    /// The location of files, `s3://bucket/prefix`; `None` for the directory `blobs` in the data
    /// directory.
    pub blob_url: Option<String>,
    /// Whether to create an empty database although the data directory contains files of another
    /// one.
    pub new_store: bool,
    /// The id of the hub whose files this hub adopts; `unbound` for files that belong to no hub.
    pub adopt_blobs: Option<String>,
    /// The address of the hub for clients, `https://hub.example.org`, used in generated
    /// configurations; `None` if each request has to name it.
    pub base_url: Option<String>,
    /// The component that this hub represents to machine principals; registries for another one are
    /// rejected.
    pub audience: Audience,
    /// Settings of webhooks.
    pub webhooks: WebhookSettings,
    /// Settings of runs.
    pub runs: RunSettings,
    /// Private networks that the hub may connect to, for webhooks and OAuth client documents.
    pub private_networks: AllowedNetworks,
}

impl HubConfig {
    /// A hub with everything in one directory, on SQLite.
    pub fn at(data: impl AsRef<Path>) -> Self {
        Self {
            data: data.as_ref().to_owned(),
            store: None,
            event_retention: limits::EVENT_RETENTION,
            trace_retention: limits::TRACE_RETENTION,
            message_retention: None,
            edit_window: limits::EDIT_WINDOW,
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
            webhooks: WebhookSettings::default(),
            runs: RunSettings::default(),
            private_networks: AllowedNetworks::default(),
        }
    }

    /// A hub with its store on a PostgreSQL server and everything else in `./data`.
    pub fn postgres(url: &str) -> Result<Self> {
        Self::at("data").with_store(url)
    }

    /// Sets the store: `sqlite:PATH` or `postgres://…`.
    pub fn with_store(mut self, url: &str) -> Result<Self> {
        self.store = Some(url.parse()?);
        Ok(self)
    }

    /// The address of the store.
    pub fn store_url(&self) -> StoreUrl {
        self.store.clone().unwrap_or_else(|| StoreUrl::Sqlite(self.data.join("svc.db")))
    }

    /// How commands, containers and webhooks are run. What they must not reach is the data of the hub.
    pub(super) fn harness(&self, hub: &str) -> HarnessConfig {
        let mut config = HarnessConfig::at(&self.data);
        config.launcher.clone_from(&self.runs.launcher);
        config.confinement = self.runs.confinement;
        config.allow_http = self.webhooks.allow_http;
        config.cluster = ClusterConfig { hub: hub.to_owned(), ..self.runs.cluster.clone() };
        if let StoreUrl::Sqlite(path) = self.store_url() {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                let mut file = path.clone().into_os_string();
                file.push(suffix);
                config.hidden.push(file.into());
            }
        }
        config
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
