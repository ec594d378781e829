//! The states of a Job and its pod as the cluster reports them, and the reasons of failure that follow.

use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::Pod;
use svc_model::harness::RunFailure;
use tokio::time::Instant;

/// How a Job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JobEnd {
    Complete,
    Failed { reason: String, message: String },
}

/// A Job, as far as it matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JobView {
    pub(super) uid: String,
    pub(super) end: Option<JobEnd>,
    pub(super) is_leaving: bool,
}

impl JobView {
    pub(super) fn of(job: &Job) -> Self {
        let conditions = job.status.iter().flat_map(|status| status.conditions.iter().flatten());
        let mut end = None;
        for condition in conditions.filter(|condition| condition.status == "True") {
            match condition.type_.as_str() {
                "Complete" => end = Some(JobEnd::Complete),
                "Failed" => {
                    let reason = condition.reason.clone().unwrap_or_default();
                    end = Some(JobEnd::Failed { reason, message: condition.message.clone().unwrap_or_default() });
                }
                _ => {}
            }
        }
        Self {
            uid: job.metadata.uid.clone().unwrap_or_default(),
            end,
            is_leaving: job.metadata.deletion_timestamp.is_some(),
        }
    }
}

/// The end of a container.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Terminated {
    pub(super) exit_code: i32,
    pub(super) signal: Option<i32>,
    pub(super) reason: String,
    pub(super) message: String,
}

/// A pod, as far as it matters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PodView {
    pub(super) name: String,
    /// Why the pod as a whole ended, such as `Evicted`, in a word and in words.
    pub(super) reason: String,
    pub(super) message: String,
    /// Why the container does not run yet, in a word and in words.
    pub(super) waiting: Option<(String, String)>,
    /// Why no node takes it.
    pub(super) unscheduled: Option<String>,
    /// The container runs or has run, so there may be a log.
    pub(super) has_started: bool,
    pub(super) terminated: Option<Terminated>,
    /// The cluster ends it to make room, or its node is gone.
    pub(super) disruption: Option<String>,
    pub(super) is_deleted: bool,
}

impl PodView {
    pub(super) fn of(pod: &Pod) -> Self {
        let mut view = Self {
            name: pod.metadata.name.clone().unwrap_or_default(),
            is_deleted: pod.metadata.deletion_timestamp.is_some(),
            ..Self::default()
        };
        let Some(status) = &pod.status else { return view };
        view.reason = status.reason.clone().unwrap_or_default();
        view.message = status.message.clone().unwrap_or_default();
        for condition in status.conditions.iter().flatten() {
            let message = condition.message.clone().unwrap_or_default();
            match (condition.type_.as_str(), condition.status.as_str()) {
                ("PodScheduled", "False") => view.unscheduled = Some(message),
                ("DisruptionTarget", "True") => view.disruption = Some(message),
                _ => {}
            }
        }
        let state = status.container_statuses.iter().flatten().next().and_then(|status| status.state.as_ref());
        let Some(state) = state else { return view };
        view.has_started = state.running.is_some() || state.terminated.is_some();
        let waiting = state
            .waiting
            .as_ref()
            .and_then(|waiting| Some((waiting.reason.clone()?, waiting.message.clone().unwrap_or_default())));
        view.waiting =
            waiting.filter(|(reason, _)| !matches!(reason.as_str(), "ContainerCreating" | "PodInitializing"));
        view.terminated = state.terminated.as_ref().map(|end| Terminated {
            exit_code: end.exit_code,
            signal: end.signal,
            reason: end.reason.clone().unwrap_or_default(),
            message: end.message.clone().unwrap_or_default(),
        });
        view
    }

    /// Whether nothing more is to be known of it.
    pub(super) fn is_settled(&self) -> bool {
        self.terminated.is_some() || self.is_deleted || !self.reason.is_empty()
    }

