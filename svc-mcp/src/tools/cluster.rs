//! Handlers of the agent itself: its events as Jobs of a Kubernetes cluster.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::cluster::{ClusterHandler, ClusterStatus, HandlerFilter, NewHandler};
use svc_core::ids::HandlerId;
use svc_core::webhooks::WebhookEvent;

use super::webhooks::Event;
use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};

const ALSO_ID: &[(&str, &str)] = &[("handler_id", "id")];

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new(
            "register_k8s_handler",
            Effect::Adds,
            "Run a Kubernetes Job for each of your events.",
            register_k8s_handler,
        )
        .answers::<HandlerEntry>(),
        Entry::new("list_k8s_handlers", Effect::Reads, "List your handlers and the cluster.", list_k8s_handlers)
            .for_agents()
            .answers::<HandlerEntries>(),
        Entry::new("delete_k8s_handler", Effect::Removes, "Delete a handler.", delete_k8s_handler)
            .also(ALSO_ID)
            .answers::<Removed>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RegisterHandler {
    /// example.org/agent:1
    #[schemars(length(min = 1, max = 512))]
    image: String,
    /// as in `register_webhook`
    #[schemars(with = "Vec<String>", length(min = 1, max = 16), inner(length(max = 40)))]
    events: Vec<Event>,
    /// of Jobs
    #[serde(default)]
    #[schemars(length(max = 63))]
    namespace: Option<String>,
    /// not secret
    #[serde(default)]
    env: Option<BTreeMap<String, String>>,
    /// 512Mi
    #[serde(default)]
    #[schemars(length(max = 20))]
    memory: Option<String>,
    /// 500m
    #[serde(default)]
    #[schemars(length(max = 20))]
    cpu: Option<String>,
    /// default 600
    #[serde(default)]
    #[schemars(range(min = 60, max = 3600))]
    timeout_seconds: Option<u32>,
    /// of pods
    #[serde(default)]
    #[schemars(length(max = 253))]
    service_account: Option<String>,
}

/// A handler as its agent reads it.
#[derive(Serialize, JsonSchema)]
struct HandlerEntry {
    #[schemars(with = "answers::Id")]
    id: HandlerId,
    image: String,
    events: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    timeout_seconds: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    service_account: Option<String>,
}

impl From<ClusterHandler> for HandlerEntry {
    fn from(handler: ClusterHandler) -> Self {
        Self {
            id: handler.id,
            image: handler.image,
            events: handler.events.into_iter().map(WebhookEvent::as_str).collect(),
            namespace: handler.namespace,
            env: handler.env,
            memory: handler.memory,
            cpu: handler.cpu,
            timeout_seconds: handler.timeout_seconds,
            service_account: handler.service_account,
        }
    }
}

async fn register_k8s_handler(call: Call, args: RegisterHandler) -> Outcome {
    let new = NewHandler {
        agent: None,
        image: args.image,
        events: args.events.into_iter().map(Into::into).collect(),
        namespace: args.namespace,
        env: args.env,
        memory: args.memory,
        cpu: args.cpu,
        timeout_seconds: args.timeout_seconds,
        service_account: args.service_account,
    };
    let handler = call.hub.cluster().register(&call.caller, new).await?;
    Answer::of(&HandlerEntry::from(handler))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Serialize, JsonSchema)]
struct HandlerEntries {
    handlers: Vec<HandlerEntry>,
    cluster: ClusterEntry,
}

/// The cluster of the hub as an agent reads it.
#[derive(Serialize, JsonSchema)]
struct ClusterEntry {
    configured: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl From<ClusterStatus> for ClusterEntry {
    fn from(ClusterStatus { configured, namespace, problem }: ClusterStatus) -> Self {
        Self { configured, namespace, problem }
    }
}

async fn list_k8s_handlers(call: Call, _: Nothing) -> Outcome {
    let found = call.hub.cluster().handlers(&call.caller, HandlerFilter::default()).await?;
    let handlers = found.handlers.into_iter().map(Into::into).collect();
    Answer::of(&HandlerEntries { handlers, cluster: found.cluster.into() })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteHandler {
    /// handler
    #[schemars(range(min = 1))]
    id: i64,
}

#[derive(Serialize, JsonSchema)]
struct Removed {
    #[schemars(with = "answers::Id")]
    deleted: HandlerId,
}

async fn delete_k8s_handler(call: Call, args: DeleteHandler) -> Outcome {
    call.hub.cluster().delete(&call.caller, HandlerId(args.id)).await?;
    Answer::of(&Removed { deleted: HandlerId(args.id) })
}
