//! Other processes: the test binary starts itself again in another role.
//!
//! A role is the program of a child; what it prints on standard output, after a marker, is what
//! the test reads. The child is killed, with the signal that cannot be caught, when its handle is
//! dropped.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use svc_core::events::NewEvent;
use svc_core::workers::{Cadence, Progress, Worker};
use svc_core::{Hub, HubConfig, Result};

const ROLE: &str = "SVC_TEST_ROLE";
const DATA: &str = "SVC_TEST_DATA";
const STORE: &str = "SVC_TEST_STORE";
const ARGUMENTS: &str = "SVC_TEST_ARGUMENTS";
const ECHO: &str = "SVC_TEST_ECHO";
const MARK: &str = "child: ";

/// A process that runs one of the roles below.
pub(crate) struct TestChild {
    process: Child,
    output: BufReader<ChildStdout>,
    _input: ChildStdin,
}

/// What became of a program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TestChild {
    /// Starts a child on the store of this configuration.
    pub(crate) fn start(role: &str, config: &HubConfig) -> Self {
        Self::start_on(role, &config.data, config.store.as_ref().map(|_| address(config)))
    }

    fn start_on(role: &str, data: &Path, store: Option<String>) -> Self {
        let mut command = child(role);
        command.env(DATA, data);
        if let Some(store) = store {
            command.env(STORE, store);
        }
        Self::spawn(command)
    }

    /// Starts a prepared command.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let input = process.stdin.take().unwrap();
        Self { process, output, _input: input }
    }

    /// Starts the server program and waits until it says where it listens.
    pub(crate) fn server(arguments: &[&str]) -> (Self, String) {
        let (server, address, _) = Self::listening(program("svc-http", arguments));
        (server, address)
    }

    /// Starts the server program with a command that was prepared.
    pub(crate) fn server_by(command: Command) -> (Self, String) {
        let (server, address, _) = Self::listening(command);
        (server, address)
    }

    /// Starts the server program on the store of this configuration, without limits on requests, and with a socket of
    /// this name.
    pub(crate) async fn server_on(config: &HubConfig, name: &str, flags: &[&str]) -> (Self, String) {
        let path = |path: &Path| path.to_str().unwrap().to_owned();
        let (data, socket) = (path(&config.data), path(&config.data.join(format!("{name}.sock"))));
        let store = address(config);
        let place = ["--data", &data, "--database-url", &store, "--listen", "127.0.0.1:0", "--admin-socket", &socket];
        let limits = ["--rate-limit-read", "0", "--rate-limit-write", "0"];
        let arguments = [&place, &limits[..], flags].concat();
        let command = program("svc-http", &arguments);
        let started = tokio::task::spawn_blocking(move || Self::listening(command));
        let (server, address, _) = started.await.unwrap();
        (server, address)
    }

    /// The server program with its log in a file; also returns what it said before.
    pub(crate) fn server_with_log(arguments: &[&str], log: &Path) -> (Self, String, Vec<String>) {
        let mut command = program("svc-http", arguments);
        command.stderr(std::fs::File::options().create(true).append(true).open(log).unwrap());
        Self::listening(command)
    }

    /// The same in a container, where the admin socket has its place by default.
    pub(crate) fn server_in_a_container(arguments: &[&str]) -> (Self, String) {
        let (server, address, _) = Self::listening(in_a_container(program("svc-http", arguments)));
        (server, address)
    }

    /// The same in an environment where a process may have only so many files open.
    pub(crate) fn server_with_files(arguments: &[&str], files: usize) -> (Self, String) {
        let server = program("svc-http", arguments);
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n \"$1\" && shift && exec \"$@\"", "sh", &files.to_string()]);
        command.arg(server.get_program()).args(server.get_args());
        command.envs(server.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let (server, address, _) = Self::listening(command);
        (server, address)
    }

    fn listening(command: Command) -> (Self, String, Vec<String>) {
        let mut server = Self::spawn(command);
        let mut said = Vec::new();
        let mut line = String::new();
        while server.output.read_line(&mut line).unwrap() > 0 {
            if let Some((_, address)) = line.trim_end().split_once("svc is listening on ") {
                let address = address.to_owned();
                return (server, address, said);
            }
            said.push(line.trim_end().to_owned());
            line.clear();
        }
        panic!("the server ended before it listened");
    }

    /// Starts the example `echo_agent` against this server; it says what it does.
    pub(crate) fn echo_agent(url: &str, key: &str, thinking: Duration) -> Self {
        let mut command = child("echo agent");
        command.env(ECHO, serde_json::to_string(&(url, key, thinking.as_millis())).unwrap());
        Self::spawn(command)
    }

    /// Runs a shipped program to its end; returns its exit code and all that it printed.
    pub(crate) fn run(name: &str, arguments: &[&str]) -> (i32, String) {
        let output = program(name, arguments).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().expect("it ends by itself"), String::from_utf8(text).unwrap())
    }

    /// The same with something on its standard input, and with its two streams told apart.
    pub(crate) fn run_with(name: &str, arguments: &[&str], input: &[u8]) -> Ran {
        Self::ran(program(name, arguments), input)
    }

    /// Runs the command line in the container of [`TestChild::server_in_a_container`].
    pub(crate) fn run_in_a_container(name: &str, arguments: &[&str]) -> Ran {
        Self::ran(in_a_container(program(name, arguments)), b"")
    }

    pub(crate) fn ran(mut command: Command, input: &[u8]) -> Ran {
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = streams.spawn().unwrap();
        // It may end before it has read anything, and then nobody takes what is left.
        process.stdin.take().unwrap().write_all(input).ok();
        let output = process.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        // The test harness prints before the program does.
        let (_, stdout) = printed.split_once("role_of_a_child_process ... ").expect("the harness says what it runs");
        Ran {
            code: output.status.code().expect("it ends by itself"),
            stdout: stdout.to_owned(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Sends a signal by name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.process.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// How much memory it holds, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) async fn resident(&self) -> u64 {
        let status = tokio::fs::read_to_string(format!("/proc/{}/status", self.process.id())).await.unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() * 1024
    }

    /// The next thing the child says; `None` when it has ended.
    pub(crate) fn next(&mut self) -> Option<String> {
        let mut line = String::new();
        loop {
            line.clear();
            match self.output.read_line(&mut line) {
                // A killed child may leave half a line behind, which it never finished saying.
                Ok(0) | Err(_) => return None,
                Ok(_) if !line.ends_with('\n') => return None,
                Ok(_) => {}
            }
            // The test harness prints before the first line without ending its own.
            if let Some(position) = line.find(MARK) {
                return Some(line[position + MARK.len()..].trim_end().to_owned());
            }
        }
    }

    /// Kills it with SIGKILL and returns what it had said until then.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.process.kill().unwrap();
        std::iter::from_fn(|| self.next()).collect()
    }

    /// Waits for its own end.
    pub(crate) fn wait(mut self) -> (Vec<String>, ExitStatus) {
        let said = std::iter::from_fn(|| self.next()).collect();
        (said, self.process.wait().unwrap())
    }
}

