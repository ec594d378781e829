//! The connection to the API server of the cluster.

use std::future::Future;
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::time::{Instant, sleep, timeout};

use super::ClusterConfig;
use super::errors::{Fault, fault};
use crate::limits;

/// The variable by which a process knows that it runs in a pod.
const IN_POD: &str = "KUBERNETES_SERVICE_HOST";
/// The time limit of a connection attempt.
const CONNECT: Duration = Duration::from_secs(10);
/// The first pause before a request is repeated, and the longest one.
const PAUSES: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// A client of the API server, and the namespace of Jobs that name none.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) client: Client,
    pub(super) namespace: String,
}

/// Reads the configuration. Returns nothing when there is none; an error says what is wrong with it.
pub(super) async fn connect(config: &ClusterConfig) -> Result<Option<Connection>, String> {
    let Some(mut found) = configuration(config).await? else { return Ok(None) };
    found.connect_timeout = Some(CONNECT);
    let namespace = found.default_namespace.clone();
    let client = Client::try_from(found).map_err(|error| format!("The cluster cannot be used: {error}"))?;
    Ok(Some(Connection { client, namespace }))
}

async fn configuration(config: &ClusterConfig) -> Result<Option<Config>, String> {
    let Some(paths) = config.kubeconfig.as_deref().filter(|paths| !paths.is_empty()) else {
        if std::env::var_os(IN_POD).is_none() {
            return Ok(None);
        }
        let found = Config::incluster();
        return found.map(Some).map_err(|error| format!("The service account of this pod cannot be used: {error}"));
    };
    let wrong = |error: kube::config::KubeconfigError| format!("The file of KUBECONFIG cannot be used: {error}");
    let mut merged: Option<Kubeconfig> = None;
    for path in paths.split(':').filter(|path| !path.is_empty()) {
        let next = Kubeconfig::read_from(path).map_err(wrong)?;
        merged = Some(match merged {
            Some(first) => first.merge(next).map_err(wrong)?,
            None => next,
        });
    }
    let Some(merged) = merged else { return Ok(None) };
    Config::from_custom_kubeconfig(merged, &KubeConfigOptions::default()).await.map(Some).map_err(wrong)
}

/// Makes a request, and repeats it while the cluster does not answer. Only for requests that can be repeated.
pub(super) async fn patiently<T, R>(request: impl Fn() -> R) -> Result<T, Fault>
where
    R: Future<Output = kube::Result<T>>,
{
    let deadline = Instant::now() + limits::CLUSTER_PATIENCE;
    let (mut pause, longest) = PAUSES;
    loop {
        let found = match timeout(limits::CLUSTER_REQUEST, request()).await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(error)) => fault(&error),
            Err(_) => Fault::Transient("it did not answer in time".to_owned()),
        };
        match found {
            Fault::Transient(reason) if Instant::now() + pause < deadline => {
                tracing::info!(reason, "a request to the cluster is repeated");
                sleep(pause).await;
                pause = (pause * 2).min(longest);
            }
            other => return Err(other),
        }
    }
}