    /// Takes a newer view. What is known of the end of the container stays: the pod may be removed after it.
    pub(super) fn renew(&mut self, newer: Self) {
        let known = std::mem::replace(self, newer);
        if known.name == self.name {
            self.terminated = self.terminated.take().or(known.terminated);
            self.has_started |= known.has_started;
            self.is_deleted |= known.is_deleted;
            self.disruption = self.disruption.take().or(known.disruption);
            self.waiting = self.waiting.take().or_else(|| known.waiting.filter(|_| !self.has_started));
            self.unscheduled = self.unscheduled.take().or_else(|| known.unscheduled.filter(|_| !self.has_started));
            if self.reason.is_empty() {
                (self.reason, self.message) = (known.reason, known.message);
            }
        }
    }
}

/// The last reported state of a Job.
#[derive(Debug, Clone, Default)]
pub(super) struct Sight {
    pub(super) job: Option<JobView>,
    pub(super) pod: Option<PodView>,
    /// Since when the Job is known not to exist.
    pub(super) missing: Option<Instant>,
    /// Why nothing new is known: the reason, and whether waiting is of no use.
    pub(super) trouble: Option<(RunFailure, String, bool)>,
}

/// The failure that follows when a waiting container stays in this state; none for a state that passes.
pub(super) fn obstacle(reason: &str, message: &str) -> Option<(RunFailure, String)> {
    let told = if message.is_empty() { reason.to_owned() } else { format!("{reason}: {message}") };
    match reason {
        "ErrImagePull"
        | "ImagePullBackOff"
        | "InvalidImageName"
        | "ErrImageNeverPull"
        | "ImageInspectError"
        | "RegistryUnavailable" => {
            Some((RunFailure::Image, format!("The image cannot be pulled. The cluster says: {told}")))
        }
        "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError" if message.contains("root") => {
            let hint = "The image runs as root, which is not allowed: give it a numeric USER other than 0.";
            Some((RunFailure::Image, format!("{hint} The cluster says: {told}")))
        }
        "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError" | "StartError" => {
            Some((RunFailure::NotStarted, format!("The container cannot be started. The cluster says: {told}")))
        }
        _ => None,
    }
}

/// Whether a state of a container cannot change by itself.
pub(super) fn is_hopeless(reason: &str) -> bool {
    matches!(reason, "InvalidImageName" | "ErrImageNeverPull")
}

/// Why a Job failed, in a word and in words, from what is known of it and of its pod.
pub(super) fn failure(reason: &str, message: &str, pod: Option<&PodView>, seconds: u32) -> (RunFailure, String) {
    if reason == "DeadlineExceeded" {
        let waited = pod.filter(|pod| !pod.has_started).map_or_else(String::new, |pod| {
            let why = match (&pod.waiting, &pod.unscheduled) {
                (Some((reason, message)), _) => format!("{reason}: {message}"),
                (None, Some(message)) => message.clone(),
                (None, None) => "the cluster gives no reason".to_owned(),
            };
            format!(" It never started: {why}")
        });
        return (RunFailure::Timeout, format!("It took longer than {seconds} seconds.{waited}"));
    }
    let Some(pod) = pod else {
        return (RunFailure::JobDeleted, format!("The Job failed and its pod is gone. The cluster says: {message}"));
    };
    if pod.reason == "Evicted"
        || pod.disruption.is_some()
        || matches!(pod.reason.as_str(), "NodeLost" | "Shutdown" | "Preempting")
    {
        let why = if pod.message.is_empty() { pod.disruption.clone().unwrap_or_default() } else { pod.message.clone() };
        return (RunFailure::Evicted, format!("The cluster ended its pod. It says: {why}"));
    }
    if let Some(end) = &pod.terminated {
        return ended(end);
    }
    if pod.is_deleted {
        return (RunFailure::JobDeleted, "Its pod was deleted before it ended.".to_owned());
    }
    let told = if pod.message.is_empty() { message } else { &pod.message };
    (RunFailure::NotStarted, format!("Its container did not run. The cluster says: {told}"))
}

