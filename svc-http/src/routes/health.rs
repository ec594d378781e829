//! Whether the process lives, and whether it can do its work.

use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};
use svc_core::{Readiness, ReadyState};

use super::Chapter;
use crate::state::AppState;

/// The routes.
pub(crate) struct HealthRoutes {
    pub(crate) state: AppState,
}

/// A living process.
#[derive(Object)]
#[oai(example)]
struct Health {
    /// Always `ok`: a process that cannot say so does not answer.
    status: String,
    /// The version of the server.
    version: String,
}

impl Example for Health {
    fn example() -> Self {
        Self { status: "ok".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

#[derive(ApiResponse)]
enum ReadyResponse {
    /// Requests are served; `degraded` means that something else is not well: a background worker, the store of the
    /// files, the registry of machine principals.
    #[oai(status = 200)]
    Ready(Json<Readiness>),
    /// The store cannot be written to or read from, so requests would fail.
    #[oai(status = 503)]
    Unavailable(Json<Readiness>),
}

#[OpenApi(tag = "Chapter::Operations")]
impl HealthRoutes {
    /// Is the process alive?
    ///
    /// Answers without touching the store, so a slow disk never makes an orchestrator kill the
    /// process. Use it as a liveness probe.
    #[oai(path = "/healthz", method = "get", operation_id = "get_health")]
    #[expect(clippy::unused_async, reason = "the framework takes asynchronous handlers only")]
    async fn healthz(&self) -> Json<Health> {
        Json(Health::example())
    }

    /// Can the hub do its work?
    ///
    /// Writes to the store, reads it back, and tells how the store, the store of the files and the background
    /// workers are.
    /// Use it as a readiness probe: 200 for `ready` and `degraded`, 503 for `unavailable`. For
    /// example `{"status":"ready","store":{"engine":"sqlite","ok":true},"workers":[]}`.
    #[oai(path = "/readyz", method = "get", operation_id = "get_readiness")]
    async fn readyz(&self) -> ReadyResponse {
        let readiness = self.state.hub().readiness().await;
        match readiness.status {
            ReadyState::Ready | ReadyState::Degraded => ReadyResponse::Ready(Json(readiness)),
            ReadyState::Unavailable => ReadyResponse::Unavailable(Json(readiness)),
        }
    }
}
