//! Runs in containers, through the command `docker` or `podman`.
//!
//! The command is a child of a launcher like any other, but not confined: it talks to the service that runs
//! containers. The container has the work directory of the run and nothing else of the machine, no capabilities, and a
//! file system that cannot be written. Values of variables are handed over in the environment of the command, because
//! its arguments can be read by every user of the machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use svc_model::harness::RunFailure;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::environment::{Places, environment};
use super::launcher::LaunchSpec;
use super::leftovers::Server;
use super::log::LogSink;
use super::output::Output;
use super::presets::CommandLine;
use super::subprocess::{NO_LAUNCHER, judge};
use super::supervised::{self, Outcome};
use super::work::{Work, WorkArea};
use super::{Harness, HarnessConfig, RunEnd, RunJob, report};
use crate::limits;

/// Where the directories of a run are in its container.
const WORK: &str = "/work";
const HOME: &str = "/home/agent";
/// The label of containers, with the directory of runs that they belong to.
const LABEL: &str = "svc.runs";
/// The prefix of the name of a container; the name of its server follows.
const PREFIX: &str = "svc-run-";
/// The time that the service has to answer a command of the hub.
const PATIENCE: Duration = Duration::from_secs(30);
/// The `PATH` in containers.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

pub(super) struct Docker {
    config: Arc<HarnessConfig>,
    area: Arc<WorkArea>,
    server: Arc<Server>,
    command: Option<PathBuf>,
}

impl Docker {
    pub(super) fn new(config: Arc<HarnessConfig>, area: Arc<WorkArea>, server: Arc<Server>) -> Self {
        let find = || ["docker", "podman"].iter().find_map(|name| in_path(&config.path, name));
        let command = config.container_command.clone().or_else(find);
        Self { config, area, server, command }
    }

    /// Removes containers of servers on this directory that are gone.
    pub(super) async fn end_leftovers(&self) {
        let filter = format!("--filter=label={LABEL}={}", self.area.root().display());
        let Some(listed) = self.ask(&["ps", "--all", &filter, "--format={{.Names}}"]).await else { return };
        let found: Vec<&str> = listed.split_ascii_whitespace().filter(|name| self.is_left(name)).collect();
        if !found.is_empty() {
            tracing::warn!(containers = found.len(), "containers that an earlier server left behind are removed");
            let arguments: Vec<&str> = ["rm", "--force", "--volumes"].into_iter().chain(found).collect();
            self.ask(&arguments).await;
        }
    }

    /// Whether a container belongs to a server that is gone.
    fn is_left(&self, container: &str) -> bool {
        let server = container.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
        server.is_some_and(|server| !Server::is_registered(self.area.root(), server))
    }

    /// The name of the container of a run. It is unique, so a run cannot have two.
    fn name(&self, job: &RunJob) -> String {
        format!("{PREFIX}{}-{}-{}", self.server.name(), job.agent, job.run)
    }

