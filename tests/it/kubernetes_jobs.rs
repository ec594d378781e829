//! Runs as Jobs of a real Kubernetes API server, without a hub: what a Job is made of, how it ends, and what the hub
//! needs to be allowed.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use svc_core::Result;
use svc_core::cluster::ClusterConfig;
use svc_core::harness::{
    Harness, HarnessBackend, HarnessSettings, LogSink, Pod, RunEnd, RunFailure, RunJob, RunResult, Site,
};
use svc_core::ids::{HandlerId, RunId};
use tokio_util::sync::CancellationToken;

use crate::support::kubernetes::{Namespace, SHELL, committed_role, own_kubernetes, shared_kubernetes};
use crate::support::runs::{SECRET, TestRuns, failed, job, succeeded};
use crate::support::wait::{soon, until};

/// A site that takes everything.
struct Anywhere;

#[async_trait]
impl Site for Anywhere {
    async fn chosen(&self, _: &str, _: &str) -> Result<()> {
        Ok(())
    }

    async fn created(&self) -> Result<()> {
        Ok(())
    }
}

fn pod() -> Pod {
    Pod {
        handler: None,
        namespace: None,
        memory: Some("64Mi".into()),
        cpu: None,
        service_account: None,
        event: None,
        is_created: false,
        site: Arc::new(Anywhere),
    }
}

/// A job of an image. Every one has a run of its own.
fn of_image(image: &str) -> RunJob {
    static RUN: AtomicI64 = AtomicI64::new(100);
    let settings = HarnessSettings {
        backend: HarnessBackend::K8s,
        image: Some(image.into()),
        timeout_seconds: 60,
        ..HarnessSettings::default()
    };
    let run = RunId(RUN.fetch_add(1, Ordering::Relaxed));
    RunJob { run, pod: Some(pod()), ..job("scout", settings) }
}

fn script(text: &str) -> RunJob {
    let mut job = of_image(SHELL);
    job.settings.env.insert("SCRIPT".into(), text.into());
    job
}

fn name(job: &RunJob) -> String {
    format!("svc-scout-{}", job.run)
}

async fn runs_in(config: ClusterConfig) -> TestRuns {
    TestRuns::start_with(|runs| runs.cluster = config).await
}

