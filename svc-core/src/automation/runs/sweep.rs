//! Ends runs that no worker will report, and removes old ones.

use std::time::Duration;

use async_trait::async_trait;
use svc_model::runs::RunStatus;

use super::lanes::{Lane, Lanes};
use super::service::Runs;
use super::{outcome, start, store};
use crate::error::Result;
use crate::ids::{AgentId, RunId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::workers::{Cadence, Progress, Worker};

/// Rows that are removed in one transaction.
const BATCH: u32 = 200;

/// The worker that clears runs.
pub(crate) struct RunSweep {
    pub(crate) runs: Runs,
}

#[async_trait]
impl Worker for RunSweep {
    fn name(&self) -> &'static str {
        "run_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(15))
    }

    async fn run_once(&self) -> Result<Progress> {
        let db = &self.runs.db;
        let stranded = db.read((), |tx, ()| Box::pin(store::stranded(tx, BATCH))).await?;
        for (run, agent) in &stranded {
            let input = (self.runs.lanes.clone(), *run, *agent);
            db.write(input, |tx, (lanes, run, agent)| Box::pin(settle(tx, lanes, *run, *agent))).await?;
        }
        // Most rounds find nothing, and a read costs less than a write.
        let is_old = db.read((), |tx, ()| Box::pin(is_any_old(tx))).await?;
        let removed = is_old && db.write((), |tx, ()| Box::pin(remove_old(tx))).await?;
        let is_more = stranded.len() == BATCH as usize || removed;
        Ok(if is_more { Progress::More } else { Progress::Done })
    }
}

/// Queues a run again that was never begun, and ends one that was.
async fn settle(tx: &mut Tx, lanes: &Lanes, id: RunId, agent: AgentId) -> Result<()> {
    let Some(agent) = start::held(tx, agent).await? else { return Ok(()) };
    let is_stranded = store::stranded(tx, BATCH).await?.iter().any(|(run, _)| *run == id);
    let Some(run) = store::state(tx, id).await?.filter(|_| is_stranded) else { return Ok(()) };
    match run.status {
        RunStatus::Queued => {
            let queue = if run.is_event { lanes.queue(Lane::Remote) } else { lanes.of(tx, agent.id).await? };
            let item = start::item(tx, queue, &agent).await?;
            store::set_item(tx, id, item).await
        }
        RunStatus::Running => outcome::interrupt(tx, &agent, &run).await,
        _ => Ok(()),
    }
}

async fn is_any_old(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    Ok(store::is_any_log_before(tx, now.minus(limits::RUN_LOG_RETENTION)).await?
        || store::is_any_before(tx, now.minus(limits::RUN_RETENTION)).await?)
}

/// Removes old logs and runs. Returns whether there may be more.
async fn remove_old(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    let logs = store::sweep_logs(tx, now.minus(limits::RUN_LOG_RETENTION), BATCH).await?;
    let runs = store::sweep(tx, now.minus(limits::RUN_RETENTION), BATCH).await?;
    Ok(logs.max(runs) == u64::from(BATCH))
}
