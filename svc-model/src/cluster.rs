//! Cluster jobs: handlers that turn the events of an agent into Jobs of a Kubernetes cluster, and the runs of these.
//!
//! Invariants: a handler that passes [`NewHandler::checked`] is accepted by every cluster, apart from what only the
//! cluster knows (whether the namespace, the service account and the image exist, and what a quota allows).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, FieldError, Result};
use crate::harness::is_variable;
use crate::ids::{EventSeq, HandlerId, MessageId, RunId};
use crate::limits;
use crate::runs::RunStatus;
use crate::timestamp::Timestamp;
use crate::webhooks::{WebhookEvent, checked_events};

/// A handler: each of its events becomes one Job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "K8sHandler"))]
pub struct ClusterHandler {
    /// Its id.
    pub id: HandlerId,
    /// The handle of the agent whose events it handles.
    pub agent: String,
    /// The image of the container.
    pub image: String,
    /// The events that it handles; `*` for all.
    pub events: Vec<WebhookEvent>,
    /// The namespace of its Jobs; `null` for the namespace that the hub is configured with.
    pub namespace: Option<String>,
    /// Variables of the environment. Secrets are set elsewhere.
    pub env: BTreeMap<String, String>,
    /// The memory of the container, as a Kubernetes quantity such as `512Mi`.
    pub memory: Option<String>,
    /// The processor time of the container, as a Kubernetes quantity such as `500m`.
    pub cpu: Option<String>,
    /// The time limit of a Job, in seconds.
    pub timeout_seconds: u32,
    /// The service account of the pod. Without it, the pod gets no token for the API of the cluster.
    pub service_account: Option<String>,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// The handlers of the caller, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "K8sHandlerList"))]
pub struct ClusterHandlerList {
    /// The handlers.
    pub handlers: Vec<ClusterHandler>,
    /// The total number of handlers.
    pub total: i64,
    /// Where Jobs are created, or why they cannot be.
    pub cluster: ClusterStatus,
}

/// Whether the hub has a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "K8sCluster"))]
pub struct ClusterStatus {
    /// Whether a cluster is configured. Whether it answers shows when a Job is created.
    pub configured: bool,
    /// The namespace of Jobs whose handlers name none.
    pub namespace: Option<String>,
    /// What to set when no cluster is configured, or what is wrong with the configuration.
    pub problem: Option<String>,
}

/// The filter of a list of handlers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandlerFilter {
    /// Only handlers of this agent.
    pub agent: Option<String>,
}

/// The request to register a handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "CreateK8sHandler", skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewHandler {
    /// The agent whose events it handles; an agent can leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The image of the container, such as `registry.example.org/agent:1`.
    pub image: String,
    /// The events that it handles; `*` for all.
    pub events: Vec<WebhookEvent>,
    /// The namespace of its Jobs; that of the hub when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Variables of the environment, up to 128. They are shown to everybody who sees the handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
    /// The memory of the container, as a Kubernetes quantity such as `512Mi`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// The processor time of the container, as a Kubernetes quantity such as `500m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// The time limit of a Job, 60 to 3600 seconds; 600 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
    /// The service account of the pod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account: Option<String>,
}

impl NewHandler {
    /// A handler with an image and its events, and the default of everything else.
    pub fn new(image: impl Into<String>, events: Vec<WebhookEvent>) -> Self {
        Self {
            agent: None,
            image: image.into(),
            events,
            namespace: None,
            env: None,
            memory: None,
            cpu: None,
            timeout_seconds: None,
            service_account: None,
        }
    }

