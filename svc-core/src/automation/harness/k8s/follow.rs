//! A run as a Job: created once, followed to its end, deleted when it must not go on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{Pod as ClusterPod, Secret};
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, PostParams, Preconditions};
use svc_model::cluster::ClusterStatus;
use svc_model::harness::{RunFailure, RunReport};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::client::{Connection, connect, patiently};
use super::errors::Fault;
use super::observer::Observers;
use super::sight::{JobEnd, PodView, Sight, failure, is_hopeless, obstacle};
use super::spec::{self, Contents};
use super::{ClusterConfig, HOW, logs, no_cluster};
use crate::automation::harness::output::Output;
use crate::automation::harness::presets::CommandLine;
use crate::automation::harness::subprocess::conclude;
use crate::automation::harness::{Harness, LogSink, Pod, RemoteJob, RunEnd, RunJob, report};
use crate::error::{Error, Result};
use crate::ids::RunId;
use crate::limits;

/// Interval at which a run is looked at while nothing is told of it.
const LOOK: Duration = Duration::from_secs(1);
/// Time that the cluster has to say how the container of a Job ended that has ended itself.
const POD_LAG: Duration = Duration::from_secs(5);
/// Time that the cluster has to say how a Job ended whose container has ended.
const AFTER_END: Duration = Duration::from_secs(30);

/// The cluster of a hub.
pub(in crate::automation::harness) struct Kubernetes {
    config: ClusterConfig,
    open: tokio::sync::Mutex<Option<Arc<Open>>>,
}

/// An open connection.
struct Open {
    connection: Connection,
    observers: Arc<Observers>,
}

/// The Job of a run that exists in the cluster.
struct Created<'a> {
    open: &'a Open,
    namespace: &'a str,
    name: &'a str,
    uid: String,
}

impl Kubernetes {
    pub(in crate::automation::harness) fn new(config: ClusterConfig) -> Self {
        Self { config, open: tokio::sync::Mutex::default() }
    }

    /// The connection; none when no cluster is configured. An error says what is wrong with the configuration, which is
    /// read again the next time.
    async fn open(&self) -> Result<Option<Arc<Open>>, String> {
        let mut open = self.open.lock().await;
        if let Some(open) = open.as_ref() {
            return Ok(Some(open.clone()));
        }
        let Some(connection) = connect(&self.config).await? else { return Ok(None) };
        let observers = Arc::new(Observers::new(connection.client.clone(), spec::selector(&self.config.hub)));
        let made = Arc::new(Open { connection, observers });
        *open = Some(made.clone());
        Ok(Some(made))
    }

    /// Reads the configuration again before the next run: the cluster did not accept the credential.
    async fn reopen(&self) {
        *self.open.lock().await = None;
    }

    async fn attempt(&self, open: &Open, job: &RunJob, pod: &Pod, log: &LogSink, cancel: &CancellationToken) -> RunEnd {
        let namespace = pod.namespace.as_deref().unwrap_or(&open.connection.namespace);
        let name = spec::name(&job.agent, job.run);
        // Followed before it is created, so that nothing is missed.
        let mut watched = open.observers.follow(namespace, &name);
        let placed = Placed { hub: &self.config.hub, namespace, name: &name };
        let made = tokio::select! {
            made = ensure(open, &placed, job, pod) => made,
            () = cancel.cancelled() => {
                delete(open, namespace, &name, None).await;
                return RunEnd::Cancelled;
            }
        };
        let uid = match made {
            Ok(uid) => uid,
            Err(Refused { fault, is_created }) => {
                if matches!(fault, Fault::Unknown(_)) {
                    self.reopen().await;
                }
                if is_created {
                    delete(open, namespace, &name, None).await;
                }
                let (reason, detail) = fault.into_failure();
                return RunEnd::failed(reason, detail);
            }
        };
        log.note(&format!("Job {name} in the namespace {namespace}"));
        if pod.is_created {
            watched.ask();
        }
        let created = Created { open, namespace, name: &name, uid };
        created.follow(job, &mut watched.sight, log, cancel, self.config.patience).await
    }
}

/// Where the Job of a run will be.
struct Placed<'a> {
    hub: &'a str,
    namespace: &'a str,
    name: &'a str,
}

/// A Job that was not made as it should be.
struct Refused {
    fault: Fault,
    /// The Job itself may exist.
    is_created: bool,
}

