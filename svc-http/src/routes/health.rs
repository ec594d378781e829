//! Liveness and readiness of the process.

use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};
use svc_core::health::{Readiness, ReadyState};

use super::Chapter;
use crate::state::AppState;

/// The routes.
pub(crate) struct HealthRoutes {
    pub(crate) state: AppState,
}

/// Liveness of the process.
#[derive(Object)]
#[oai(example)]
struct Health {
    /// Always `ok`: a process that is not alive does not respond.
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
    /// Requests are served; `degraded` means that another component fails: a background worker, the attachment store,
    /// or the registry of machine principals.
    #[oai(status = 200)]
    Ready(Json<Readiness>),
    /// The store cannot be written to or read from, so requests would fail.
    #[oai(status = 503)]
    Unavailable(Json<Readiness>),
}

#[OpenApi(tag = "Chapter::Operations")]
impl HealthRoutes {
    /// Check liveness
    ///
    /// Responds without accessing the store, so a slow disk never makes an orchestrator kill the process. Use it as a
    /// liveness probe.
    #[oai(path = "/healthz", method = "get", operation_id = "get_health")]
    #[expect(clippy::unused_async, reason = "the framework takes asynchronous handlers only")]
    async fn healthz(&self) -> Json<Health> {
        Json(Health::example())
    }

    /// Check readiness
    ///
    /// Writes to the store, reads it back, and reports the state of the store, the attachment store and the
    /// background workers. Use it as a readiness probe: 200 for `ready` and `degraded`, 503 for `unavailable`. For
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