    /// Reports all invalid fields at once.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        match checked_events(&self.events) {
            Ok(events) => self.events = events,
            Err(error) => faults.extend_from_slice(error.fields()),
        }
        let mut fault = |field: &str, message: String| faults.push(FieldError { field: field.to_owned(), message });
        if !is_image(&self.image) {
            let most = limits::IMAGE_MAX;
            fault(
                "image",
                format!("must be the name of an image such as registry.example.org/agent:1, up to {most} bytes"),
            );
        }
        if self.namespace.as_deref().is_some_and(|name| !is_label(name)) {
            fault("namespace", LABEL.to_owned());
        }
        // A service account is named as a subdomain: labels that dots join.
        let is_account = |name: &str| name.len() <= limits::SUBDOMAIN_MAX && name.split('.').all(is_label);
        if self.service_account.as_deref().is_some_and(|name| !is_account(name)) {
            fault("service_account", LABEL.to_owned());
        }
        if self.memory.as_deref().is_some_and(|text| !is_memory(text)) {
            fault("memory", "must be a quantity from 16Mi to 1Ti, such as 512Mi or 2Gi".to_owned());
        }
        if self.cpu.as_deref().is_some_and(|text| !is_cpu(text)) {
            fault("cpu", "must be a quantity from 1m to 256, such as 500m or 2".to_owned());
        }
        let range = limits::HANDLER_SECONDS_RANGE;
        if self.timeout_seconds.is_some_and(|seconds| !range.contains(&seconds)) {
            fault("timeout_seconds", format!("must be {} to {}", range.start(), range.end()));
        }
        let env = self.env.iter().flatten();
        if self.env.as_ref().is_some_and(|env| env.len() > limits::HARNESS_ENV_MAX) {
            fault("env", format!("must have at most {} entries", limits::HARNESS_ENV_MAX));
        }
        if env.clone().map(|(name, value)| name.len() + value.len()).sum::<usize>() > limits::HANDLER_ENV_BYTES {
            fault("env", format!("must have at most {} bytes in all", limits::HANDLER_ENV_BYTES));
        }
        for (name, value) in env {
            if !is_variable(name) {
                fault(
                    &format!("env.{name}"),
                    "must be the name of a variable: letters, digits, underscores".to_owned(),
                );
            } else if name.starts_with("SVC_") {
                fault(&format!("env.{name}"), "must not begin with SVC_, which the hub uses".to_owned());
            }
            if value.contains('\0') {
                fault(&format!("env.{name}"), "must not contain the NUL character".to_owned());
            }
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// The complaint about a name that is no DNS label.
const LABEL: &str = "must have 1 to 63 lower-case letters, digits and -, and begin and end with a letter or digit";

/// Whether a text is a DNS label, as names of namespaces are.
pub fn is_label(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=limits::LABEL_MAX).contains(&text.len())
        && text.bytes().all(is_inner)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// Whether a text can be the name of an image. Registries know the rest.
fn is_image(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/:@".contains(&byte);
    (1..=limits::IMAGE_MAX).contains(&text.len())
        && text.bytes().all(is_inner)
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.ends_with(|last: char| last.is_ascii_alphanumeric())
}

/// A quantity as a number and its suffix.
fn quantity(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit()) && digits.len() <= limits::QUANTITY_DIGITS;
    is_number.then(|| digits.parse().ok()).flatten().map(|number| (number, suffix))
}

fn is_memory(text: &str) -> bool {
    const KI: f64 = 1024.0;
    let Some((number, suffix)) = quantity(text) else { return false };
    let unit = match suffix {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "Ki" => KI,
        "Mi" => KI * KI,
        "Gi" => KI * KI * KI,
        "Ti" => KI * KI * KI * KI,
        _ => return false,
    };
    (16.0 * KI * KI..=KI * KI * KI * KI).contains(&(number * unit))
}

fn is_cpu(text: &str) -> bool {
    let Some((number, suffix)) = quantity(text) else { return false };
    let cores = match suffix {
        "" => number,
        // A thousandth of a core cannot be divided.
        "m" if !text.contains('.') => number / 1000.0,
        _ => return false,
    };
    (0.001..=256.0).contains(&cores)
}

crate::row! {
    /// A run that takes place as a Job of a cluster.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(rename = "K8sRun"))]
    pub struct ClusterRun {
        /// The run; `GET /api/runs/{id}` has its story.
        pub id: RunId,
        /// The handle of the agent.
        pub agent: String,
        /// The handler; `null` for a run of a harness with the backend `k8s`, and when the handler was deleted.
        pub handler_id: Option<HandlerId>,
        /// The event that it handles.
        pub event: Option<WebhookEvent>,
        /// The position of the event in the log.
        pub event_sequence: Option<EventSeq>,
        /// The status of the run.
        pub status: RunStatus,
        /// Why it failed or was cancelled: a word such as `timeout`, `image` or `exit_code`.
        pub error: Option<String>,
        /// Why it failed, in words.
        pub error_detail: Option<String>,
        /// The exit code of the container.
        pub exit_code: Option<i64>,
        /// The image of the container.
        pub image: String,
        /// The namespace of the Job; `null` until it is created.
        pub namespace: Option<String>,
        /// The name of the Job; `null` until it is created.
        pub job: Option<String>,
        /// The message that the event is about.
        pub trigger_message_id: Option<MessageId>,
        /// The run that it repeats.
        pub retry_of: Option<RunId>,
        /// When the event was read.
        pub created_at: Timestamp,
        /// When a node began it; `null` when none did.
        pub started_at: Option<Timestamp>,
        /// When it ended.
        pub ended_at: Option<Timestamp>,
    }
}

