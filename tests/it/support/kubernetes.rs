//! A Kubernetes control plane of the tests: started once, gone when the test process ends. Every test has a namespace
//! of its own, in which the hub has the rights of the committed Role.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use reqwest::{Client, Method};
use serde::Deserialize;
use serde_json::{Value, json};
use svc_core::cluster::ClusterConfig;
use tempfile::TempDir;

use super::people::Person;
use super::postgres::shared_cluster;
use super::server::TestServer;
use super::wait::until;

/// The variable with the path of the program.
const PROGRAM: &str = "SVC_KUBERNETES";
/// The image that runs the shell script in its variable `SCRIPT`.
pub(crate) const SHELL: &str = "svc.test/sh";

/// The control plane.
pub(crate) struct Kubernetes {
    pub(crate) kubeconfigs: Kubeconfigs,
    pub(crate) audit_log: PathBuf,
    url: String,
    token: String,
    client: Client,
    process: Mutex<Process>,
    _directory: TempDir,
}

struct Process {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _child: Child,
}

#[derive(Deserialize)]
struct Announcement {
    url: String,
    ca: PathBuf,
    tokens: std::collections::HashMap<String, String>,
    kubeconfigs: Kubeconfigs,
    audit_log: PathBuf,
}

/// The files with which clients connect.
#[derive(Deserialize)]
pub(crate) struct Kubeconfigs {
    pub(crate) app: PathBuf,
    pub(crate) outsider: PathBuf,
    pub(crate) wrong_ca: PathBuf,
    pub(crate) expired: PathBuf,
}

/// The control plane that all tests of this run share. `None`, with a line that says why, where it was not built; under
/// `STRICT=1` that is a failure.
pub(crate) fn shared_kubernetes() -> Option<&'static Kubernetes> {
    static SHARED: OnceLock<Result<Kubernetes, String>> = OnceLock::new();
    match SHARED.get_or_init(Kubernetes::start) {
        Ok(cluster) => Some(cluster),
        Err(reason) => {
            assert!(std::env::var("STRICT").is_err(), "Kubernetes is missing: {reason}");
            println!("skipped: Kubernetes: {reason}");
            None
        }
    }
}

/// A control plane of one test, which may restart it.
pub(crate) fn own_kubernetes() -> Option<&'static Kubernetes> {
    shared_kubernetes()?;
    Some(Box::leak(Box::new(Kubernetes::start().unwrap())))
}

/// The rights of the hub, as they are committed.
pub(crate) fn committed_role() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/k8s/rbac.yaml");
    let text = text(&path);
    let documents: Vec<Value> =
        text.split("\n---\n").map(|part| serde_saphyr::from_str(part).expect("it is YAML")).collect();
    documents.into_iter().find(|document| document["kind"] == "Role").expect("it has a Role")
}

#[expect(clippy::disallowed_methods, reason = "small files of the test are read at once")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

