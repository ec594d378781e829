//! `status.show`: status of the hub.

use serde::{Deserialize, Serialize};
use svc_core::db::Engine;
use svc_core::health::{NodeInfo, Readiness};
use svc_core::ids::EventSeq;
use svc_core::{Result, Timestamp};

use super::{Method, NoParams, Server};
use crate::VERSION;

/// Shows the status of the hub.
pub struct Show;

/// Status of the hub.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Status {
    /// The server's version.
    pub version: String,
    /// Start of the server.
    pub started_at: Timestamp,
    /// Uptime in seconds.
    pub uptime_seconds: u64,
    /// The database engine of the store.
    pub engine: Engine,
    /// Size of the store in bytes.
    pub store_bytes: u64,
    /// The newest event that every reader can see; `None` once the hub is closed.
    pub event_head: Option<EventSeq>,
    /// Readiness of the hub.
    pub readiness: Readiness,
    /// The processes that serve the hub; empty while the store does not answer.
    #[serde(default)]
    pub nodes: Vec<NodeInfo>,
}

impl Method for Show {
    const NAME: &'static str = "status.show";
    const ABOUT: &'static str = "Show version, store, event log, nodes, workers and uptime.";
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
            nodes: hub.nodes().await.unwrap_or_default(),
        })
    }
}
