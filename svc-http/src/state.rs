//! Shared state of all handlers.

use std::sync::Arc;

use svc_core::Hub;
use svc_mcp::http::McpService;

use crate::backlog::CountedBacklog;
use crate::config::{BaseUrl, Patience};
use crate::live::Streams;
use crate::middleware::measure::RequestFigures;
use crate::pages::Brand;
use crate::telemetry::Meter;
use crate::traffic::Traffic;

/// The state of a running server. Clones share it; handlers find it in the request's data.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    hub: Hub,
    base_url: Option<BaseUrl>,
    brand: Brand,
    streams: Streams,
    requests: RequestFigures,
    backlog: CountedBacklog,
    traffic: Arc<Traffic>,
    mcp: McpService,
    patience: Patience,
    telemetry: Option<Arc<Meter>>,
}

impl AppState {
    pub(crate) fn new(
        hub: Hub,
        base_url: Option<BaseUrl>,
        brand: Brand,
        patience: Patience,
        telemetry: Option<Arc<Meter>>,
    ) -> Self {
        let (streams, requests, traffic) = (Streams::default(), RequestFigures::new(), Arc::default());
        let mcp = McpService::new(hub.clone(), streams.ending().child_token(), patience.mcp_session);
        let backlog = CountedBacklog::default();
        let inner = Inner { hub, base_url, brand, streams, requests, backlog, traffic, mcp, patience, telemetry };
        Self { inner: Arc::new(inner) }
    }

    /// The state of the server that handles a request.
    pub(crate) fn of(request: &poem::Request) -> &Self {
        request.data().expect("every route is served with the state")
    }

    /// The hub behind this server.
    pub fn hub(&self) -> &Hub {
        &self.inner.hub
    }

    /// The public URL of the server, if it is configured.
    pub fn base_url(&self) -> Option<&BaseUrl> {
        self.inner.base_url.as_ref()
    }

    /// The long-lived responses; see [`live::until_shutdown`](crate::live::until_shutdown).
    pub fn streams(&self) -> &Streams {
        &self.inner.streams
    }

    /// Branding of the server-rendered pages.
    pub(crate) fn brand(&self) -> &Brand {
        &self.inner.brand
    }

    /// Timeouts for clients.
    pub(crate) fn patience(&self) -> Patience {
        self.inner.patience
    }

    /// The MCP service at `/mcp`.
    pub(crate) fn mcp(&self) -> &McpService {
        &self.inner.mcp
    }

    /// Cached number of pending direct messages.
    pub(crate) fn backlog(&self) -> &CountedBacklog {
        &self.inner.backlog
    }

    /// Metrics of connections and bodies.
    pub(crate) fn traffic(&self) -> &Arc<Traffic> {
        &self.inner.traffic
    }

    /// Metrics of the export of telemetry, if there is one.
    pub(crate) fn telemetry(&self) -> Option<&Meter> {
        self.inner.telemetry.as_deref()
    }

    pub(crate) fn requests(&self) -> &RequestFigures {
        &self.inner.requests
    }
}
