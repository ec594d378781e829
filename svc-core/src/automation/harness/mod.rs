//! Harnesses: running an agent, as a command, in a container, as a Job of a cluster or behind a URL.
//!
//! A harness knows nothing of the store. It gets a [`RunJob`] and answers with a [`RunEnd`]; meanwhile the log of the
//! run goes to a [`LogSink`].
//!
//! Invariants:
//! - A run that has ended leaves no process behind, whatever its processes did: a launcher of its own
//!   ([`launcher`]) adopts all of them, and ends them with the run, and with the server.
//! - A run gets its own environment and nothing of the server's. Where the kernel can do it, it reaches neither the
//!   data of the hub nor the directories of other runs.
//! - Everything that a run reports or prints is bounded, and is data: no text of it becomes a command, a path or an
//!   argument of the hub, except for a session id of restricted letters.
//! - A credential or a secret of a run is neither in an argument nor in its log.

mod docker;
mod environment;
mod k8s;
mod launcher;
mod lazy;
mod leftovers;
mod log;
mod mcp_files;
mod output;
mod presets;
pub(crate) mod prompt;
mod redact;
mod report;
mod subprocess;
mod supervised;
#[cfg(test)]
mod tests;
mod webhook;
mod work;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use svc_model::cluster::ClusterStatus;
use svc_model::harness::{HarnessBackend, HarnessSettings, RunFailure, Usage};
use tokio_util::sync::CancellationToken;

use crate::clock::{Clock, Entropy, SystemClock, SystemEntropy, random_hex};
use crate::error::{Error, Result};
use crate::ids::{HandlerId, RunId};
use crate::net::{AllowedNetworks, GuardedClient};

use docker::Docker;
pub use k8s::ClusterConfig;
use k8s::Kubernetes;
pub use launcher::{ARGUMENT as LAUNCHER_ARGUMENT, Launcher, main as launcher_main};
pub(crate) use lazy::LazyHarnesses;
use leftovers::Server;
pub use log::{LogFollower, LogSink};
pub use prompt::{Heard, PromptInput, messages as prompt_messages, render as render_prompt};
use subprocess::Subprocess;
use webhook::Webhook;
use work::WorkArea;

/// The input of a run: settings, prompt, secrets and credential. All of it is owned, so a harness needs no store.
#[derive(Clone)]
pub struct RunJob {
    /// The run.
    pub run: RunId,
    /// The handle of the agent.
    pub agent: String,
    /// How the agent is run.
    pub settings: HarnessSettings,
    /// The rendered prompt.
    pub prompt: String,
    /// The messages that the run is about, for `messages.json`.
    pub messages: Value,
    /// The text of `AGENTS.md`.
    pub instructions: String,
    /// Skills, as names and texts.
    pub skills: Vec<(String, String)>,
    /// The configuration of MCP clients, `{"mcpServers": {…}}`, with the run's credential.
    pub mcp_config: Value,
    /// Secrets, by the names of their variables.
    pub secrets: BTreeMap<String, String>,
    /// The credential of the run.
    pub credential: String,
    /// The address of the hub.
    pub hub_url: Option<String>,
    /// The session that the run continues.
    pub session_id: Option<String>,
    /// The depth of the run in its chain.
    pub depth: u32,
    /// The W3C trace context of the trigger.
    pub traceparent: Option<String>,
    /// How its pod is made, for the backend `k8s`.
    pub pod: Option<Pod>,
}

/// How the pod of a run is made, and where.
#[derive(Clone)]
pub struct Pod {
    /// The handler whose event the run handles.
    pub handler: Option<HandlerId>,
    /// The namespace; that of the configuration when there is none.
    pub namespace: Option<String>,
    /// The limit of memory, as a quantity.
    pub memory: Option<String>,
    /// The limit of processor time, as a quantity.
    pub cpu: Option<String>,
    /// The service account; without it the pod gets no token of the cluster.
    pub service_account: Option<String>,
    /// The event that the run handles, as JSON.
    pub event: Option<String>,
    /// The Job was created before. When it is gone, it is not created again.
    pub is_created: bool,
    /// Is told where the Job is.
    pub site: Arc<dyn Site>,
}