/// Creates the Job and the Secret of a run, as far as they do not exist. Returns the id of the Job.
async fn ensure(open: &Open, placed: &Placed<'_>, job: &RunJob, pod: &Pod) -> Result<String, Refused> {
    let refused = |fault| Refused { fault, is_created: false };
    let internal = |error: &Error| refused(Fault::Final(RunFailure::Internal, error.message().to_owned()));
    let contents = Contents::of(job, pod);
    if !contents.fits() {
        let most = limits::CLUSTER_FILES_MAX / 1024;
        let detail = format!("Its files and secrets are larger than {most} KiB, which a Secret cannot hold.");
        return Err(refused(Fault::Final(RunFailure::Settings, detail)));
    }
    let line = CommandLine::of(&job.settings, job.session_id.as_deref().filter(|id| report::is_session(id)));
    let wanted = spec::job(placed.hub, placed.name, job, pod, &line, &contents).map_err(|error| {
        refused(Fault::Final(RunFailure::Internal, format!("The Job cannot be described: {error}")))
    })?;
    pod.site.chosen(placed.namespace, placed.name).await.map_err(|error| internal(&error))?;
    let jobs: Api<Job> = Api::namespaced(open.connection.client.clone(), placed.namespace);
    let gone = || {
        let detail = "The Job was removed from the cluster before the hub knew how it ended.".to_owned();
        refused(Fault::Final(RunFailure::JobDeleted, detail))
    };
    let made = if pod.is_created {
        Err(Fault::Exists)
    } else {
        let params = PostParams::default();
        patiently(|| jobs.create(&params, &wanted)).await
    };
    let found = match made {
        Ok(made) => made,
        Err(Fault::Exists) => match patiently(|| jobs.get(placed.name)).await {
            Ok(found) => found,
            Err(Fault::Missing(_)) => return Err(gone()),
            Err(fault) => return Err(refused(fault)),
        },
        // A namespace that does not exist.
        Err(fault) => return Err(refused(fault)),
    };
    if !spec::is_ours(found.labels(), placed.hub, job.run) {
        let detail = format!("There is a Job {} in {} that is not of this run.", placed.name, placed.namespace);
        return Err(refused(Fault::Final(RunFailure::ClusterRefused, detail)));
    }
    if found.metadata.deletion_timestamp.is_some() {
        return Err(gone());
    }
    let uid = found.metadata.uid.unwrap_or_default();
    let created = |fault| Refused { fault, is_created: true };
    let noted = pod.site.created().await;
    noted.map_err(|error| created(Fault::Final(RunFailure::Internal, error.message().to_owned())))?;
    let secrets: Api<Secret> = Api::namespaced(open.connection.client.clone(), placed.namespace);
    let secret = spec::secret(placed.hub, placed.name, job, pod, &contents, &uid);
    let params = PostParams::default();
    match patiently(|| secrets.create(&params, &secret)).await {
        Ok(_) | Err(Fault::Exists) => Ok(uid),
        Err(fault) => Err(created(fault)),
    }
}

/// Deletes a Job with its pod. The sweep of stray Jobs does it again when this fails.
async fn delete(open: &Open, namespace: &str, name: &str, uid: Option<&str>) {
    let jobs: Api<Job> = Api::namespaced(open.connection.client.clone(), namespace);
    let preconditions = uid.map(|uid| Preconditions { uid: Some(uid.to_owned()), resource_version: None });
    let params = DeleteParams { preconditions, ..DeleteParams::background() };
    match patiently(|| jobs.delete(name, &params)).await {
        Ok(_) | Err(Fault::Missing(_)) => {}
        Err(fault) => tracing::warn!(namespace, name, ?fault, "a job was not deleted"),
    }
}

/// The next step of following a Job, given its state.
enum Step {
    /// It goes on.
    Wait,
    /// It ended well.
    Succeeded,
    /// It ended badly.
    Failed(RunFailure, String),
    /// It must be ended.
    End(RunFailure, String),
}

/// The log of a run, and the report in it.
struct Reading {
    output: Arc<Mutex<Output>>,
    task: JoinSet<()>,
    is_begun: bool,
}

