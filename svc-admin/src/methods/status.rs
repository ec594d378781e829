//! `status.show`: how the hub is.

use serde::{Deserialize, Serialize};
use svc_core::db::Engine;
use svc_core::{EventSeq, Readiness, Result, Timestamp};

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
    pub engine: Engine,
    /// Bytes that the store takes.
    pub store_bytes: u64,
    /// The newest event that every reader can see; `None` once the hub is closed.
    pub event_head: Option<EventSeq>,
    /// Whether it can do its work.
    pub readiness: Readiness,
}

impl Method for Show {
    const NAME: &'static str = "status.show";
    const ABOUT: &'static str = "Tells version, store, event log, workers and uptime.";
    type Params = NoParams;
    type Answer = Status;

    async fn run(server: &Server, _: NoParams) -> Result<Status> {
        let hub = &server.hub;
        Ok(Status {
            version: VERSION.to_owned(),
            started_at: server.started_at,
            uptime_seconds: hub.clock().now().since(server.started_at).as_secs(),
            engine: hub.db().engine(),
            store_bytes: hub.db().size().await,
            event_head: hub.events().head().ok(),
            readiness: hub.readiness().await,
        })
    }
}
