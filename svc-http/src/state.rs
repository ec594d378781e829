//! What every handler can reach.

use std::sync::Arc;

use svc_core::Hub;

use crate::config::BaseUrl;
use crate::live::Streams;
use crate::middleware::measure::RequestFigures;

/// The state of a running server. Clones share it; handlers find it in the request's data.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    hub: Hub,
    base_url: Option<BaseUrl>,
    streams: Streams,
    requests: RequestFigures,
}

impl AppState {
    pub(crate) fn new(hub: Hub, base_url: Option<BaseUrl>) -> Self {
        Self { inner: Arc::new(Inner { hub, base_url, streams: Streams::default(), requests: RequestFigures::new() }) }
    }

    /// The hub behind this server.
    pub fn hub(&self) -> &Hub {
        &self.inner.hub
    }

    /// The address under which people reach the server, if it was configured.
    pub fn base_url(&self) -> Option<&BaseUrl> {
        self.inner.base_url.as_ref()
    }

    /// The long-lived responses; see [`live::until_shutdown`](crate::live::until_shutdown).
    pub fn streams(&self) -> &Streams {
        &self.inner.streams
    }

    pub(crate) fn requests(&self) -> &RequestFigures {
        &self.inner.requests
    }
}
