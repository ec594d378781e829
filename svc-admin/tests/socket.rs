//! The socket from the outside: a real hub, a real socket, the client and bare lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails, in its helpers too")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use svc_admin::methods::db::{Check, CheckParams};
use svc_admin::methods::rpc::Discover;
use svc_admin::methods::status::Show;
use svc_admin::methods::{Method, NoParams};
use svc_admin::{AdminSocket, Client, ClientError, serve};
use svc_core::db::Engine;
use svc_core::events::NewEvent;
use svc_core::health::ReadyState;
use svc_core::{Hub, HubConfig};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;

/// A hub that is served on a socket in a directory of its own.
struct Served {
    hub: Hub,
    socket: AdminSocket,
    stop: CancellationToken,
    directory: TempDir,
}

impl Served {
    async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let config = HubConfig { bcrypt_cost: 4, ..HubConfig::at(directory.path()) };
        let hub = Hub::open(config).await.unwrap();
        let stop = CancellationToken::new();
        let socket = serve(hub.clone(), directory.path().join("admin.sock"), stop.clone()).await.unwrap();
        Self { hub, socket, stop, directory }
    }

    fn path(&self) -> PathBuf {
        self.socket.path().to_owned()
    }

    async fn client(&self) -> Client {
        Client::connect(self.socket.path()).await.unwrap()
    }

    async fn lines(&self) -> Lines {
        Lines { stream: BufReader::new(UnixStream::connect(self.socket.path()).await.unwrap()) }
    }

    /// Stops serving; the hub and the directory live on.
    async fn stop(self) -> (Hub, TempDir) {
        self.stop.cancel();
        self.socket.closed().await;
        (self.hub, self.directory)
    }
}

/// A connection by hand.
struct Lines {
    stream: BufReader<UnixStream>,
}

impl Lines {
    async fn send(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stream.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn ask(&mut self, line: &str) -> Value {
        self.send(line).await;
        self.receive().await
    }
}

fn request(id: impl Into<Value>, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method })
}

/// Runs the command line as a person would.
async fn svc_admin(socket: &Path, arguments: &[&str]) -> Output {
    tokio::process::Command::new(env!("CARGO_BIN_EXE_svc-admin"))
        .args(arguments)
        .env("SVC_ADMIN_SOCKET", socket)
        .output()
        .await
        .unwrap()
}

#[tokio::test]
async fn discover_lists_the_methods() {
    let served = Served::start().await;
    let discovery = served.client().await.call::<Discover>(&NoParams {}).await.unwrap();
    let names: Vec<_> = discovery.methods.iter().map(|method| method.name.as_str()).collect();
    for name in [Show::NAME, Check::NAME, Discover::NAME] {
        assert!(names.contains(&name), "{name} is missing from {names:?}");
    }
    assert!(discovery.methods.iter().all(|method| !method.description.is_empty()));
}

#[tokio::test]
async fn status_tells_how_the_hub_is() {
    let served = Served::start().await;
    let workers = served.hub.start_workers();
    let seq = served.hub.events().append(NewEvent::new("greeting.sent", &"hello").unwrap()).await.unwrap();
    let mut live =
        served.hub.events().subscribe(svc_core::events::After::Seq(svc_core::ids::EventSeq(0))).await.unwrap();
    live.next().await.unwrap();
    let status = served.client().await.call::<Show>(&NoParams {}).await.unwrap();
    assert_eq!((status.engine, status.readiness.status), (Engine::Sqlite, ReadyState::Ready));
    assert_eq!(status.event_head, Some(seq));
    assert!(status.store_bytes > 0 && status.uptime_seconds < 60);
    assert_eq!(status.version, svc_admin::VERSION);
    drop(live);
    workers.stop().await;
}

#[tokio::test]
async fn a_sound_store_passes_its_check() {
    let served = Served::start().await;
    let report = served.client().await.call::<Check>(&CheckParams { part: None }).await.unwrap();
    assert!(report.ok, "{report:?}");
    assert!(report.tables > 0 && report.migrations > 0);
}

