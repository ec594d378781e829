//! The worker that sends messages whose time has come, and removes old ones that were sent or refused.

use std::time::Duration;

use async_trait::async_trait;

use super::service::Scheduled;
use super::store;
use crate::error::Result;
use crate::store::workers::{Cadence, Progress, Worker};

/// Messages that are sent per run, and old ones that are removed, each in its own transaction.
const BATCH: u32 = 100;

/// The worker that sends scheduled messages.
pub(crate) struct ScheduledSending {
    pub(crate) scheduled: Scheduled,
}

#[async_trait]
impl Worker for ScheduledSending {
    fn name(&self) -> &'static str {
        "scheduled_sending"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(2))
    }

    async fn run_once(&self) -> Result<Progress> {
        let db = &self.scheduled.db;
        let due = db.read((), |tx, ()| Box::pin(store::due(tx, BATCH))).await?;
        let mut failure = None;
        for id in &due {
            // One that cannot be sent at the moment does not hold up the others.
            if let Err(error) = self.scheduled.deliver(*id).await {
                failure = Some(error);
            }
        }
        let old = db.read((), |tx, ()| Box::pin(store::has_old(tx))).await?;
        let removed = if old { db.write((), |tx, ()| Box::pin(store::remove_old(tx, BATCH))).await? } else { 0 };
        match failure {
            Some(error) => Err(error),
            None if due.len() == BATCH as usize || removed == u64::from(BATCH) => Ok(Progress::More),
            None => Ok(Progress::Done),
        }
    }
}
