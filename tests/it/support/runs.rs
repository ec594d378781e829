//! Runs of agents by the backends of the hub: jobs without a hub, servers that run commands, and the processes of a run.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use svc_core::harness::{
    Harness, HarnessBackend, HarnessConfig, HarnessSettings, Harnesses, Launcher, LogSink, RunEnd, RunFailure, RunJob,
    RunResult,
};
use svc_core::ids::RunId;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::child::program;
use super::postgres::shared_cluster;
use super::server::TestServer;
use super::wait::{soon, until};

/// The secret that every job has.
pub(crate) const SECRET: &str = "a-secret-of-the-owner";

/// Harnesses on a directory that is removed with them. It is the data directory of nobody.
pub(crate) struct TestRuns {
    pub(crate) harnesses: Harnesses,
    pub(crate) data: TempDir,
}

impl TestRuns {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut HarnessConfig)) -> Self {
        let data = TempDir::new().unwrap();
        let mut config = config(data.path());
        change(&mut config);
        let harnesses = Harnesses::standalone(config, "127.0.0.0/8".parse().unwrap()).await.unwrap();
        Self { harnesses, data }
    }

    /// Runs a job to its end.
    pub(crate) async fn run(&self, job: &RunJob) -> (RunEnd, LogSink) {
        let log = LogSink::of(job);
        let end = soon("the end of a run", self.harnesses.run(job, &log, CancellationToken::new())).await;
        (end, log)
    }

    /// Runs a script to its end.
    pub(crate) async fn script(&self, text: &str) -> RunEnd {
        self.run(&script("scout", text)).await.0
    }
}

/// The settings of harnesses on a directory.
pub(crate) fn config(data: &Path) -> HarnessConfig {
    HarnessConfig { launcher: Some(launcher()), allow_http: true, ..HarnessConfig::at(data) }
}

/// The server program as the launcher of runs.
pub(crate) fn launcher() -> Launcher {
    let command = program("svc-http", &["run-launcher"]);
    Launcher {
        program: command.get_program().into(),
        arguments: command.get_args().map(Into::into).collect(),
        environment: command.get_envs().filter_map(|(name, value)| Some((name.into(), value?.into()))).collect(),
    }
}

/// A job that runs a shell script. The launcher of the tests prints a line first, without its end.
pub(crate) fn script(agent: &str, text: &str) -> RunJob {
    let settings = HarnessSettings {
        command: Some("sh".into()),
        args: vec!["-c".into(), format!("echo\n{text}")],
        timeout_seconds: 20,
        ..HarnessSettings::default()
    };
    job(agent, settings)
}

pub(crate) fn job(agent: &str, settings: HarnessSettings) -> RunJob {
    RunJob {
        run: RunId(7),
        agent: agent.into(),
        settings,
        prompt: "Is the build green?".into(),
        messages: json!({ "messages": [{ "id": 41 }] }),
        instructions: "Be kind.".into(),
        skills: vec![("task-auction".into(), "Bid.".into())],
        mcp_config: json!({ "mcpServers": { "svc": { "url": "http://127.0.0.1:1/mcp" } } }),
        secrets: [("OWNER_KEY".to_owned(), SECRET.to_owned())].into(),
        credential: "svcx_credential-of-the-run".into(),
        hub_url: Some("http://127.0.0.1:1".into()),
        session_id: None,
        depth: 1,
        traceparent: None,
        pod: None,
    }
}

/// A job for a webhook.
pub(crate) fn webhook(url: &str, secret: &str) -> RunJob {
    let settings =
        HarnessSettings { backend: HarnessBackend::Webhook, url: Some(url.into()), ..HarnessSettings::default() };
    let mut job = job("scout", settings);
    job.secrets.insert("WEBHOOK_SECRET".into(), secret.into());
    job
}

/// The result of a run that succeeded.
pub(crate) fn succeeded(end: RunEnd) -> RunResult {
    match end {
        RunEnd::Succeeded(result) => result,
        other => panic!("it did not succeed: {other:?}"),
    }
}

/// The reason and the words of a run that failed.
pub(crate) fn failed(end: RunEnd) -> (RunFailure, String) {
    match end {
        RunEnd::Failed { reason, detail, .. } => (reason, detail),
        other => panic!("it did not fail: {other:?}"),
    }
}

/// Gives a job a variable by which its processes are recognised.
pub(crate) fn marked(mut job: RunJob, mark: &str) -> RunJob {
    job.settings.env.insert("TEST_MARK".into(), format!("{mark}-{}", std::process::id()));
    job
}

/// The processes of a marked job, without those that have ended.
pub(crate) fn processes(mark: &str) -> Vec<String> {
    let entry = format!("TEST_MARK={mark}-{}", std::process::id());
    let mut found = Vec::new();
    for directory in std::fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
        let path = directory.path();
        let text = |name: &str| String::from_utf8_lossy(&bytes(&path.join(name))).into_owned();
        if text("environ").split('\0').any(|variable| variable == entry) {
            found.push(format!("{} {}", path.display(), text("cmdline").replace('\0', " ")));
        }
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "these files of the kernel are read at once")]
fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_default()
}

/// Waits until a marked job has processes.
pub(crate) async fn running(mark: &str, count: usize) {
    until("the processes of a run", async || (processes(mark).len() >= count).then_some(())).await;
}

/// Waits until a marked job has none.
pub(crate) async fn gone(mark: &str) {
    let started = std::time::Instant::now();
    until("the end of all processes of a run", async || processes(mark).is_empty().then_some(())).await;
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A server that runs agents by its own backends.
pub(crate) struct Commands(pub(crate) TestServer);

impl Commands {
    pub(crate) async fn sqlite() -> Self {
        Self::on(None).await
    }

    pub(crate) async fn postgres() -> Option<Self> {
        let url = shared_cluster()?.new_database().await;
        Some(Self::on(Some(url)).await)
    }

    async fn on(url: Option<String>) -> Self {
        let server = TestServer::start_with(|mut config| {
            if let Some(url) = url {
                config.hub = config.hub.with_store(&url).unwrap();
            }
            config.hub.runs.launcher = Some(launcher());
            config.assemble_hub(|builder| builder)
        });
        Self(server.await)
    }
}

/// A harness that runs a shell script. The launcher of the tests prints a line first, without its end.
pub(crate) fn shell(text: &str) -> Value {
    json!({ "command": "bash", "args": ["-c", format!("echo\n{text}")], "timeout_seconds": 20 })
}
