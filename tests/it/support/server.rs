//! The server as `main` puts it together, in this process, on a free port.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use svc_core::{Hub, HubConfig, Result};
use svc_http::{RateLimits, Server, ServerConfig};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::clock::TestClock;
use super::harness::TestHarness;
use super::hub::CHEAP_HASHES;
use super::postgres::shared_cluster;
use super::sqlite::put_migrated_file;
use super::wait::soon;

/// A running server on a store of its own.
pub(crate) struct TestServer {
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) harness: TestHarness,
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Result<()>>,
    data: TempDir,
}

impl TestServer {
    pub(crate) async fn sqlite() -> Self {
        Self::start(|_| {}).await
    }

    /// `None` on a machine without PostgreSQL.
    pub(crate) async fn postgres() -> Option<Self> {
        Self::start_on_postgres(|_| {}).await
    }

    /// A server on PostgreSQL with other settings than the default ones; `None` on a machine without it.
    pub(crate) async fn start_on_postgres(change: impl FnOnce(&mut ServerConfig)) -> Option<Self> {
        let url = shared_cluster()?.new_database().await;
        let server = Self::start(|config| {
            config.hub = config.hub.clone().with_store(&url).unwrap();
            change(config);
        });
        Some(server.await)
    }

    /// A server on SQLite with other settings than the default ones.
    pub(crate) async fn start(change: impl FnOnce(&mut ServerConfig)) -> Self {
        Self::start_with(|mut config| {
            change(&mut config);
            config
        })
        .await
    }

    /// The same for settings that are made by methods.
    pub(crate) async fn start_with(change: impl FnOnce(ServerConfig) -> ServerConfig) -> Self {
        Self::start_at(Arc::new(TestClock::new()), change).await
    }

    /// Another server on the store of this one, with its clock, its key and its files: another node. On PostgreSQL
    /// only, because a SQLite file has one server.
    pub(crate) async fn beside(&self) -> Self {
        let hub = HubConfig { base_url: None, ..self.hub.config().clone() };
        Self::start_at(self.clock.clone(), |mut config| {
            config.hub = hub;
            config
        })
        .await
    }

    async fn start_at(clock: Arc<TestClock>, change: impl FnOnce(ServerConfig) -> ServerConfig) -> Self {
        let data = TempDir::new().unwrap();
        let mut config = ServerConfig::at(HubConfig::at(data.path()));
        config.hub.bcrypt_cost = CHEAP_HASHES;
        config.listen = "127.0.0.1:0".into();
        config.admin_socket = Some(data.path().join("admin.sock"));
        // All tests share one address; only the tests of the limits want them.
        config.rate_limits = RateLimits { read: 0, write: 0, auth: 0 };
        // Receivers of webhooks are on this machine; only the tests of refused addresses want it otherwise.
        config.hub.webhooks.allow_http = true;
        config.hub.private_networks = "127.0.0.0/8,::1".parse().unwrap();
        // On a busy machine a client may take a while to send what it has connected for; only the tests of patience
        // want it short.
        config.patience.headers = Duration::from_mins(1);
        let (hub_clock, harness) = (clock.clone(), TestHarness::default());
        let runs = Arc::new(harness.clone());
        let config = change(config.assemble_hub(move |builder| builder.clock(hub_clock).harness(runs)));
        if config.hub.store_url() == HubConfig::at(data.path()).store_url() {
            put_migrated_file(data.path()).await;
        }
        let server = Server::bind(config).await.unwrap();
        let (stop, stopped) = oneshot::channel();
        let (address, hub) = (server.address(), server.hub().clone());
        let task = tokio::spawn(server.serve(async move { drop(stopped.await) }));
        #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { hub, clock, harness, address, client, stop: Some(stop), task, data }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn admin_socket(&self) -> std::path::PathBuf {
        self.data.path().join("admin.sock")
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    pub(crate) async fn get_json(&self, path: &str) -> Value {
        self.get(path).await.json().await.unwrap()
    }

    /// Tells it to stop, as a signal would, without waiting for the end.
    pub(crate) fn begin_to_stop(&mut self) {
        self.stop.take().expect("it is told once").send(()).expect("it runs");
    }

    /// Waits until it has stopped in order; its data directory lives on.
    pub(crate) async fn stopped(self) -> TempDir {
        soon("the server stops", self.task).await.unwrap().unwrap();
        self.data
    }

    pub(crate) async fn stop(mut self) -> TempDir {
        self.begin_to_stop();
        self.stopped().await
    }
}

/// Checks that an answer is a problem as the contract describes it, and returns its body.
pub(crate) async fn problem(response: Response, status: u16, code: &str) -> Value {
    assert_eq!(response.status().as_u16(), status, "{}", response.url());
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let body: Value = response.json().await.unwrap();
    assert_eq!((body["status"].as_u64(), body["code"].as_str()), (Some(status.into()), Some(code)), "{body}");
    for field in ["type", "title", "detail"] {
        assert!(body[field].is_string(), "{field} is missing in {body}");
    }
    body
}

/// The body of an answer with this status.
pub(crate) async fn told(answer: Response, status: u16) -> Value {
    let (found, address, text) = (answer.status(), answer.url().clone(), answer.text().await.unwrap());
    assert_eq!(found, status, "{address}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// The fields that a problem finds fault with.
pub(crate) fn faults(problem: &Value) -> Vec<&str> {
    problem["errors"].as_array().unwrap().iter().map(|fault| fault["field"].as_str().unwrap()).collect()
}