#[tokio::test]
async fn a_broken_reference_fails_the_check() {
    let served = Served::start().await;
    let made = served.hub.db().write((), |tx, ()| {
        Box::pin(async move {
            tx.query("CREATE TABLE parents (id INTEGER PRIMARY KEY)").execute().await?;
            tx.query("CREATE TABLE children (parent INTEGER REFERENCES parents (id))").execute().await
        })
    });
    made.await.unwrap();
    break_reference(served.directory.path()).await;
    let report = served.client().await.call::<Check>(&CheckParams { part: None }).await.unwrap();
    let faulty: Vec<_> = report.checks.iter().filter(|check| !check.faults.is_empty()).collect();
    assert!(!report.ok);
    assert_eq!(faulty.len(), 1, "{report:?}");
    assert!(faulty[0].faults[0].contains("children") && faulty[0].faults[0].contains("parents"), "{report:?}");
    let printed = svc_admin(&served.path(), &["db", "check"]).await;
    assert_eq!(printed.status.code(), Some(1));
    assert!(String::from_utf8(printed.stdout).unwrap().contains("not sound"));
}

#[tokio::test]
async fn an_unknown_method_is_answered_with_the_nearest() {
    let served = Served::start().await;
    let reply = served.lines().await.ask(&request(7, "status.shwo").to_string()).await;
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(7), &json!(-32601)));
    assert_eq!(reply["error"]["data"]["code"], "method_not_found");
    assert!(reply["error"]["message"].as_str().unwrap().contains("status.show"));
}

#[tokio::test]
async fn bad_parameters_are_named() {
    let served = Served::start().await;
    let line = r#"{"jsonrpc":"2.0","id":"a","method":"db.check","params":{"deep":true}}"#;
    let reply = served.lines().await.ask(line).await;
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!("a"), &json!(-32602)));
    assert_eq!(reply["error"]["data"]["errors"][0]["field"], "deep");
}

#[tokio::test]
async fn identity_is_administered_by_bare_lines() {
    let served = Served::start().await;
    let mut lines = served.lines().await;
    let mut ask = async |method: &str, params: Value| {
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        lines.ask(&line.to_string()).await
    };
    let made = ask("users.create", json!({ "name": "ann" })).await;
    assert_eq!(made["result"]["user"]["role"], "user", "{made}");
    assert!(made["result"]["password"].is_string());
    let taken = ask("users.create", json!({ "name": "Ann" })).await;
    assert_eq!((&taken["error"]["code"], &taken["error"]["data"]["code"]), (&json!(-32009), &json!("handle_taken")));
    let unknown = ask("users.set_role", json!({ "name": "anm", "role": "admin" })).await;
    assert_eq!((&unknown["error"]["code"], &unknown["error"]["data"]["code"]), (&json!(-32004), &json!("not_found")));
    let mistyped = ask("users.create", json!({ "name": "bob", "pasword": "hunter2hunter2" })).await;
    assert_eq!(mistyped["error"]["data"]["errors"][0]["field"], "pasword");
    assert!(!mistyped.to_string().contains("hunter2"), "{mistyped}");
    let faulty = ask("secrets.set", json!({ "name": "token", "scope": "user:ann", "value": "hunter2" })).await;
    assert_eq!(faulty["error"]["data"]["errors"][0]["field"], "name");
    assert!(!faulty.to_string().contains("hunter2"), "{faulty}");
}

#[tokio::test]
async fn a_malformed_line_is_refused_and_the_connection_goes_on() {
    let served = Served::start().await;
    let mut lines = served.lines().await;
    for malformed in ["{", "\u{1}", "{\"jsonrpc\": \"2.0\", \"method\": \"a", &"[".repeat(10_000)] {
        let reply = lines.ask(malformed).await;
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32700)), "{malformed}");
    }
    assert!(lines.ask(&request(1, "rpc.discover").to_string()).await["result"].is_object());
}

