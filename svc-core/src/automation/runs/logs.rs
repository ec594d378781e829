//! The logs of runs: as they are stored, and while they grow.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;

use super::service::{Runs, scope};
use super::store::{self, Scope};
use super::view::existing;
use crate::automation::harness::LogFollower;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::RunId;
use crate::limits;
use crate::store::db::Tx;

/// A log that is read while it grows. Its end is the end of the run.
pub struct RunLog {
    runs: Runs,
    id: RunId,
    source: Source,
}

enum Source {
    /// The run is under way in this process.
    Live(LogFollower),
    /// The run is queued or has ended, or another process runs it and stores its log regularly. `sent` bytes have been read.
    Stored { sent: usize },
    /// Everything was read.
    Ended,
}

#[boxed_futures]
impl Runs {
    /// The log of a run as far as it is known; after its retention period the excerpt.
    pub async fn log(&self, caller: &Caller, id: RunId) -> Result<String> {
        let scope = scope(caller, Permission::Read)?;
        let (stored, _) = self.db.read((scope, id), |tx, (scope, id)| Box::pin(stored(tx, scope, *id))).await?;
        Ok(self.live(id).map_or(stored, |live| live.log.whole()))
    }

    /// The log of a run, with what follows until the run has ended.
    pub async fn follow_log(&self, caller: &Caller, id: RunId) -> Result<RunLog> {
        let scope = scope(caller, Permission::Read)?;
        self.db.read((scope, id), |tx, (scope, id)| Box::pin(existing(tx, scope, *id))).await?;
        let source = match self.live(id) {
            Some(live) => Source::Live(live.log.follow()),
            None => Source::Stored { sent: 0 },
        };
        Ok(RunLog { runs: self.clone(), id, source })
    }
}

impl RunLog {
    /// The next part of the log; none at its end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            match &mut self.source {
                Source::Live(follower) => {
                    let next = follower.next().await;
                    if next.is_none() {
                        self.source = Source::Ended;
                    }
                    return Ok(next);
                }
                Source::Stored { sent } => {
                    // A run that was queued may have begun in this process.
                    if *sent == 0
                        && let Some(live) = self.runs.live(self.id)
                    {
                        self.source = Source::Live(live.log.follow());
                        continue;
                    }
                    let everything = Scope { owner: None, agent: None };
                    let read =
                        self.runs.db.read((everything, self.id), |tx, (scope, id)| Box::pin(stored(tx, scope, *id)));
                    let (text, is_over) = read.await?;
                    // A log that became longer than its limit lost its middle; then only its new end could be told from
                    // it, and the whole is sent again when the run has ended.
                    let part = text.as_bytes().get(*sent..).unwrap_or_default().to_vec();
                    *sent = text.len().max(*sent);
                    if is_over {
                        self.source = Source::Ended;
                    }
                    if !part.is_empty() {
                        return Ok(Some(part));
                    }
                    if !is_over {
                        tokio::time::sleep(limits::RUN_LOG_POLL).await;
                    }
                }
                Source::Ended => return Ok(None),
            }
        }
    }
}

/// The stored log of a run, and whether nothing is added to it any more.
async fn stored(tx: &mut Tx, scope: &Scope, id: RunId) -> Result<(String, bool)> {
    let run = existing(tx, scope, id).await?;
    let text = match store::log(tx, id).await? {
        Some(text) => text,
        None => store::harness_run(tx, id).await?.and_then(|run| run.logs_excerpt).unwrap_or_default(),
    };
    Ok((text, run.status.is_final()))
}