impl Kubernetes {
    fn start() -> Result<Self, String> {
        // Building it takes minutes, so no test does that.
        let missing = "set SVC_KUBERNETES to the path that scripts/kubernetes-server prints";
        let program = std::env::var(PROGRAM).map_err(|_| missing)?;
        let directory = tempfile::Builder::new().prefix("svckube").tempdir().map_err(|error| error.to_string())?;
        let mut child = Command::new(program)
            .arg("up")
            .arg(directory.path().join("cluster"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| error.to_string())?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        let mut line = String::new();
        output.read_line(&mut line).map_err(|error| error.to_string())?;
        let told: Announcement = serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
        // Another test may have installed it already.
        drop(rustls::crypto::ring::default_provider().install_default());
        let authority = reqwest::Certificate::from_pem(text(&told.ca).as_bytes()).map_err(|error| error.to_string())?;
        #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
        let client = Client::builder().tls_certs_only([authority]);
        // A connection ends with the runtime of the test that made it, so none is kept for another test.
        let client = client.pool_max_idle_per_host(0).build().map_err(|error| error.to_string())?;
        Ok(Self {
            kubeconfigs: told.kubeconfigs,
            audit_log: told.audit_log,
            url: told.url,
            token: told.tokens["admin"].clone(),
            client,
            process: Mutex::new(Process { input, output, _child: child }),
            _directory: directory,
        })
    }

    /// A request of the administrator of the cluster.
    pub(crate) async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let mut request = self.client.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or(Value::Null))
    }

    async fn create(&self, path: &str, body: Value) {
        let (status, told) = self.call(Method::POST, path, Some(body)).await;
        assert_eq!(status, 201, "{path}: {told}");
    }

    /// A new namespace in which the hub has the rights of the committed Role.
    pub(crate) async fn namespace(&'static self) -> Namespace {
        self.namespace_with(committed_role()).await
    }

    /// A new namespace in which the hub has these rights.
    pub(crate) async fn namespace_with(&'static self, role: Value) -> Namespace {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let name = format!("t{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        self.create("/api/v1/namespaces", json!({ "metadata": { "name": name } })).await;
        let rights = format!("/apis/rbac.authorization.k8s.io/v1/namespaces/{name}");
        self.create(&format!("{rights}/roles"), role.clone()).await;
        let binding = json!({
            "metadata": { "name": "svc" },
            "subjects": [{ "kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "app" }],
            "roleRef": { "kind": "Role", "apiGroup": "rbac.authorization.k8s.io", "name": "svc" },
        });
        self.create(&format!("{rights}/rolebindings"), binding).await;
        self.until_allowed(&name, &role["rules"][0]).await;
        let directory = TempDir::new().unwrap();
        let kubeconfig = directory.path().join("kubeconfig");
        let mut config: Value = serde_saphyr::from_str(&text(&self.kubeconfigs.app)).unwrap();
        config["contexts"][0]["context"]["namespace"] = json!(name);
        tokio::fs::write(&kubeconfig, config.to_string()).await.unwrap();
        Namespace { cluster: self, name, kubeconfig, _directory: directory }
    }

    /// Waits until a rule is in force, which the cluster does not say when it takes it.
    async fn until_allowed(&self, namespace: &str, rule: &Value) {
        let review = json!({ "spec": { "user": "app", "resourceAttributes": {
            "namespace": namespace, "group": rule["apiGroups"][0], "resource": rule["resources"][0],
            "verb": rule["verbs"][0],
        } } });
        let path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
        until("the rights are in force", async || {
            let (_, told) = self.call(Method::POST, path, Some(review.clone())).await;
            (told["status"]["allowed"] == true).then_some(())
        })
        .await;
    }

    /// Stops the API server and starts it again with what it has stored.
    pub(crate) fn restart(&self) {
        let mut process = self.process.lock().unwrap();
        process.input.write_all(b"restart-apiserver\n").unwrap();
        process.input.flush().unwrap();
        let mut line = String::new();
        process.output.read_line(&mut line).unwrap();
        assert!(line.contains("restarted"), "{line}");
    }
}

/// A namespace, and the file with which the hub uses it.
pub(crate) struct Namespace {
    pub(crate) cluster: &'static Kubernetes,
    pub(crate) name: String,
    pub(crate) kubeconfig: PathBuf,
    _directory: TempDir,
}

impl Namespace {
    /// The settings of a hub that uses the namespace.
    pub(crate) fn config(&self) -> ClusterConfig {
        let kubeconfig = Some(self.kubeconfig.to_str().unwrap().to_owned());
        ClusterConfig { kubeconfig, hub: self.name.clone(), patience: std::time::Duration::from_secs(1) }
    }

    /// An object of the namespace; none when there is none.
    pub(crate) async fn find(&self, path: &str) -> Option<Value> {
        let (status, told) = self.cluster.call(Method::GET, &self.path(path), None).await;
        (status == 200).then_some(told)
    }

    pub(crate) async fn list(&self, path: &str) -> Vec<Value> {
        let (status, told) = self.cluster.call(Method::GET, &self.path(path), None).await;
        assert_eq!(status, 200, "{told}");
        told["items"].as_array().unwrap().clone()
    }

    /// The Jobs of the namespace.
    pub(crate) async fn jobs(&self) -> Vec<Value> {
        self.list("jobs").await
    }

    /// Deletes an object, with what belongs to it.
    pub(crate) async fn delete(&self, path: &str) {
        let body = json!({ "propagationPolicy": "Background" });
        let (status, told) = self.cluster.call(Method::DELETE, &self.path(path), Some(body)).await;
        assert!(matches!(status, 200 | 202), "{told}");
    }

    /// Waits until an object is gone.
    pub(crate) async fn gone(&self, path: &str) {
        until(&format!("{path} is gone"), async || self.find(path).await.is_none().then_some(())).await;
    }

    fn path(&self, path: &str) -> String {
        let group = if path.starts_with("jobs") { "/apis/batch/v1" } else { "/api/v1" };
        format!("{group}/namespaces/{}/{path}", self.name)
    }
}

/// A server whose Jobs go to a namespace of their own; none where there is no control plane.
pub(crate) struct Clustered(pub(crate) Option<(TestServer, Namespace)>);

impl Clustered {
    pub(crate) async fn sqlite() -> Self {
        Self::on(None).await
    }

    pub(crate) async fn postgres() -> Option<Self> {
        let url = shared_cluster()?.new_database().await;
        Some(Self::on(Some(url)).await)
    }

    async fn on(url: Option<String>) -> Self {
        let Some(cluster) = shared_kubernetes() else { return Self(None) };
        let namespace = cluster.namespace().await;
        let settings = namespace.config();
        let server = TestServer::start_with(|mut config| {
            if let Some(url) = url {
                config.hub = config.hub.with_store(&url).unwrap();
            }
            config.hub.runs.cluster = settings;
            config.assemble_hub(|builder| builder)
        });
        Self(Some((server.await, namespace)))
    }
}

impl TestServer {
    /// Registers a handler that runs a script for these events of an agent.
    pub(crate) async fn handler(&self, owner: &Person, agent: &str, events: &[&str], script: &str) -> Value {
        let new = json!({ "agent": agent, "image": SHELL, "events": events, "env": { "SCRIPT": script } });
        self.did(owner, Method::POST, "/api/k8s/handlers", new).await
    }

    /// The runs of somebody's agents that are Jobs, newest first.
    pub(crate) async fn cluster_runs(&self, owner: &Person) -> Vec<Value> {
        self.look(owner, "/api/k8s/runs?limit=200").await["runs"].as_array().unwrap().clone()
    }

    /// Waits until somebody's agents have so many Jobs that ended, and returns them.
    pub(crate) async fn until_jobs(&self, owner: &Person, count: usize) -> Vec<Value> {
        until(&format!("{count} Jobs to end"), async || {
            let runs = self.cluster_runs(owner).await;
            let is_over = runs.len() == count && runs.iter().all(|run| !run["ended_at"].is_null());
            is_over.then_some(runs)
        })
        .await
    }
}
