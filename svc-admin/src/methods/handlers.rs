//! `handlers.*`: events of agents that become Jobs of a Kubernetes cluster, and the runs of these Jobs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::cluster::{
    ClusterHandler, ClusterHandlerList, ClusterRun, ClusterRunFilter, ClusterRunPage, HandlerFilter, NewHandler,
};
use svc_core::ids::{HandlerId, RunId};
use svc_core::webhooks::WebhookEvent;

use super::runs::{LogText, RunParams};
use super::{Method, Server, missing, root};

/// Lists handlers.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only handlers of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

impl Method for List {
    const NAME: &'static str = "handlers.list";
    const ABOUT: &'static str = "List handlers, of one agent or of all, and the cluster that Jobs are created in.";
    type Params = ListParams;
    type Answer = ClusterHandlerList;

    async fn run(server: &Server, params: ListParams) -> Result<ClusterHandlerList> {
        server.hub.cluster().handlers(&root(), HandlerFilter { agent: params.agent }).await
    }
}

/// Registers a handler.
pub struct Create;

/// Parameters of [`Create`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// The agent whose events it handles.
    pub agent: String,
    /// The image of the container.
    pub image: String,
    /// The events that it handles.
    pub events: Vec<String>,
    /// The namespace of its Jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Variables of the environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The memory of the container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// The processor time of the container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// The time limit of a Job, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
    /// The service account of the pod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account: Option<String>,
}

impl Method for Create {
    const NAME: &'static str = "handlers.create";
    const ABOUT: &'static str = "Register a handler of an agent: each of its events becomes a Job with this image.";
    type Params = CreateParams;
    type Answer = ClusterHandler;

    async fn run(server: &Server, params: CreateParams) -> Result<ClusterHandler> {
        let mut events = Vec::with_capacity(params.events.len());
        for name in &params.events {
            events.push(WebhookEvent::parse("events", name)?);
        }
        let new = NewHandler {
            agent: Some(params.agent.clone()),
            image: params.image,
            events,
            namespace: params.namespace,
            env: Some(params.env),
            memory: params.memory,
            cpu: params.cpu,
            timeout_seconds: params.timeout_seconds,
            service_account: params.service_account,
        };
        match server.hub.cluster().register(&root(), new).await {
            Ok(handler) => Ok(handler),
            Err(error) => Err(missing::agent(server, &params.agent, error).await),
        }
    }
}

/// A handler as the only parameter.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandlerParams {
    /// Its id.
    pub id: HandlerId,
}

/// Deletes a handler.
pub struct Delete;

impl Method for Delete {
    const NAME: &'static str = "handlers.delete";
    const ABOUT: &'static str = "Delete a handler. Its runs stay, and Jobs that run go on.";
    type Params = HandlerParams;
    type Answer = HandlerParams;

    async fn run(server: &Server, params: HandlerParams) -> Result<HandlerParams> {
        server.hub.cluster().delete(&root(), params.id).await?;
        Ok(params)
    }
}

/// Lists runs that are Jobs.
pub struct Runs;

/// Parameters of [`Runs`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunsParams {
    /// Only runs of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only runs of this handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handler: Option<HandlerId>,
    /// Only runs before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<RunId>,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Method for Runs {
    const NAME: &'static str = "handlers.runs";
    const ABOUT: &'static str = "List runs that are Jobs of the cluster, newest first.";
    type Params = RunsParams;
    type Answer = ClusterRunPage;

    async fn run(server: &Server, params: RunsParams) -> Result<ClusterRunPage> {
        let RunsParams { agent, handler, before, limit } = params;
        server.hub.cluster().runs(&root(), ClusterRunFilter { agent, handler, before, limit }).await
    }
}

/// Shows a run that is a Job.
pub struct Show;

impl Method for Show {
    const NAME: &'static str = "handlers.show";
    const ABOUT: &'static str = "Show a run that is a Job: its event, its image, its namespace and its end.";
    type Params = RunParams;
    type Answer = ClusterRun;

    async fn run(server: &Server, params: RunParams) -> Result<ClusterRun> {
        server.hub.cluster().run(&root(), params.id).await
    }
}

/// Reads the log of a Job.
pub struct Logs;

impl Method for Logs {
    const NAME: &'static str = "handlers.logs";
    const ABOUT: &'static str = "Return the log of a Job as far as it is known.";
    type Params = RunParams;
    type Answer = LogText;

    async fn run(server: &Server, params: RunParams) -> Result<LogText> {
        Ok(LogText { id: params.id, text: server.hub.cluster().log(&root(), params.id).await? })
    }
}