impl Created<'_> {
    async fn follow(
        &self,
        job: &RunJob,
        sight: &mut tokio::sync::watch::Receiver<Sight>,
        log: &LogSink,
        cancel: &CancellationToken,
        patience: Duration,
    ) -> RunEnd {
        let begun = Instant::now();
        let line = CommandLine::of(&job.settings, None);
        let mut reading =
            Reading { output: Arc::new(Mutex::new(Output::new(line.form))), task: JoinSet::new(), is_begun: false };
        let limit = Duration::from_secs(job.settings.timeout_seconds.into()) + limits::CLUSTER_OVERDUE;
        let mut since = Since { begun, obstacle: None, trouble: None, job_end: None, end: None, patience };
        let mut told = None;
        loop {
            let now = sight.borrow_and_update().clone();
            if let Some(pod) = now.pod.as_ref().filter(|pod| pod.has_started) {
                self.read_log(&mut reading, pod, log);
            }
            note(&now, &mut told, log);
            match since.judge(&now, job.settings.timeout_seconds) {
                Step::Wait => {}
                Step::Succeeded => return self.finish(job, reading, now.pod, None, log).await,
                Step::Failed(reason, detail) => {
                    return self.finish(job, reading, now.pod, Some((reason, detail)), log).await;
                }
                Step::End(reason, detail) => {
                    self.delete().await;
                    return self.finish(job, reading, now.pod, Some((reason, detail)), log).await;
                }
            }
            if lock(&reading.output).usage().exceeds(&job.settings) {
                self.delete().await;
                let detail = "It passed its own limit on money or tokens.".to_owned();
                return self.finish(job, reading, now.pod, Some((RunFailure::Limit, detail)), log).await;
            }
            tokio::select! {
                changed = sight.changed() => if changed.is_err() {
                    return RunEnd::failed(RunFailure::Internal, "The Job is not followed any more.");
                },
                () = tokio::time::sleep(LOOK) => {}
                () = cancel.cancelled() => {
                    self.delete().await;
                    return RunEnd::Cancelled;
                }
                () = sleep_until(begun + limit) => {
                    self.delete().await;
                    let detail = unanswered(&now, job.settings.timeout_seconds);
                    return self.finish(job, reading, now.pod, Some(detail), log).await;
                }
            }
        }
    }

    async fn delete(&self) {
        delete(self.open, self.namespace, self.name, Some(&self.uid)).await;
    }

    /// Begins to read the log of a pod, once.
    fn read_log(&self, reading: &mut Reading, pod: &PodView, log: &LogSink) {
        if !reading.is_begun {
            reading.is_begun = true;
            let pods: Api<ClusterPod> = Api::namespaced(self.open.connection.client.clone(), self.namespace);
            reading.task.spawn(logs::read(pods, pod.name.clone(), log.clone(), reading.output.clone()));
        }
    }

    /// The end of the run, with its whole log and its report.
    async fn finish(
        &self,
        job: &RunJob,
        mut reading: Reading,
        pod: Option<PodView>,
        failure: Option<(RunFailure, String)>,
        log: &LogSink,
    ) -> RunEnd {
        let finished = async { while reading.task.join_next().await.is_some() {} };
        if timeout(limits::CLUSTER_LOG_END, finished).await.is_err() {
            log.note("the end of the log is missing");
        }
        drop(reading.task);
        let line = CommandLine::of(&job.settings, None);
        let output = std::mem::replace(&mut *lock(&reading.output), Output::new(line.form));
        let end = pod.and_then(|pod| pod.terminated);
        let so_far = output.usage();
        // The report is the last word of the container: its termination message, or the last line of its log.
        let found = match end.as_ref().map(|end| end.message.trim()).filter(|message| message.starts_with('{')) {
            Some(message) => match report::parse(message.as_bytes()) {
                Ok(report) => Ok(Some(report)),
                Err(reason) => Err(format!("result.json: {reason}")),
            },
            None => output.finish(),
        };
        let found: Result<Option<RunReport>, String> = found;
        conclude(job, failure, end.map(|end| end.exit_code), so_far, found, log)
    }
}

/// Since when a Job is in which state.
struct Since {
    begun: Instant,
    /// Something keeps the container from running.
    obstacle: Option<Instant>,
    /// The cluster does not let the hub follow the Job.
    trouble: Option<Instant>,
    /// The Job has ended.
    job_end: Option<Instant>,
    /// The container has ended, and the cluster does not say yet that the Job has.
    end: Option<Instant>,
    patience: Duration,
}