/// A namespace, and harnesses that use it.
async fn place() -> Option<(Namespace, TestRuns)> {
    let namespace = shared_kubernetes()?.namespace().await;
    let runs = runs_in(namespace.config()).await;
    Some((namespace, runs))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_made_as_documented() {
    let Some((namespace, runs)) = place().await else { return };
    let mut job = script("exit 0");
    job.pod = Some(Pod {
        handler: Some(HandlerId(3)),
        memory: Some("64Mi".into()),
        cpu: Some("250m".into()),
        service_account: None,
        event: Some("{\"type\":\"message.received\"}".into()),
        ..pod()
    });
    succeeded(runs.run(&job).await.0);
    let made = namespace.find(&format!("jobs/{}", name(&job))).await.expect("the Job stays for an hour");
    let labels = &made["metadata"]["labels"];
    for (label, value) in [
        ("app.kubernetes.io/managed-by", "svc"),
        ("svc/hub", namespace.name.as_str()),
        ("svc/agent", "scout"),
        ("svc/handler", "3"),
        ("svc/run", &job.run.to_string()),
    ] {
        assert_eq!(labels[label], value, "{label}");
        assert_eq!(made["spec"]["template"]["metadata"]["labels"][label], value, "{label} of the pod");
    }
    let spec = &made["spec"];
    assert_eq!((&spec["backoffLimit"], &spec["activeDeadlineSeconds"]), (&json!(0), &json!(60)));
    assert_eq!(spec["ttlSecondsAfterFinished"], 3600);
    let pod = &spec["template"]["spec"];
    assert_eq!((&pod["restartPolicy"], &pod["automountServiceAccountToken"]), (&json!("Never"), &json!(false)));
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    let container = &pod["containers"][0];
    assert_eq!(container["image"], SHELL);
    assert_eq!(container["securityContext"]["allowPrivilegeEscalation"], false);
    assert_eq!(container["securityContext"]["capabilities"]["drop"], json!(["ALL"]));
    assert_eq!(container["resources"]["limits"], json!({ "memory": "64Mi", "cpu": "250m" }));
    let variable = |name: &str| {
        let all = container["env"].as_array().unwrap();
        all.iter().find(|variable| variable["name"] == name).unwrap_or_else(|| panic!("{name} in {all:?}"))
    };
    assert_eq!(variable("SVC_RUN_ID")["value"], job.run.to_string());
    assert_eq!(variable("SVC_EVENT_FILE")["value"], "/svc/event.json");
    // What must not be read in the Job is in the Secret, which has the Job as its owner.
    for (secret, key) in [("SVC_AGENT_KEY", "env.SVC_AGENT_KEY"), ("OWNER_KEY", "env.OWNER_KEY")] {
        let reference = json!({ "name": name(&job), "key": key });
        assert_eq!(variable(secret)["valueFrom"]["secretKeyRef"], reference);
    }
    let text = made.to_string();
    assert!(!text.contains(&job.credential) && !text.contains(SECRET), "{text}");
    let secret = namespace.find(&format!("secrets/{}", name(&job))).await.unwrap();
    assert_eq!(secret["metadata"]["ownerReferences"][0]["uid"], made["metadata"]["uid"]);
    // It is gone with the Job.
    namespace.delete(&format!("jobs/{}", name(&job))).await;
    namespace.gone(&format!("secrets/{}", name(&job))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_gets_its_files_and_reports() {
    let Some((_namespace, runs)) = place().await else { return };
    // The last line of the log is the report.
    let job = script(
        r#"cat "$SVC_PROMPT_FILE"; echo; echo "key $OWNER_KEY"; test -s "$SVC_MESSAGES_FILE"
           echo '{"response": "It is green.", "usage": {"tokens_in": 10, "tokens_out": 5, "cost_usd": 0.5}}'"#,
    );
    let (end, log) = runs.run(&job).await;
    let RunResult { response, usage, exit_code, .. } = succeeded(end);
    assert_eq!((response.as_deref(), usage.cost_micros, exit_code), (Some("It is green."), Some(500_000), Some(0)));
    let log = log.whole();
    assert!(log.contains("Is the build green?") && log.contains("key "), "{log}");
    assert!(!log.contains(SECRET), "{log}");
    // The termination message is the report.
    let job = script(r#"echo chatter; echo '{"response": "Said at the end."}' > "$TERMINATION_LOG""#);
    assert_eq!(succeeded(runs.run(&job).await.0).response.as_deref(), Some("Said at the end."));
    // Output that is no report is no answer.
    assert_eq!(succeeded(runs.run(&script("echo chatter")).await.0).response, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_has_a_reason_that_a_person_understands() {
    let Some((namespace, runs)) = place().await else { return };
    let missing = RunJob { pod: Some(Pod { namespace: Some("nowhere".into()), ..pod() }), ..script("exit 0") };
    for (job, reason, words) in [
        (script("echo broken >&2; exit 42"), RunFailure::ExitCode, "exit code 42"),
        (of_image("svc.test/oom"), RunFailure::Memory, "more memory"),
        (of_image("svc.test/evicted"), RunFailure::Evicted, "low on resource"),
        (of_image("svc.test/unpullable"), RunFailure::Image, "cannot be pulled"),
        // The role holds in its own namespace only.
        (missing, RunFailure::ClusterForbidden, "nowhere"),
    ] {
        let image = job.settings.image.clone();
        let (found, detail) = failed(runs.run(&job).await.0);
        assert_eq!(found, reason, "{image:?}: {detail}");
        assert!(detail.contains(words), "{image:?}: {detail}");
    }
    // None of them was made twice, and those that never end were deleted.
    let jobs = namespace.jobs().await;
    assert_eq!(jobs.iter().filter(|job| job["status"]["active"] == 1).count(), 0, "{jobs:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_takes_too_long_is_ended_with_what_it_waited_for() {
    let Some((namespace, runs)) = place().await else { return };
    let within = |mut job: RunJob| {
        job.settings.timeout_seconds = 2;
        job
    };
    let (pending, endless) = (within(of_image("svc.test/pending")), within(script("echo begun; sleep 1000")));
    let ((never, _), (late, log)) = tokio::join!(runs.run(&pending), runs.run(&endless));
    let (reason, detail) = failed(never);
    assert_eq!(reason, RunFailure::Timeout, "{detail}");
    assert!(detail.contains("never started") && detail.contains("Insufficient memory"), "{detail}");
    let (reason, detail) = failed(late);
    assert_eq!(reason, RunFailure::Timeout, "{detail}");
    assert!(log.whole().contains("begun"), "{}", log.whole());
    assert_eq!(namespace.jobs().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_job_is_deleted_with_its_pod_and_its_secret() {
    let Some((namespace, runs)) = place().await else { return };
    let job = script("echo begun; sleep 1000");
    let (log, cancel) = (LogSink::of(&job), CancellationToken::new());
    let ending = async {
        until("it runs", async || log.whole().contains("begun").then_some(())).await;
        cancel.cancel();
    };
    let (end, ()) = tokio::join!(soon("the end", runs.harnesses.run(&job, &log, cancel.clone())), ending);
    assert_eq!(end, RunEnd::Cancelled);
    namespace.gone(&format!("jobs/{}", name(&job))).await;
    namespace.gone(&format!("secrets/{}", name(&job))).await;
    until("no pod is left", async || namespace.list("pods").await.is_empty().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_somebody_deletes_is_not_made_again() {
    let Some((namespace, runs)) = place().await else { return };
    let job = script("echo begun; sleep 1000");
    let log = LogSink::of(&job);
    let ending = async {
        until("it runs", async || log.whole().contains("begun").then_some(())).await;
        namespace.delete(&format!("jobs/{}", name(&job))).await;
    };
    let (end, ()) = tokio::join!(soon("the end", runs.harnesses.run(&job, &log, CancellationToken::new())), ending);
    assert_eq!(failed(end).0, RunFailure::JobDeleted);
    // A node that takes the run up knows that there was a Job.
    let again = RunJob { pod: Some(Pod { is_created: true, ..pod() }), ..job };
    namespace.gone(&format!("jobs/{}", name(&again))).await;
    assert_eq!(failed(runs.run(&again).await.0).0, RunFailure::JobDeleted);
    assert_eq!(namespace.jobs().await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_taken_up_finds_its_job() {
    let Some((namespace, runs)) = place().await else { return };
    let job = script("echo once; echo '{\"response\": \"done\"}'");
    assert_eq!(succeeded(runs.run(&job).await.0).response.as_deref(), Some("done"));
    // Whether or not the node before knew that it had created it.
    for is_created in [false, true] {
        let again = RunJob { pod: Some(Pod { is_created, ..pod() }), ..job.clone() };
        let (end, log) = runs.run(&again).await;
        assert_eq!(succeeded(end).response.as_deref(), Some("done"));
        assert_eq!(log.whole().matches("once").count(), 1);
    }
    assert_eq!(namespace.list("pods").await.len(), 1, "it ran once");
    // A Job of another hub under this name is left alone.
    let other = runs_in(ClusterConfig { hub: "another".into(), ..namespace.config() }).await;
    let (reason, detail) = failed(other.run(&job).await.0);
    assert_eq!(reason, RunFailure::ClusterRefused, "{detail}");
    assert_eq!(namespace.jobs().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_cannot_be_used_fails_the_run_and_says_why() {
    let Some(cluster) = shared_kubernetes() else { return };
    let files = &cluster.kubeconfigs;
    let with = |kubeconfig: &std::path::Path| ClusterConfig {
        kubeconfig: Some(kubeconfig.to_str().unwrap().to_owned()),
        hub: "h".into(),
        ..ClusterConfig::default()
    };
    for (config, reason, words) in [
        (ClusterConfig::default(), RunFailure::ClusterUnavailable, "set KUBECONFIG"),
        (with(std::path::Path::new("/nowhere/kubeconfig")), RunFailure::ClusterUnavailable, "/nowhere/kubeconfig"),
        (with(&files.wrong_ca), RunFailure::ClusterUnavailable, "certificate"),
        (with(&files.expired), RunFailure::ClusterForbidden, "expired"),
        (with(&files.outsider), RunFailure::ClusterForbidden, "outsider"),
    ] {
        let runs = runs_in(config).await;
        let (found, detail) = failed(runs.run(&script("exit 0")).await.0);
        assert_eq!(found, reason, "{detail}");
        assert!(detail.contains(words), "{detail}");
    }
}

/// Runs what needs every right: a run, a run that finds its Job, and one that is cancelled.
async fn needs_everything(namespace: &Namespace) -> bool {
    let runs = runs_in(namespace.config()).await;
    let job = script("echo once");
    let is_done = |end: &RunEnd, log: &LogSink| matches!(end, RunEnd::Succeeded(_)) && log.whole().contains("once\n");
    let (end, log) = runs.run(&job).await;
    let (again, second) = runs.run(&job).await;
    if !is_done(&end, &log) || !is_done(&again, &second) {
        return false;
    }
    let job = script("echo begun; sleep 1000");
    let (log, cancel) = (LogSink::of(&job), CancellationToken::new());
    let ending = async {
        until("it runs", async || log.whole().contains("begun").then_some(())).await;
        cancel.cancel();
    };
    tokio::join!(soon("the end", runs.harnesses.run(&job, &log, cancel.clone())), ending);
    let job = namespace.find(&format!("jobs/{}", name(&job))).await;
    job.is_none_or(|job| job["metadata"]["deletionTimestamp"].is_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_committed_role_suffices() {
    let Some((namespace, _)) = place().await else { return };
    assert!(needs_everything(&namespace).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_right_of_the_committed_role_is_needed() {
    let Some(cluster) = shared_kubernetes() else { return };
    let whole = committed_role();
    let rules = whole["rules"].as_array().unwrap();
    let reduced = rules.iter().enumerate().flat_map(|(number, rule)| {
        let whole = &whole;
        rule["verbs"].as_array().unwrap().iter().map(move |verb| {
            let mut role = whole.clone();
            let verbs = role["rules"][number]["verbs"].as_array_mut().unwrap();
            verbs.retain(|other| other != verb);
            if verbs.is_empty() {
                role["rules"].as_array_mut().unwrap().remove(number);
            }
            (format!("{} {}", verb, rule["resources"]), role)
        })
    });
    let checks = reduced.map(|(right, role)| async move {
        let namespace = cluster.namespace_with(role).await;
        assert!(!needs_everything(&namespace).await, "nothing needs {right}");
    });
    futures_util::future::join_all(checks).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_goes_on_while_the_api_server_restarts() {
    let Some(cluster) = own_kubernetes() else { return };
    let namespace = cluster.namespace().await;
    // A server that has just started may not know all rights yet.
    let runs = runs_in(ClusterConfig { patience: Duration::from_secs(20), ..namespace.config() }).await;
    let job = script("echo begun; until [ -e \"$GATE\" ]; do sleep 0.05; done; echo '{\"response\": \"done\"}'");
    let directory = tempfile::TempDir::new().unwrap();
    let gate = directory.path().join("gate");
    let mut job = job;
    job.settings.env.insert("GATE".into(), gate.to_str().unwrap().into());
    let log = LogSink::of(&job);
    let meanwhile = async {
        until("it runs", async || log.whole().contains("begun").then_some(())).await;
        tokio::task::spawn_blocking(|| cluster.restart()).await.unwrap();
        tokio::fs::write(&gate, "").await.unwrap();
    };
    let (end, ()) = tokio::join!(runs.harnesses.run(&job, &log, CancellationToken::new()), meanwhile);
    assert_eq!(succeeded(end).response.as_deref(), Some("done"));
    assert_eq!(log.whole().matches("begun").count(), 1, "{}", log.whole());
    assert_eq!(namespace.jobs().await.len(), 1);
}
