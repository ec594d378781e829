//! Purging traces, for operators.

use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::messages::Prune;
use svc_model::traces::PurgedTraces;

use super::store;
use super::writer::Traces;
use crate::error::Result;
use crate::identity::auth::Caller;

/// Traces removed in one transaction.
const BATCH: u32 = 1000;

#[boxed_futures]
impl Traces {
    /// Removes or counts traces older than `older_than`. Requires the admin socket.
    pub async fn purge(&self, caller: &Caller, older_than: Duration, prune: Prune) -> Result<PurgedTraces> {
        caller.require_root()?;
        let before = self.clock.now().minus(older_than);
        if prune == Prune::Count {
            let count = self.db.read(before, |tx, before| Box::pin(store::count_before(tx, *before))).await?;
            return Ok(PurgedTraces { removed: u64::try_from(count).unwrap_or(0), before });
        }
        // Queued traces may be old enough.
        self.settle().await;
        let mut removed = 0;
        loop {
            let batch = self.db.write(before, |tx, before| Box::pin(store::sweep(tx, *before, BATCH))).await?;
            removed += batch;
            if batch < u64::from(BATCH) {
                return Ok(PurgedTraces { removed, before });
            }
        }
    }
}
