//! Removal of expired sessions, known browsers, failed logins, invitations, password links and revoked keys.

use std::time::Duration;

use async_trait::async_trait;

use super::store::{self, devices};
use crate::error::Result;
use crate::identity::api_keys::store as api_keys;
use crate::identity::auth::backoff;
use crate::identity::users::store as users;
use crate::store::db::Db;
use crate::store::workers::{Cadence, Progress, Worker};

/// Number of rows that one transaction removes.
const BATCH: u32 = 1000;

/// The worker that removes expired logins and keys.
pub(crate) struct SessionSweep {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for SessionSweep {
    fn name(&self) -> &'static str {
        "session_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(5))
    }

    async fn run_once(&self) -> Result<Progress> {
        let sessions = self.db.write((), |tx, ()| Box::pin(store::sweep(tx, BATCH))).await?;
        let browsers = self.db.write((), |tx, ()| Box::pin(devices::sweep(tx, BATCH))).await?;
        let failures = self.db.write((), |tx, ()| Box::pin(backoff::sweep(tx, BATCH))).await?;
        let invites = self.db.write((), |tx, ()| Box::pin(users::sweep_invites(tx, BATCH))).await?;
        let resets = self.db.write((), |tx, ()| Box::pin(users::sweep_resets(tx, BATCH))).await?;
        let keys = self.db.write((), |tx, ()| Box::pin(api_keys::sweep(tx, BATCH))).await?;
        let more = [sessions, browsers, failures, invites, resets, keys].contains(&u64::from(BATCH));
        Ok(if more { Progress::More } else { Progress::Done })
    }
}