#[tokio::test]
async fn a_line_that_is_json_but_no_request_is_refused() {
    let served = Served::start().await;
    let mut lines = served.lines().await;
    for (line, id) in [
        ("7", Value::Null),
        (r#"{"foo":"boo"}"#, Value::Null),
        (r#"{"jsonrpc":"1.0","id":3,"method":"rpc.discover"}"#, json!(3)),
        (r#"{"jsonrpc":"2.0","id":4,"method":1}"#, json!(4)),
        (r#"{"jsonrpc":"2.0","id":{},"method":"rpc.discover"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":5,"method":"rpc.discover","params":"x"}"#, json!(5)),
        ("[]", Value::Null),
    ] {
        let reply = lines.ask(line).await;
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&id, &json!(-32600)), "{line}");
    }
}

#[tokio::test]
async fn an_oversized_line_is_refused_and_the_connection_goes_on() {
    let served = Served::start().await;
    let mut lines = served.lines().await;
    let reply = lines.ask(&"x".repeat(4 * 1024 * 1024)).await;
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32600)));
    assert!(lines.ask(&request(1, "rpc.discover").to_string()).await["result"].is_object());
}

#[tokio::test]
async fn a_notification_gets_no_answer() {
    let served = Served::start().await;
    let mut lines = served.lines().await;
    lines.send(r#"{"jsonrpc":"2.0","method":"rpc.discover"}"#).await;
    lines.send(r#"{"jsonrpc":"2.0","method":"no.such"}"#).await;
    lines.send("").await;
    assert_eq!(lines.ask(&request("first", "rpc.discover").to_string()).await["id"], "first");
}

#[tokio::test]
async fn a_batch_is_answered_as_a_batch() {
    let served = Served::start().await;
    let mut lines = served.lines().await;
    let batch = json!([
        request(1, "rpc.discover"),
        { "jsonrpc": "2.0", "method": "rpc.discover" },
        1,
        request(Value::Null, "no.such"),
    ]);
    let reply = lines.ask(&batch.to_string()).await;
    let codes: Vec<_> = reply.as_array().unwrap().iter().map(|one| (&one["id"], &one["error"]["code"])).collect();
    assert_eq!(codes, [(&json!(1), &Value::Null), (&Value::Null, &json!(-32600)), (&Value::Null, &json!(-32601))]);

    let silent = json!([{ "jsonrpc": "2.0", "method": "rpc.discover" }]);
    lines.send(&silent.to_string()).await;
    let large = Value::Array(vec![request(1, "rpc.discover"); 101]);
    assert_eq!(lines.ask(&large.to_string()).await["error"]["code"], -32600);
}

#[tokio::test]
async fn connections_are_served_side_by_side() {
    let served = Served::start().await;
    let mut waiting = served.lines().await;
    waiting.stream.write_all(b"{\"jsonrpc\"").await.unwrap();
    served.client().await.call::<Discover>(&NoParams {}).await.unwrap();
    let reply = waiting.ask(r#":"2.0","id":1,"method":"rpc.discover"}"#).await;
    assert!(reply["result"].is_object());
}

#[tokio::test]
async fn only_the_owner_can_open_the_socket_and_it_is_gone_at_the_end() {
    let served = Served::start().await;
    let path = served.path();
    let mode = tokio::fs::metadata(&path).await.unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut idle = served.lines().await;
    // It has been accepted once it is answered; until then it would be reset instead of closed.
    idle.ask(&request(1, "rpc.discover").to_string()).await;
    let (_hub, _directory) = served.stop().await;
    assert!(!path.exists());
    assert_eq!(idle.stream.read_line(&mut String::new()).await.unwrap(), 0);
}

#[tokio::test]
async fn a_live_socket_is_not_taken_over() {
    let served = Served::start().await;
    let refused = serve(served.hub.clone(), served.path(), CancellationToken::new()).await.unwrap_err();
    assert_eq!(refused.code(), "admin_socket_in_use");
    served.client().await.call::<Discover>(&NoParams {}).await.unwrap();
}

#[tokio::test]
async fn a_stale_socket_is_replaced_and_another_file_is_not() {
    let (hub, directory) = Served::start().await.stop().await;
    let path = directory.path().join("admin.sock");
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists());
    let stop = CancellationToken::new();
    let socket = serve(hub.clone(), path.clone(), stop.clone()).await.unwrap();
    Client::connect(&path).await.unwrap().call::<Discover>(&NoParams {}).await.unwrap();
    stop.cancel();
    socket.closed().await;

    tokio::fs::write(&path, "notes").await.unwrap();
    let refused = serve(hub, path.clone(), CancellationToken::new()).await.unwrap_err();
    assert_eq!(refused.code(), "admin_socket_path");
    assert_eq!(tokio::fs::read(&path).await.unwrap(), b"notes");
}

#[tokio::test]
async fn a_path_that_is_too_long_is_refused_by_both_halves() {
    let (hub, directory) = Served::start().await.stop().await;
    let path = directory.path().join("x".repeat(120));
    let refused = serve(hub, path.clone(), CancellationToken::new()).await.unwrap_err();
    assert!(refused.message().contains("107"));
    assert!(matches!(Client::connect(&path).await, Err(ClientError::Path(_))));
}

/// A server that knows no method and says that it is of this version.
fn pretend(path: &Path, version: &str) -> tokio::task::JoinHandle<()> {
    let listener = UnixListener::bind(path).unwrap();
    let discovery = json!({ "jsonrpc": "2.0", "id": 2, "result": { "version": version, "methods": [] } });
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut lines = Lines { stream: BufReader::new(stream) };
        lines.receive().await;
        lines.send(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"No."}}"#).await;
        lines.receive().await;
        lines.send(&discovery.to_string()).await;
    })
}