/// A page of runs in clusters, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "K8sRunPage"))]
pub struct ClusterRunPage {
    /// The runs.
    pub runs: Vec<ClusterRun>,
    /// The `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<RunId>,
}

/// The filter of a list of runs in clusters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClusterRunFilter {
    /// Only runs of this agent.
    pub agent: Option<String>,
    /// Only runs of this handler.
    pub handler: Option<HandlerId>,
    /// Only runs before this one.
    pub before: Option<RunId>,
    /// Page size.
    pub limit: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(change: impl FnOnce(&mut NewHandler)) -> Vec<String> {
        let mut new = NewHandler::new("registry.example.org/team/agent:1.2", vec![WebhookEvent::All]);
        change(&mut new);
        match new.checked() {
            Ok(_) => Vec::new(),
            Err(error) => error.fields().iter().map(|fault| fault.field.clone()).collect(),
        }
    }

    #[test]
    fn handlers_that_a_cluster_accepts_are_accepted() {
        assert_eq!(faults(|_| {}), Vec::<String>::new());
        for image in ["a", "agent", "agent@sha256:0123", "localhost:5000/a/b_c:latest"] {
            assert_eq!(faults(|new| new.image = image.to_owned()), Vec::<String>::new(), "{image}");
        }
        for memory in ["16Mi", "512Mi", "2Gi", "1Ti", "1.5Gi", "16777216", "64M"] {
            assert_eq!(faults(|new| new.memory = Some(memory.to_owned())), Vec::<String>::new(), "{memory}");
        }
        for cpu in ["1m", "500m", "2", "0.5", "256"] {
            assert_eq!(faults(|new| new.cpu = Some(cpu.to_owned())), Vec::<String>::new(), "{cpu}");
        }
        let full = |new: &mut NewHandler| {
            new.namespace = Some("a".repeat(63));
            new.service_account = Some("runner.agents".to_owned());
            new.timeout_seconds = Some(3600);
            new.env = Some(BTreeMap::from([("MODEL".to_owned(), "large".to_owned())]));
        };
        assert_eq!(faults(full), Vec::<String>::new());
    }

    #[test]
    fn a_fault_is_named_by_its_field() {
        for image in ["", " ", "-x", "a b", "a\nb", "a:", &"a".repeat(limits::IMAGE_MAX + 1)] {
            assert_eq!(faults(|new| new.image = image.to_owned()), ["image"], "{image:?}");
        }
        for name in ["", "A", "-a", "a-", "a_b", "a.b", &"a".repeat(64)] {
            assert_eq!(faults(|new| new.namespace = Some(name.to_owned())), ["namespace"], "{name:?}");
        }
        for name in ["", "A", ".a", "a..b", &"a".repeat(254)] {
            assert_eq!(faults(|new| new.service_account = Some(name.to_owned())), ["service_account"], "{name:?}");
        }
        for memory in ["", "lots", "1Mi", "2Ti", "512m", "512MB", "-1Gi", "1e9", ".5Gi", "00000000000000000000001Gi"] {
            assert_eq!(faults(|new| new.memory = Some(memory.to_owned())), ["memory"], "{memory:?}");
        }
        for cpu in ["", "0", "257", "1.5m", "1Gi", "-1", "all"] {
            assert_eq!(faults(|new| new.cpu = Some(cpu.to_owned())), ["cpu"], "{cpu:?}");
        }
        for seconds in [0, 59, 3601] {
            assert_eq!(faults(|new| new.timeout_seconds = Some(seconds)), ["timeout_seconds"]);
        }
        let env = |name: &str, value: &str| Some(BTreeMap::from([(name.to_owned(), value.to_owned())]));
        assert_eq!(faults(|new| new.env = env("SVC_URL", "x")), ["env.SVC_URL"]);
        assert_eq!(faults(|new| new.env = env("A-B", "x")), ["env.A-B"]);
        assert_eq!(faults(|new| new.env = env("A", "\0")), ["env.A"]);
        assert_eq!(faults(|new| new.env = env("A", &"x".repeat(limits::HANDLER_ENV_BYTES))), ["env"]);
        assert_eq!(faults(|new| new.events = Vec::new()), ["events"]);
        let several = |new: &mut NewHandler| {
            new.image = String::new();
            new.cpu = Some("all".to_owned());
        };
        assert_eq!(faults(several), ["image", "cpu"]);
    }
}
