//! Removing traces by hand, for whoever runs the server.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;

use super::store;
use super::writer::Traces;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::messaging::messages::Prune;
use crate::timestamp::Timestamp;

/// Traces removed in one transaction.
const BATCH: u32 = 1000;

/// What a removal by hand came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurgedTraces {
    /// How many traces were removed, or would be.
    pub removed: u64,
    /// Those from before this moment.
    pub before: Timestamp,
}

#[boxed_futures]
impl Traces {
    /// Removes, or counts, what is older than this.
    pub async fn purge(&self, caller: &Caller, older_than: Duration, prune: Prune) -> Result<PurgedTraces> {
        caller.require_root()?;
        let before = self.clock.now().minus(older_than);
        if prune == Prune::Count {
            let count = self.db.read(before, |tx, before| Box::pin(store::count_before(tx, *before))).await?;
            return Ok(PurgedTraces { removed: u64::try_from(count).unwrap_or(0), before });
        }
        // What is still on its way may be old enough.
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