    /// Runs a command of the service for containers, and returns what it printed when it succeeded.
    async fn ask(&self, arguments: &[&str]) -> Option<String> {
        let mut command = Command::new(self.command.as_ref()?);
        command.args(arguments).env_clear().envs(service_environment()).stdin(Stdio::null()).stderr(Stdio::null());
        let output = tokio::time::timeout(PATIENCE, command.kill_on_drop(true).output()).await.ok()?.ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn spec(&self, program: &Path, job: &RunJob, work: &Work, line: &CommandLine, image: &str) -> LaunchSpec {
        let places = Places { work: Path::new(WORK), home: Path::new(HOME), temporary: Path::new("/tmp") };
        let variables = environment(job, &places, PATH, self.server.name());
        let service = service_environment();
        let mut arguments = arguments(job, work, &self.name(job), self.area.root());
        for (name, value) in &variables {
            // A name without a value takes it from the environment of the command, which needs some names for itself.
            let entry = match name.as_str() {
                "PATH" | "HOME" => format!("{name}={value}"),
                _ if service.contains_key(name) => continue,
                _ => name.clone(),
            };
            arguments.extend(["--env".to_owned(), entry]);
        }
        arguments.push(image.to_owned());
        arguments.extend(line.command.clone());
        arguments.extend(line.arguments.iter().cloned());
        // The variables of the service come last: those of the run must not lead the command elsewhere.
        let mut own = variables;
        own.extend(service);
        LaunchSpec {
            command: Some(program.to_string_lossy().into_owned()),
            arguments,
            environment: own,
            directory: work.directory.clone(),
            input: line.reads_prompt.then(|| work.directory.join("prompt.md")),
            memory: None,
            processes: None,
            file_size: None,
            open_files: None,
            confinement: None,
        }
    }
}

#[async_trait]
impl Harness for Docker {
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd {
        let Some(launcher) = &self.config.launcher else { return RunEnd::failed(RunFailure::Settings, NO_LAUNCHER) };
        let Some(program) = &self.command else {
            let detail = "There is neither a command docker nor podman on the machine of the hub.";
            return RunEnd::failed(RunFailure::NotStarted, detail);
        };
        let Some(image) = &job.settings.image else {
            return RunEnd::failed(RunFailure::Settings, "The harness has no image.");
        };
        let line = CommandLine::of(&job.settings, job.session_id.as_deref().filter(|id| report::is_session(id)));
        let work = match self.area.prepare(job).await {
            Ok(work) => work,
            Err(error) => return RunEnd::failed(RunFailure::WorkDirectory, error.to_string()),
        };
        let spec = self.spec(program, job, &work, &line, image);
        let mut output = Output::new(line.form);
        let finished = supervised::run(launcher, &spec, &job.settings, log, &mut output, &cancel).await;
        // The container does not end with the command that started it.
        self.ask(&["rm", "--force", "--volumes", &self.name(job)]).await;
        let end = match finished.outcome {
            Outcome::Ended(ended) if ended.code == Some(137) => memory_or_signal(job, ended, output, &work, log).await,
            outcome => judge(job, outcome, output, Some(&work), log).await,
        };
        work.clean().await;
        end
    }
}

/// The exit code 137 is that of a killed process: the kernel kills the container that uses too much memory.
async fn memory_or_signal(
    job: &RunJob,
    ended: super::launcher::Ended,
    output: Output,
    work: &Work,
    log: &LogSink,
) -> RunEnd {
    match judge(job, Outcome::Ended(ended), output, Some(work), log).await {
        RunEnd::Failed { detail, result, .. } => RunEnd::Failed {
            reason: RunFailure::Signal,
            detail: format!("{detail}\n\nIt was killed, as the kernel does when the memory of a container is used up."),
            result,
        },
        other => other,
    }
}

/// The arguments of a container, up to its variables.
fn arguments(job: &RunJob, work: &Work, name: &str, root: &Path) -> Vec<String> {
    let memory = job.settings.memory();
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    let mount = |from: &Path, to: &str| format!("type=bind,source={},target={to}", from.display());
    [
        "run".to_owned(),
        "--rm".to_owned(),
        "--interactive".to_owned(),
        "--init".to_owned(),
        format!("--name={name}"),
        format!("--label={LABEL}={}", root.display()),
        "--log-driver=none".to_owned(),
        "--cap-drop=ALL".to_owned(),
        "--security-opt=no-new-privileges".to_owned(),
        "--read-only".to_owned(),
        "--tmpfs=/tmp".to_owned(),
        format!("--memory={memory}"),
        format!("--memory-swap={memory}"),
        format!("--pids-limit={}", limits::RUN_PROCESSES),
        format!("--ulimit=fsize={}", limits::RUN_FILE_MAX),
        format!("--ulimit=nofile={}", limits::RUN_OPEN_FILES),
        format!("--stop-timeout={}", limits::RUN_GRACE.as_secs()),
        format!("--user={user}:{group}"),
        format!("--mount={}", mount(&work.directory, WORK)),
        format!("--mount={}", mount(&work.home, HOME)),
        format!("--workdir={WORK}"),
    ]
    .into()
}

/// The variables with which the command finds its service.
fn service_environment() -> BTreeMap<String, String> {
    const NAMES: [&str; 7] =
        ["PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "CONTAINER_HOST", "XDG_RUNTIME_DIR"];
    NAMES.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?))).collect()
}

/// A program by its name.
fn in_path(path: &str, name: &str) -> Option<PathBuf> {
    path.split(':')
        .filter(|path| path.starts_with('/'))
        .map(|path| Path::new(path).join(name))
        .find(|path| path.is_file())
}