impl Since {
    fn judge(&mut self, sight: &Sight, seconds: u32) -> Step {
        if let Some(end) = sight.job.as_ref().and_then(|job| job.end.as_ref()) {
            // The pod is told of separately, and may be told of later.
            let since = *self.job_end.get_or_insert_with(Instant::now);
            if !sight.pod.as_ref().is_some_and(PodView::is_settled) && since.elapsed() < POD_LAG {
                return Step::Wait;
            }
            return match end {
                JobEnd::Complete => Step::Succeeded,
                JobEnd::Failed { reason, message } => {
                    let (reason, detail) = failure(reason, message, sight.pod.as_ref(), seconds);
                    Step::Failed(reason, detail)
                }
            };
        }
        let is_leaving = sight.job.as_ref().is_some_and(|job| job.is_leaving);
        if is_leaving || sight.missing.is_some_and(|missing| missing >= self.begun) {
            return Step::Failed(RunFailure::JobDeleted, "Somebody deleted the Job in the cluster.".to_owned());
        }
        // An API server that has just started may not know the rights of the hub yet.
        if let Some((reason, detail, true)) = &sight.trouble {
            let since = *self.trouble.get_or_insert_with(Instant::now);
            return if since.elapsed() >= self.patience { Step::End(*reason, detail.clone()) } else { Step::Wait };
        }
        self.trouble = None;
        let Some(pod) = &sight.pod else { return Step::Wait };
        if let Some(end) = &pod.terminated {
            let since = *self.end.get_or_insert_with(Instant::now);
            if since.elapsed() >= AFTER_END {
                let (reason, detail) = failure("", "", Some(pod), seconds);
                return if end.exit_code == 0 { Step::Succeeded } else { Step::Failed(reason, detail) };
            }
            return Step::Wait;
        }
        let Some((word, message)) = pod.waiting.as_ref().filter(|_| !pod.has_started) else {
            self.obstacle = None;
            return Step::Wait;
        };
        let Some((reason, detail)) = obstacle(word, message) else { return Step::Wait };
        let since = *self.obstacle.get_or_insert_with(Instant::now);
        if is_hopeless(word) || since.elapsed() >= self.patience { Step::End(reason, detail) } else { Step::Wait }
    }
}

/// The failure of a Job of which the cluster did not say how it ended.
fn unanswered(sight: &Sight, seconds: u32) -> (RunFailure, String) {
    match &sight.trouble {
        Some((reason, detail, _)) => (*reason, format!("It is not known how it ended. {detail}")),
        None => failure("DeadlineExceeded", "", sight.pod.as_ref(), seconds),
    }
}

/// Tells a reader of the log what the container waits for, once for each reason.
fn note(sight: &Sight, told: &mut Option<String>, log: &LogSink) {
    let Some(pod) = sight.pod.as_ref().filter(|pod| !pod.has_started) else { return };
    let now = match (&pod.waiting, &pod.unscheduled) {
        (Some((reason, message)), _) => format!("waiting: {reason} {message}"),
        (None, Some(message)) => format!("waiting for a node: {message}"),
        (None, None) => return,
    };
    if told.as_ref() != Some(&now) {
        log.note(now.trim());
        *told = Some(now);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl Harness for Kubernetes {
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd {
        let Some(pod) = &job.pod else {
            return RunEnd::failed(RunFailure::Settings, "The harness says nothing of its pod.");
        };
        match self.open().await {
            Ok(Some(open)) => self.attempt(&open, job, pod, log, &cancel).await,
            Ok(None) => RunEnd::failed(RunFailure::ClusterUnavailable, HOW),
            Err(problem) => RunEnd::failed(RunFailure::ClusterUnavailable, problem),
        }
    }

    async fn cluster(&self) -> ClusterStatus {
        match self.open().await {
            Ok(Some(open)) => {
                ClusterStatus { configured: true, namespace: Some(open.connection.namespace.clone()), problem: None }
            }
            Ok(None) => no_cluster(),
            Err(problem) => ClusterStatus { configured: false, namespace: None, problem: Some(problem) },
        }
    }

    async fn remote_jobs(&self, namespaces: &[String]) -> Result<Vec<RemoteJob>> {
        let Ok(Some(open)) = self.open().await else { return Ok(Vec::new()) };
        let mut all = namespaces.to_vec();
        all.push(open.connection.namespace.clone());
        all.sort_unstable();
        all.dedup();
        let mut found = Vec::new();
        for namespace in all {
            let jobs: Api<Job> = Api::namespaced(open.connection.client.clone(), &namespace);
            match open.observers.list(&jobs).await {
                Ok((jobs, _)) => found.extend(jobs.iter().filter_map(|job| remote(job, &namespace))),
                // One namespace that the hub may not see keeps nobody else waiting.
                Err(Fault::Missing(_) | Fault::Final(RunFailure::ClusterForbidden, _)) => {}
                Err(other) => {
                    let (_, detail) = other.into_failure();
                    return Err(Error::unavailable("cluster_unavailable", detail));
                }
            }
        }
        Ok(found)
    }

    async fn end_remote(&self, job: &RemoteJob) -> Result<()> {
        let Ok(Some(open)) = self.open().await else { return Ok(()) };
        delete(&open, &job.namespace, &job.name, None).await;
        Ok(())
    }
}

/// A Job that has not ended, and is not being deleted.
fn remote(job: &Job, namespace: &str) -> Option<RemoteJob> {
    let view = super::sight::JobView::of(job);
    if view.end.is_some() || view.is_leaving {
        return None;
    }
    let run = job.labels().get(spec::RUN)?.parse().ok().map(RunId)?;
    Some(RemoteJob { run, namespace: namespace.to_owned(), name: job.metadata.name.clone()? })
}
