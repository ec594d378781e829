//! Ends pauses of agents whose budgets have room again, lifts loops whose time is over, and removes old records.

use std::time::Duration;

use async_trait::async_trait;

use super::{notice, spending, store};
use crate::error::Result;
use crate::identity::agents;
use crate::ids::AgentId;
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker};

/// Agents, loops or records that are looked at in one transaction.
const BATCH: u32 = 200;

/// The worker that ends what has a time.
pub(crate) struct GovernanceSweep {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for GovernanceSweep {
    fn name(&self) -> &'static str {
        "governance_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(15))
    }

    async fn run_once(&self) -> Result<Progress> {
        let mut after = AgentId(0);
        loop {
            let (last, ready) = self.db.read(after, |tx, after| Box::pin(with_room(tx, *after))).await?;
            let Some(last) = last else { break };
            after = last;
            if !ready.is_empty() {
                self.db.write(ready, |tx, ready| Box::pin(look_again(tx, ready))).await?;
            }
        }
        let due = self.db.read((), |tx, ()| Box::pin(store::due(tx, BATCH))).await?;
        let mut is_more = due.len() == BATCH as usize;
        if !due.is_empty() {
            self.db
                .write(due, |tx, due| {
                    Box::pin(async move {
                        for id in due {
                            if store::expire(tx, *id).await? {
                                let lifted = store::concerned(tx, *id).await?;
                                notice::record_loop(tx, &lifted, false, None).await?;
                            }
                        }
                        Ok(())
                    })
                })
                .await?;
        }
        is_more |= self.remove_old().await?;
        Ok(if is_more { Progress::More } else { Progress::Done })
    }
}

impl GovernanceSweep {
    /// Removes old records, if there are any. Returns whether there may be more.
    async fn remove_old(&self) -> Result<bool> {
        // Most rounds find nothing, and a read costs less than a write.
        if !self.db.read((), |tx, ()| Box::pin(has_old(tx))).await? {
            return Ok(false);
        }
        self.db.write((), |tx, ()| Box::pin(remove(tx))).await
    }
}

/// The next agents that are paused because of their budgets: the last one, and those whose budgets have room again.
async fn with_room(tx: &mut Tx, after: AgentId) -> Result<(Option<AgentId>, Vec<AgentId>)> {
    let paused = store::out_of_budget(tx, after, BATCH).await?;
    let mut ready = Vec::new();
    for agent in &paused {
        let Some(governed) = store::governed(tx, *agent).await? else { continue };
        let (limits, used) = spending::present(tx, &governed).await?;
        if limits.most_used(&used).is_none_or(|(_, percent)| percent < 100) {
            ready.push(*agent);
        }
    }
    Ok((paused.last().copied(), ready))
}

/// Ends the pauses of these agents whose budgets have room again.
async fn look_again(tx: &mut Tx, paused: &[AgentId]) -> Result<()> {
    for agent in paused {
        agents::store::hold(tx, *agent).await?;
        if let Some(governed) = store::governed(tx, *agent).await? {
            spending::evaluate(tx, &governed).await?;
        }
    }
    Ok(())
}

async fn has_old(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    store::is_any_older(
        tx,
        now.minus(limits::REPUTATION_RETENTION),
        now.minus(limits::CHARGE_RETENTION),
        now.minus(limits::LOOP_RETENTION),
    )
    .await
}

/// Removes some old records. Returns whether there may be more.
async fn remove(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    let entries = store::sweep_entries(tx, now.minus(limits::REPUTATION_RETENTION), BATCH).await?;
    let charges = store::sweep_charges(tx, now.minus(limits::CHARGE_RETENTION), BATCH).await?;
    let loops = store::sweep_loops(tx, now.minus(limits::LOOP_RETENTION), BATCH).await?;
    store::sweep_periods(tx, now.minus(limits::CHARGE_RETENTION)).await?;
    Ok([entries, charges, loops].contains(&u64::from(BATCH)))
}
