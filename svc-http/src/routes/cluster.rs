//! `/api/k8s`: handlers that turn events of agents into Jobs of a Kubernetes cluster, and the runs of these Jobs.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::cluster::{
    ClusterHandler, ClusterHandlerList, ClusterRun, ClusterRunFilter, ClusterRunPage, HandlerFilter, NewHandler,
};
use svc_core::ids::{HandlerId, RunId};

use super::Chapter;
use super::run_logs::LogText;
use crate::answer::{Answer, Created, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct ClusterRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Cluster")]
impl ClusterRoutes {
    /// List handlers
    ///
    /// Those of your agents, oldest first; an agent sees its own. `cluster` says where Jobs are created, or what to set
    /// when there is no cluster.
    #[oai(path = "/api/k8s/handlers", method = "get", operation_id = "list_k8s_handlers")]
    async fn handlers(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only handlers of this agent.
        agent: Query<Option<String>>,
    ) -> Result<Answer<ClusterHandlerList>, Problem> {
        let filter = HandlerFilter { agent: agent.0 };
        Ok(Answer(self.state.hub().cluster().handlers(&caller, filter).await?))
    }

    /// Register a handler
    ///
    /// From now on, each of its events becomes one Job with this image. An agent can have ten handlers
    /// (`too_many_handlers`). For example `{"agent": "reviewer", "image": "registry.example.org/reviewer:1", "events":
    /// ["message.received"]}`, or with `"events": ["*"], "namespace": "agents", "memory": "512Mi", "cpu": "500m",
    /// "timeout_seconds": 900, "env": {"MODEL": "large"}`. A hub without a cluster accepts it too; its runs then fail
    /// with `cluster_unavailable`.
    #[oai(path = "/api/k8s/handlers", method = "post", operation_id = "create_k8s_handler")]
    async fn register(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(new): JsonBody<NewHandler>,
    ) -> Result<Created<ClusterHandler>, Problem> {
        Ok(Created(self.state.hub().cluster().register(&idempotency_key.of(caller)?, new).await?))
    }

    /// Delete a handler
    ///
    /// Jobs that run go on to their end. Runs that are queued are cancelled. Its runs stay, and cannot be repeated.
    #[oai(path = "/api/k8s/handlers/:id", method = "delete", operation_id = "delete_k8s_handler")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the handler.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().cluster().delete(&caller, HandlerId(id.0)).await?;
        Ok(NoContent)
    }

    /// List runs in the cluster
    ///
    /// Newest first: the runs of handlers, and those of agents whose harness has the backend `k8s`. They are listed by
    /// `GET /api/runs` too. For example `/api/k8s/runs?agent=reviewer&handler=7`.
    #[oai(path = "/api/k8s/runs", method = "get", operation_id = "list_k8s_runs")]
    async fn runs(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only runs of this agent.
        agent: Query<Option<String>>,
        /// Only runs of this handler.
        handler: Query<Option<i64>>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<ClusterRunPage>, Problem> {
        let filter = ClusterRunFilter {
            agent: agent.0,
            handler: handler.0.map(HandlerId),
            before: cursor.0.map(RunId),
            limit: limit.0,
        };
        Ok(Answer(self.state.hub().cluster().runs(&caller, filter).await?))
    }

    /// Get a run in the cluster
    ///
    /// With its event, its image and its Job. 404 for a run that is no Job. `GET /api/runs/{id}` has its prompt and its
    /// response, `POST /api/runs/{id}/retry` repeats it and `POST /api/runs/{id}/cancel` ends it.
    #[oai(path = "/api/k8s/runs/:id", method = "get", operation_id = "get_k8s_run")]
    async fn run(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the run.
        id: Path<i64>,
    ) -> Result<Answer<ClusterRun>, Problem> {
        Ok(Answer(self.state.hub().cluster().run(&caller, RunId(id.0)).await?))
    }

    /// Get the log of a run in the cluster
    ///
    /// As text: what the container has printed so far, at most 1 MiB. With `follow=true` the response goes on until the
    /// run has ended. Logs are kept for 7 days, after that an excerpt of 16 KiB.
    #[oai(path = "/api/k8s/runs/:id/logs", method = "get", operation_id = "get_k8s_run_logs")]
    async fn logs(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the run.
        id: Path<i64>,
        /// Whether to wait for what follows.
        follow: Query<Option<bool>>,
    ) -> Result<LogText, Problem> {
        let cluster = self.state.hub().cluster();
        if follow.0 == Some(true) {
            let log = cluster.follow_log(&caller, RunId(id.0)).await?;
            return Ok(LogText::followed(log, &self.state));
        }
        Ok(LogText::known(cluster.log(&caller, RunId(id.0)).await?))
    }
}
