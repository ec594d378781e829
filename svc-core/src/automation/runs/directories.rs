//! Removes what this machine keeps of deleted agents.

use std::time::Duration;

use async_trait::async_trait;

use super::service::Runs;
use super::store;
use crate::error::Result;
use crate::store::workers::{Cadence, Placement, Progress, Worker};

/// The worker that removes directories of deleted agents. Its first round prepares the harness, which ends what an
/// earlier server on this machine left behind.
pub(crate) struct RunDirectories {
    pub(crate) runs: Runs,
}

#[async_trait]
impl Worker for RunDirectories {
    fn name(&self) -> &'static str {
        "run_directories"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    fn placement(&self) -> Placement {
        // Directories are on the machine of each process.
        Placement::EveryProcess
    }

    async fn run_once(&self) -> Result<Progress> {
        // For the log; a failure is told by every run and by the readiness of the hub.
        drop(self.runs.confinement().await);
        for agent in self.runs.harness.kept().await? {
            let name = agent.clone();
            if self.runs.db.read(name, |tx, name| Box::pin(store::is_deleted(tx, name))).await? {
                self.runs.harness.forget(&agent).await?;
            }
        }
        Ok(Progress::Done)
    }
}