/// Is told where the Job of a run is, so that it is created once.
#[async_trait]
pub trait Site: Send + Sync {
    /// The Job will have this name.
    async fn chosen(&self, namespace: &str, name: &str) -> Result<()>;

    /// The cluster has created the Job.
    async fn created(&self) -> Result<()>;
}

/// A Job of this hub in a cluster that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteJob {
    /// The run that it belongs to.
    pub run: RunId,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl fmt::Debug for RunJob {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rest is long, or a secret.
        formatter.debug_struct("RunJob").field("run", &self.run).field("agent", &self.agent).finish_non_exhaustive()
    }
}

/// The report of a run: response, usage, exit code.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunResult {
    /// The answer.
    pub response: Option<String>,
    /// The id with which the next run of the conversation can continue this one.
    pub session_id: Option<String>,
    /// The tokens and the cost of the run.
    pub usage: Usage,
    /// The id of its trace.
    pub trace_id: Option<String>,
    /// The exit code of its command.
    pub exit_code: Option<i32>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// It did its work.
    Succeeded(RunResult),
    /// It did not.
    Failed {
        /// The kind of the failure.
        reason: RunFailure,
        /// A description of the failure, for the owner of the agent.
        detail: String,
        /// The report of the run up to the failure.
        result: RunResult,
    },
    /// It was ended on request.
    Cancelled,
    /// A webhook accepted it; the result comes later.
    Accepted,
}

impl RunEnd {
    /// A failure before the run could report anything.
    pub fn failed(reason: RunFailure, detail: impl Into<String>) -> Self {
        Self::Failed { reason, detail: detail.into(), result: RunResult::default() }
    }
}

/// Runs agents.
#[async_trait]
pub trait Harness: Send + Sync {
    /// Runs a job to its end. After `cancel` the run is ended, and the answer is [`RunEnd::Cancelled`].
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd;

    /// A description of the confinement of runs on this machine, or `None` without one. An error says why no run can
    /// start.
    async fn confinement(&self) -> Result<Option<String>> {
        Ok(None)
    }

    /// The agents of which something is kept on this machine between their runs.
    async fn kept(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Removes what is kept of an agent between its runs, for an agent that is deleted.
    async fn forget(&self, _agent: &str) -> Result<()> {
        Ok(())
    }

    /// Whether there is a cluster.
    async fn cluster(&self) -> ClusterStatus {
        k8s::no_cluster()
    }

    /// The Jobs of this hub that have not ended, in its own namespace and in these.
    async fn remote_jobs(&self, _namespaces: &[String]) -> Result<Vec<RemoteJob>> {
        Ok(Vec::new())
    }

    /// Deletes a Job with its pod.
    async fn end_remote(&self, _job: &RemoteJob) -> Result<()> {
        Ok(())
    }
}

/// A harness without a backend: every run fails at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBackend;

#[async_trait]
impl Harness for NoBackend {
    async fn run(&self, job: &RunJob, _: &LogSink, _: CancellationToken) -> RunEnd {
        RunEnd::failed(RunFailure::NotStarted, format!("This hub has no backend {}.", job.settings.backend))
    }
}

/// Whether runs on this machine are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConfinementMode {
    /// As far as the kernel can.
    #[default]
    Auto,
    /// Without confinement a run fails.
    Require,
    /// Never.
    Off,
}

impl std::str::FromStr for ConfinementMode {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            "require" => Ok(Self::Require),
            "off" => Ok(Self::Off),
            _ => Err(Error::invalid("run_confinement", "must be auto, require or off")),
        }
    }
}

/// Settings of runs on this machine.
#[derive(Debug, Clone)]
pub struct HarnessConfig {
    /// The directory of work directories; private to the user of the server.
    pub directory: PathBuf,
    /// The program that supervises the processes of a run. Without it, neither commands nor containers can be run.
    pub launcher: Option<Launcher>,
    /// Whether runs are confined.
    pub confinement: ConfinementMode,
    /// The variable `PATH` of runs.
    pub path: String,
    /// What confined runs may read, besides the directories of the system and of `path`.
    pub readable: Vec<PathBuf>,
    /// What confined runs may not reach, even inside of these: the data of the hub.
    pub hidden: Vec<PathBuf>,
    /// The command that runs containers; `None` for `docker` or `podman`, whichever is there.
    pub container_command: Option<PathBuf>,
    /// Whether URLs of webhooks may be http.
    pub allow_http: bool,
    /// The cluster of the backend `k8s`.
    pub cluster: ClusterConfig,
}

