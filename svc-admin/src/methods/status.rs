//! `status.show`: how the hub is.

use serde::{Deserialize, Serialize};
use svc_core::{Error, EventSeq, Result, Timestamp};

use super::{Method, NoParams, Server};
use crate::VERSION;

/// Tells how the hub is.
pub struct Show;

/// How the hub is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Status {
    /// The server's version.
    pub version: String,
    /// Since when it runs.
    pub started_at: Timestamp,
    /// For how long.
    pub uptime_seconds: u64,
    /// The engine of the store.
    pub engine: String,
    /// Bytes that the store takes.
    pub store_bytes: u64,
    /// The newest event that every reader can see; `None` once the hub is closed.
    pub event_head: Option<EventSeq>,
    /// Whether it can do its work.
    pub readiness: Readiness,
}

/// The reading side of [`svc_core::Readiness`]: the same fields, as they are printed everywhere.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Readiness {
    /// `ready`, `degraded` or `unavailable`.
    pub status: String,
    /// The store.
    pub store: Store,
    /// The background workers.
    pub workers: Vec<Worker>,
}

/// The reading side of [`svc_core::StoreHealth`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Store {
    /// The engine.
    pub engine: String,
    /// Whether it could be written to and read from just now.
    pub ok: bool,
    /// The code of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What is wrong and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The reading side of [`svc_core::WorkerHealth`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Worker {
    /// The worker.
    pub name: String,
    /// `idle`, `running`, `failing` or `elsewhere`.
    pub state: String,
    /// When it last finished a round here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run_at: Option<Timestamp>,
    /// Why its latest round failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Rounds that failed one after another.
    pub failures: u32,
}

impl Readiness {
    /// By way of the printed form, so that there is no second list of fields to keep in step.
    fn of(readiness: &svc_core::Readiness) -> Result<Self> {
        serde_json::to_value(readiness)
            .and_then(serde_json::from_value::<Self>)
            .map_err(|error| Error::internal(format!("readiness has changed its form: {error}")))
    }
}

impl Method for Show {
    const NAME: &'static str = "status.show";
    const ABOUT: &'static str = "Tells version, store, event log, workers and uptime.";
    type Params = NoParams;
    type Answer = Status;

    async fn run(server: &Server, _: NoParams) -> Result<Status> {
        let hub = &server.hub;
        let readiness = hub.readiness().await;
        Ok(Status {
            version: VERSION.to_owned(),
            started_at: server.started_at,
            uptime_seconds: hub.clock().now().since(server.started_at).as_secs(),
            engine: hub.db().engine().to_string(),
            store_bytes: hub.db().size().await,
            event_head: hub.events().head().ok(),
            readiness: Readiness::of(&readiness)?,
        })
    }
}
