//! Ends Jobs in the cluster that belong to no run any more.

use std::time::Duration;

use async_trait::async_trait;

use super::service::Cluster;
use super::store;
use crate::automation::runs::open_among;
use crate::error::Result;
use crate::ids::RunId;
use crate::limits;
use crate::store::workers::{Cadence, Progress, Worker};

/// The worker that ends stray Jobs: those of a run that was ended while no node followed it, because its agent was
/// deleted for example.
pub(crate) struct StrayJobs {
    pub(crate) cluster: Cluster,
}

#[async_trait]
impl Worker for StrayJobs {
    fn name(&self) -> &'static str {
        "stray_jobs"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(limits::CLUSTER_STRAYS)
    }

    async fn run_once(&self) -> Result<Progress> {
        let harness = &self.cluster.harness;
        if !harness.cluster().await.configured {
            return Ok(Progress::Done);
        }
        let namespaces = self.cluster.db.read((), |tx, ()| Box::pin(store::namespaces(tx))).await?;
        // A run is stored before its Job, so a Job that is listed now has a run that is open, or none that ever will be.
        let jobs = match tokio::time::timeout(PATIENCE, harness.remote_jobs(&namespaces)).await {
            Ok(Ok(jobs)) => jobs,
            Ok(Err(error)) => {
                tracing::warn!(error = error.log_line(), "the jobs of the cluster cannot be listed");
                return Ok(Progress::Done);
            }
            Err(_) => return Ok(Progress::Done),
        };
        let runs: Vec<RunId> = jobs.iter().map(|job| job.run).collect();
        let open = self.cluster.db.read(runs, |tx, runs| Box::pin(open_among(tx, runs))).await?;
        for job in jobs.iter().filter(|job| !open.contains(&job.run)) {
            match harness.end_remote(job).await {
                Ok(()) => tracing::warn!(run = job.run.0, job = job.name, "a job without a run was deleted"),
                Err(error) => {
                    tracing::warn!(job = job.name, error = error.log_line(), "a job without a run was not deleted");
                }
            }
        }
        Ok(Progress::Done)
    }
}

/// The time for the lists of all namespaces.
const PATIENCE: Duration = Duration::from_mins(1);
