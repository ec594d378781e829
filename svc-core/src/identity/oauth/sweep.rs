//! Removal of codes, tokens, device codes and grants that expired long ago, and of unused clients.
//!
//! Invariants: a used code and a rotated refresh token are kept until well past their expiry, so that a
//! replay is detected; `prune.rs` defines which clients are removed.

use std::time::Duration;

use async_trait::async_trait;

use super::clients::Clients;
use super::prune;
use super::store::{codes, devices, grants, tokens};
use crate::error::Result;
use crate::limits;
use crate::store::db::Db;
use crate::store::workers::{Cadence, Progress, Worker};

/// Number of rows of a table that one transaction removes.
const BATCH: u32 = 1000;

/// The worker that removes expired grants.
pub(crate) struct OAuthSweep {
    pub(crate) db: Db,
    pub(crate) clients: Clients,
}

#[async_trait]
impl Worker for OAuthSweep {
    fn name(&self) -> &'static str {
        "oauth_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(15))
    }

    async fn run_once(&self) -> Result<Progress> {
        let most = self
            .db
            .write((), |tx, ()| {
                Box::pin(async move {
                    let before = tx.now().minus(limits::OAUTH_KEPT_PAST_END);
                    let codes = codes::sweep(tx, before, BATCH).await?;
                    let devices = devices::sweep(tx, before, BATCH).await?;
                    let tokens = tokens::sweep(tx, before, BATCH).await?;
                    let grants = grants::sweep(tx, before, BATCH).await?;
                    Ok(codes.max(devices).max(tokens).max(grants))
                })
            })
            .await?;
        let pruned = self.clients.prune().await?;
        let more = most == u64::from(BATCH) || pruned >= prune::BATCH.unsigned_abs();
        Ok(if more { Progress::More } else { Progress::Done })
    }
}