impl Drop for TestChild {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// This test binary in another role.
fn child(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "support::child::role_of_a_child_process", "--nocapture", "--test-threads=1"])
        .env(ROLE, role);
    command
}

/// One of the shipped programs with these arguments, to be started.
pub(crate) fn program(name: &str, arguments: &[&str]) -> Command {
    let mut all = vec![name];
    all.extend(arguments);
    let mut command = child(name);
    command.env(ARGUMENTS, serde_json::to_string(&all).unwrap());
    // Only the tests of the hash itself want it slow.
    command.env("SVC_BCRYPT_COST", super::hub::CHEAP_HASHES.to_string());
    // In a container all servers would share one socket, and only the first of them would start.
    if let Some(data) = all.iter().skip_while(|argument| **argument != "--data").nth(1) {
        command.env("SVC_ADMIN_SOCKET", Path::new(data).join("admin.sock"));
    }
    command
}

/// Tells a program that it runs in a container, and nothing about its socket.
fn in_a_container(mut command: Command) -> Command {
    command.env_remove("SVC_ADMIN_SOCKET").env("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    command
}

fn address(config: &HubConfig) -> String {
    match config.store_url() {
        svc_core::db::StoreUrl::Sqlite(path) => format!("sqlite:{}", path.display()),
        svc_core::db::StoreUrl::Postgres(url) => url,
    }
}

fn say(text: impl std::fmt::Display) {
    // One write per line: the harness and other tasks print to the same place.
    let line = format!("{MARK}{text}\n");
    let mut output = std::io::stdout().lock();
    output.write_all(line.as_bytes()).expect("the parent reads");
    output.flush().expect("the parent reads");
}

/// The main function of every child; in an ordinary run it has no role and nothing to do.
#[test]
fn role_of_a_child_process() {
    let Ok(role) = std::env::var(ROLE) else { return };
    if let Ok(arguments) = std::env::var(ARGUMENTS) {
        run_program(&role, &arguments);
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Ok(settings) = std::env::var(ECHO) {
        return runtime.block_on(echo(&settings));
    }
    let mut config = HubConfig::at(std::env::var(DATA).unwrap());
    if let Ok(store) = std::env::var(STORE) {
        config = config.with_store(&store).unwrap();
    }
    match role.as_str() {
        "open" => runtime.block_on(open(config)),
        "append" => runtime.block_on(append(config)),
        "write until killed" => runtime.block_on(write_until_killed(config)),
        "work until killed" => runtime.block_on(work_until_killed(config)),
        other => panic!("there is no role {other}"),
    }
}

/// Becomes one of the shipped programs: the same function that its `main` calls.
fn run_program(name: &str, arguments: &str) -> ! {
    let arguments: Vec<String> = serde_json::from_str(arguments).unwrap();
    let code = match name {
        "svc-http" => svc_http::main_with_launcher(arguments, super::runs::launcher()),
        "svc-admin" => svc_admin::cli::main_with(arguments),
        "svc-mcp-stdio" => svc_mcp_stdio::main_with(arguments),
        other => panic!("there is no program {other}"),
    };
    let code = (0..=u8::MAX).find(|number| std::process::ExitCode::from(*number) == code).unwrap();
    std::process::exit(code.into());
}

/// Opens the store and says how that went.
async fn open(config: HubConfig) {
    match Hub::open(config).await {
        Ok(hub) => {
            say("opened");
            hub.close().await;
        }
        Err(error) => say(format!("refused: {error}")),
    }
}

/// Appends 100 events, one after the other.
async fn append(config: HubConfig) {
    let hub = Hub::open(config).await.unwrap();
    for number in 0..100 {
        let event = NewEvent::new("child.numbered", &number).unwrap();
        say(hub.events().append(event).await.unwrap());
    }
    hub.close().await;
}

/// Writes numbered rows from 32 tasks and says each number once it is acknowledged.
async fn write_until_killed(config: HubConfig) {
    let hub = Hub::open(config).await.unwrap();
    let newest = hub
        .db()
        .read((), |tx, ()| Box::pin(tx.query("SELECT coalesce(max(number), 0) FROM crash_rows").fetch_value::<i64>()))
        .await
        .unwrap();
    let next = std::sync::atomic::AtomicI64::new(newest + 1);
    say("writing");
    join_all((0..32).map(async |_| {
        loop {
            let number = next.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let written = hub.db().write(number, |tx, number| {
                Box::pin(async move {
                    tx.query("INSERT INTO crash_rows (number) VALUES ($1)").bind(*number).execute().await?;
                    tx.emit(&NewEvent::new("crash.row", number)?).await?;
                    Ok(())
                })
            });
            written.await.unwrap();
            say(number);
        }
    }))
    .await;
}

/// Says its name with every round that it was allowed to do.
struct Clockwork {
    hub: std::sync::OnceLock<Hub>,
}

#[async_trait]
impl Worker for Clockwork {
    fn name(&self) -> &'static str {
        "clockwork"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_hours(1))
    }

    async fn run_once(&self) -> Result<Progress> {
        let hub = self.hub.get().expect("set before the workers start");
        hub.events().append(NewEvent::new("clockwork.round", &std::process::id())?).await?;
        say("round");
        // More at once, so that it holds its lease until it dies.
        Ok(Progress::More)
    }
}

/// Runs a worker that never gives its lease back.
async fn work_until_killed(mut config: HubConfig) {
    config.worker_lease = Duration::from_secs(1);
    let clockwork = Arc::new(Clockwork { hub: std::sync::OnceLock::new() });
    let hub = Hub::builder(config).worker(clockwork.clone()).open().await.unwrap();
    clockwork.hub.set(hub.clone()).ok();
    let _workers = hub.start_workers();
    say("started");
    std::future::pending::<()>().await;
}

/// Answers messages until it is killed.
async fn echo(settings: &str) {
    let (url, key, thinking): (String, String, u64) = serde_json::from_str(settings).unwrap();
    rustls::crypto::ring::default_provider().install_default().ok();
    let agent = crate::echo_agent::agent::Agent::new(&url, &key).unwrap();
    agent.run(Duration::from_millis(thinking), say).await.unwrap();
}