/// The `PATH` of runs where the server has none.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

impl HarnessConfig {
    /// Runs in the directory `runs` of a hub's data, with the server's `PATH`, and without a launcher.
    pub fn at(data: &std::path::Path) -> Self {
        Self {
            directory: data.join("runs"),
            launcher: None,
            confinement: ConfinementMode::default(),
            path: std::env::var("PATH").ok().filter(|path| !path.is_empty()).unwrap_or_else(|| PATH.to_owned()),
            readable: Vec::new(),
            hidden: vec![data.to_owned()],
            container_command: None,
            allow_http: false,
            cluster: ClusterConfig::default(),
        }
    }
}

/// All harnesses of a process. Clones share them.
#[derive(Clone)]
pub struct Harnesses {
    subprocess: Arc<Subprocess>,
    docker: Arc<Docker>,
    webhook: Arc<Webhook>,
    k8s: Arc<Kubernetes>,
    area: Arc<WorkArea>,
}

impl Harnesses {
    /// The harnesses of a program that runs agents without a hub.
    pub async fn standalone(config: HarnessConfig, networks: AllowedNetworks) -> Result<Self> {
        Self::open(config, Arc::new(SystemClock), &SystemEntropy, Arc::new(GuardedClient::new(networks))).await
    }

    /// Prepares the directory of runs, and ends what earlier servers on it left behind.
    pub(crate) async fn open(
        mut config: HarnessConfig,
        clock: Arc<dyn Clock>,
        entropy: &dyn Entropy,
        client: Arc<GuardedClient>,
    ) -> Result<Self> {
        let area = Arc::new(WorkArea::open(&config.directory).await?);
        let server = Server::register(area.root(), &random_hex(entropy, 16)).await?;
        // The launcher has another current directory.
        for path in config.hidden.iter_mut().chain(&mut config.readable) {
            *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
        }
        let config = Arc::new(config);
        let server = Arc::new(server);
        let docker = Arc::new(Docker::new(config.clone(), area.clone(), server.clone()));
        // The service for containers may take its time, and no run needs to wait for it.
        tokio::spawn({
            let docker = docker.clone();
            async move { docker.end_leftovers().await }
        });
        Ok(Self {
            subprocess: Arc::new(Subprocess::new(config.clone(), area.clone(), server)),
            docker,
            webhook: Arc::new(Webhook::new(client, clock, config.allow_http)),
            k8s: Arc::new(Kubernetes::new(config.cluster.clone())),
            area,
        })
    }
}

#[async_trait]
impl Harness for Harnesses {
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd {
        let end = match job.settings.backend {
            HarnessBackend::Subprocess => self.subprocess.run(job, log, cancel).await,
            HarnessBackend::Docker => self.docker.run(job, log, cancel).await,
            HarnessBackend::Webhook => self.webhook.run(job, log, cancel).await,
            HarnessBackend::K8s => self.k8s.run(job, log, cancel).await,
        };
        log.close();
        end
    }

    async fn confinement(&self) -> Result<Option<String>> {
        self.subprocess.probe().await
    }

    async fn kept(&self) -> Result<Vec<String>> {
        self.area.kept().await
    }

    async fn forget(&self, agent: &str) -> Result<()> {
        self.area.forget(agent).await
    }

    async fn cluster(&self) -> ClusterStatus {
        self.k8s.cluster().await
    }

    async fn remote_jobs(&self, namespaces: &[String]) -> Result<Vec<RemoteJob>> {
        self.k8s.remote_jobs(namespaces).await
    }

    async fn end_remote(&self, job: &RemoteJob) -> Result<()> {
        self.k8s.end_remote(job).await
    }
}
