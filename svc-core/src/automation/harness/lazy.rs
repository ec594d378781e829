//! The harnesses of a hub, which are prepared when they are first used: many programs open a hub and run nothing.

use std::sync::Arc;

use async_trait::async_trait;
use svc_model::cluster::ClusterStatus;
use svc_model::harness::RunFailure;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use super::{Harness, HarnessConfig, Harnesses, LogSink, RemoteJob, RunEnd, RunJob};
use crate::clock::{Clock, Entropy};
use crate::error::Result;
use crate::net::GuardedClient;

/// Harnesses that are opened once.
pub(crate) struct LazyHarnesses {
    pub(crate) config: HarnessConfig,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) client: Arc<GuardedClient>,
    pub(crate) opened: OnceCell<Harnesses>,
}

impl LazyHarnesses {
    async fn harnesses(&self) -> Result<&Harnesses> {
        let open =
            || Harnesses::open(self.config.clone(), self.clock.clone(), self.entropy.as_ref(), self.client.clone());
        self.opened.get_or_try_init(open).await
    }
}

#[async_trait]
impl Harness for LazyHarnesses {
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd {
        match self.harnesses().await {
            Ok(harnesses) => harnesses.run(job, log, cancel).await,
            Err(error) => {
                tracing::warn!(run = job.run.0, error = error.log_line(), "a run was not started");
                log.close();
                RunEnd::failed(RunFailure::NotStarted, error.message())
            }
        }
    }

    async fn confinement(&self) -> Result<Option<String>> {
        self.harnesses().await?.confinement().await
    }

    async fn kept(&self) -> Result<Vec<String>> {
        self.harnesses().await?.kept().await
    }

    async fn forget(&self, agent: &str) -> Result<()> {
        self.harnesses().await?.forget(agent).await
    }

    async fn cluster(&self) -> ClusterStatus {
        match self.harnesses().await {
            Ok(harnesses) => harnesses.cluster().await,
            Err(error) => {
                ClusterStatus { configured: false, namespace: None, problem: Some(error.message().to_owned()) }
            }
        }
    }

    async fn remote_jobs(&self, namespaces: &[String]) -> Result<Vec<RemoteJob>> {
        self.harnesses().await?.remote_jobs(namespaces).await
    }

    async fn end_remote(&self, job: &RemoteJob) -> Result<()> {
        self.harnesses().await?.end_remote(job).await
    }
}
