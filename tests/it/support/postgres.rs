//! Throw-away PostgreSQL clusters: made by the tests, gone when the test process ends, however it
//! ends. A shell holds a pipe to the test process and stops the server when the pipe breaks.
//!
//! Tests get copies of one database in which nothing happened but the migrations, because a copy takes a fraction
//! of the time that the migrations take.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use svc_core::db::{Db, StoreUrl};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::clock::TestClock;

/// The database that is copied.
const TEMPLATE: &str = "migrated";

/// The settings of a server whose data need not outlive it.
pub(crate) const FAST: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off";

/// A running server that listens on a Unix socket in its own directory.
pub(crate) struct Cluster {
    binaries: PathBuf,
    directory: TempDir,
    user: Option<(u32, u32)>,
    settings: &'static str,
    template: OnceCell<()>,
    // Its standard input is the pipe; it is never written to.
    _keeper: Child,
}

/// The cluster that all tests of this run share. `None`, with a line that says why, on a machine
/// without PostgreSQL; under `STRICT=1` that is a failure.
pub(crate) fn shared_cluster() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Result<Cluster, String>> = OnceLock::new();
    match SHARED.get_or_init(|| Cluster::start(FAST)) {
        Ok(cluster) => Some(cluster),
        Err(reason) => {
            assert!(std::env::var("STRICT").is_err(), "PostgreSQL is missing: {reason}");
            println!("skipped: PostgreSQL: {reason}");
            None
        }
    }
}

impl Cluster {
    /// Starts a server with these settings on its command line.
    pub(crate) fn start(settings: &'static str) -> Result<Self, String> {
        let binaries = find_binaries().ok_or("no initdb under /usr/lib/postgresql/*/bin or on the PATH")?;
        let user = unprivileged_user()?;
        let directory = tempfile::Builder::new().prefix("svcpg").tempdir().map_err(|error| error.to_string())?;
        let data = directory.path().join("data");
        if let Some((uid, gid)) = user {
            std::os::unix::fs::chown(directory.path(), Some(uid), Some(gid)).map_err(|error| error.to_string())?;
        }
        let initdb = command(&binaries, "initdb", user)
            .args(["-U", "svc", "--auth=trust", "-E", "UTF8", "--no-locale", "-N", "-D"])
            .arg(&data)
            .output()
            .map_err(|error| error.to_string())?;
        if !initdb.status.success() {
            return Err(String::from_utf8_lossy(&initdb.stderr).into_owned());
        }
        let keeper = Command::new("sh")
            .args(["-c", "cat >/dev/null; \"$1\" -D \"$2\" -m immediate stop; rm -rf \"$3\"", "keeper"])
            .arg(binaries.join("pg_ctl"))
            .arg(&data)
            .arg(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .run_as(user)
            .process_group(0)
            .spawn()
            .map_err(|error| error.to_string())?;
        let cluster = Self { binaries, directory, user, settings, template: OnceCell::new(), _keeper: keeper };
        cluster.control("start")?;
        Ok(cluster)
    }

    /// Starts or stops the server and waits until it is done. A `crash` ends it without a checkpoint, as a loss of
    /// power does.
    pub(crate) fn control(&self, action: &str) -> Result<(), String> {
        let options = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c max_connections=400 -c deadlock_timeout=20ms \
             -c shared_buffers=64MB {}",
            self.directory.path().display(),
            self.settings
        );
        let mut control = command(&self.binaries, "pg_ctl", self.user);
        control.arg("-D").arg(self.directory.path().join("data")).arg("-w");
        let action = match action {
            "start" => {
                control.args(["-o", &options, "-l"]).arg(self.directory.path().join("log"));
                action
            }
            "crash" => {
                control.args(["-m", "immediate"]);
                "stop"
            }
            _ => {
                control.args(["-m", "fast"]);
                action
            }
        };
        // Not `output`: the server would keep the pipe open.
        let status = control.arg(action).stdout(Stdio::null()).stderr(Stdio::null()).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            other => Err(format!("pg_ctl {action}: {other:?}")),
        }
    }

    /// Makes a database with every table and no hub, and tells its address.
    pub(crate) async fn new_database(&self) -> String {
        self.template
            .get_or_init(async || {
                self.run(format!("CREATE DATABASE {TEMPLATE}")).await;
                let url = StoreUrl::Postgres(self.address(TEMPLATE));
                Db::migrate_offline(&url, Arc::new(TestClock::new())).await.unwrap();
            })
            .await;
        self.create(&format!("TEMPLATE {TEMPLATE}")).await
    }

    /// Makes a database without tables, for tests of what a first start does, and tells its address.
    pub(crate) async fn empty_database(&self) -> String {
        self.create("").await
    }

    async fn create(&self, options: &str) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.run(format!("CREATE DATABASE {name} {options}")).await;
        self.address(&name)
    }

    /// Runs a statement about databases. The connection is not kept: it would end with the runtime of its test.
    async fn run(&self, statement: String) {
        let mut connection = PgConnection::connect(&self.address("postgres")).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }

    fn address(&self, database: &str) -> String {
        format!("postgres://svc@localhost/{database}?host={}", self.directory.path().display())
    }
}

fn command(binaries: &Path, name: &str, user: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(binaries.join(name));
    command.current_dir("/").run_as(user);
    command
}

trait RunAs {
    fn run_as(&mut self, user: Option<(u32, u32)>) -> &mut Self;
}

impl RunAs for Command {
    fn run_as(&mut self, user: Option<(u32, u32)>) -> &mut Self {
        if let Some((uid, gid)) = user {
            self.uid(uid).gid(gid);
        }
        self
    }
}

/// PostgreSQL refuses to run as root, so as root it runs as `postgres` or `nobody`.
fn unprivileged_user() -> Result<Option<(u32, u32)>, String> {
    let status = std::fs::metadata("/proc/self").map_err(|error| error.to_string())?;
    if std::os::unix::fs::MetadataExt::uid(&status) != 0 {
        return Ok(None);
    }
    #[expect(clippy::disallowed_methods, reason = "the tests' set-up blocks on purpose")]
    let users = std::fs::read_to_string("/etc/passwd").map_err(|error| error.to_string())?;
    ["postgres", "nobody"]
        .iter()
        .find_map(|wanted| {
            let line = users.lines().find(|line| line.split(':').next() == Some(wanted))?;
            let mut fields = line.split(':').skip(2);
            Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
        })
        .map(Some)
        .ok_or_else(|| "no user to run it as".into())
}

fn find_binaries() -> Option<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<_> = installed.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    versions
        .into_iter()
        .rev()
        .chain(std::env::split_paths(&on_path))
        .find(|directory| directory.join("initdb").exists() && directory.join("pg_ctl").exists())
}