#[tokio::test]
async fn another_version_is_blamed_by_name() {
    let directory = tempfile::tempdir().unwrap();
    for (version, words) in [("9.9.9", ["9.9.9", svc_admin::VERSION]), (svc_admin::VERSION, ["status.show", "older"])] {
        let path = directory.path().join(version);
        let server = pretend(&path, version);
        let printed = svc_admin(&path, &["status"]).await;
        server.await.unwrap();
        let sentence = String::from_utf8(printed.stderr).unwrap();
        assert_eq!(printed.status.code(), Some(1));
        assert!(words.iter().all(|word| sentence.contains(word)), "{sentence}");
    }
}

#[tokio::test]
async fn the_command_line_prints_tables_and_json() {
    let served = Served::start().await;
    let table = svc_admin(&served.path(), &["status"]).await;
    let text = String::from_utf8(table.stdout).unwrap();
    assert!(table.status.success() && text.contains("ready") && text.contains("sqlite"), "{text}");
    assert!(!text.contains('\x1b'), "a pipe gets no colours");
    let json = svc_admin(&served.path(), &["--output", "json", "db", "check"]).await;
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(json.status.success() && report["ok"] == true, "{report}");
}

#[tokio::test]
async fn the_command_line_says_what_to_do_when_it_fails() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("none.sock");
    let absent = svc_admin(&path, &["status"]).await;
    let sentence = String::from_utf8(absent.stderr).unwrap();
    assert_eq!(absent.status.code(), Some(1));
    assert!(sentence.contains("none.sock") && sentence.contains("is the server running?"), "{sentence}");

    drop(UnixListener::bind(&path).unwrap());
    let stopped = svc_admin(&path, &["status"]).await;
    assert!(String::from_utf8(stopped.stderr).unwrap().contains("start it again"));
    assert_eq!(svc_admin(&path, &["statsu"]).await.status.code(), Some(2));
    assert_eq!(svc_admin(&path, &["db", "check", "--help"]).await.status.code(), Some(0));
}

/// Writes a row past the hub that refers to nothing.
async fn break_reference(data: &Path) {
    let store = data.join("svc.db");
    tokio::task::spawn_blocking(move || {
        let connection = rusqlite::Connection::open(store).unwrap();
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        connection.execute("INSERT INTO children (parent) VALUES (42)", []).unwrap();
    })
    .await
    .unwrap();
}