/// Why a container failed.
fn ended(end: &Terminated) -> (RunFailure, String) {
    if end.reason == "OOMKilled" {
        return (RunFailure::Memory, "It used more memory than its limit.".to_owned());
    }
    if let Some(signal) = end.signal.filter(|signal| *signal > 0) {
        return (RunFailure::Signal, format!("It was ended by the signal {signal}."));
    }
    let why = match end.reason.as_str() {
        "" | "Error" | "Completed" => String::new(),
        reason => format!(" The cluster says: {reason}"),
    };
    (RunFailure::ExitCode, format!("It ended with the exit code {}.{why}", end.exit_code))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pod(status: &serde_json::Value) -> PodView {
        PodView::of(&serde_json::from_value(json!({ "metadata": { "name": "p" }, "status": status })).unwrap())
    }

    fn container(state: &serde_json::Value) -> PodView {
        pod(&json!({ "phase": "Failed", "containerStatuses": [
            { "name": "agent", "image": "a", "imageID": "", "ready": false, "restartCount": 0, "state": state }
        ] }))
    }

    #[test]
    fn a_failure_names_its_cause() {
        let of = |pod: Option<&PodView>| failure("BackoffLimitExceeded", "m", pod, 60).0;
        let oom = container(&json!({ "terminated": { "exitCode": 137, "reason": "OOMKilled" } }));
        assert_eq!(of(Some(&oom)), RunFailure::Memory);
        let code = container(&json!({ "terminated": { "exitCode": 3, "reason": "Error" } }));
        assert_eq!(
            failure("", "", Some(&code), 60),
            (RunFailure::ExitCode, "It ended with the exit code 3.".to_owned())
        );
        let evicted = pod(&json!({ "phase": "Failed", "reason": "Evicted", "message": "low on memory" }));
        assert_eq!(of(Some(&evicted)), RunFailure::Evicted);
        let moved = pod(&json!({ "phase": "Failed", "conditions": [
            { "type": "DisruptionTarget", "status": "True", "message": "preempted" }
        ] }));
        assert_eq!(of(Some(&moved)), RunFailure::Evicted);
        assert_eq!(of(None), RunFailure::JobDeleted);
        let deleted = PodView { is_deleted: true, ..PodView::default() };
        assert_eq!(of(Some(&deleted)), RunFailure::JobDeleted);
    }

    #[test]
    fn a_job_that_never_started_says_why() {
        let unscheduled = pod(&json!({ "phase": "Pending", "conditions": [
            { "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "Insufficient memory." }
        ] }));
        let (reason, told) = failure("DeadlineExceeded", "", Some(&unscheduled), 60);
        assert_eq!(reason, RunFailure::Timeout);
        assert!(told.ends_with("It never started: Insufficient memory."), "{told}");
    }

    #[test]
    fn the_end_of_a_container_is_known_after_its_pod_is_removed() {
        let mut view = container(&json!({ "terminated": { "exitCode": 3 } }));
        view.renew(PodView { name: "p".into(), is_deleted: true, ..PodView::default() });
        assert_eq!(view.terminated.map(|end| end.exit_code), Some(3));
    }

    #[test]
    fn obstacles_are_told_from_delays() {
        assert_eq!(obstacle("ImagePullBackOff", "").unwrap().0, RunFailure::Image);
        let root = obstacle("CreateContainerConfigError", "container has runAsNonRoot and image will run as root");
        assert!(root.unwrap().1.contains("numeric USER"));
        assert_eq!(obstacle("CreateContainerConfigError", "secret not found").unwrap().0, RunFailure::NotStarted);
        assert_eq!(obstacle("ContainerCreating", ""), None);
        assert!(is_hopeless("InvalidImageName") && !is_hopeless("ImagePullBackOff"));
    }
}
