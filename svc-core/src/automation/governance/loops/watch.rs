//! The worker that follows the log and finds loops.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::Duration;

use async_trait::async_trait;

use super::hold;
use super::search::{self, Candidate};
use crate::automation::governance::service::Governance;
use crate::automation::governance::store;
use crate::error::Result;
use crate::ids::EventSeq;
use crate::limits;
use crate::store::workers::{Cadence, Progress, Worker};

/// Maximum number of events that are read at once.
const BATCH: u32 = 500;
/// Maximum number of past events that are read after a start. A loop that goes on gives itself away anyway.
const MOST: i64 = 5000;

/// The worker that finds loops. It writes nothing until it has found one.
pub(crate) struct LoopWatch {
    pub(crate) governance: Governance,
}

#[async_trait]
impl Worker for LoopWatch {
    fn name(&self) -> &'static str {
        "loop_watch"
    }

    fn cadence(&self) -> Cadence {
        Cadence::on_events_and_every(Duration::from_secs(30))
    }

    async fn run_once(&self) -> Result<Progress> {
        let db = &self.governance.db;
        // Messages that start nothing cannot go on by themselves.
        if !db.read((), |tx, ()| Box::pin(store::is_any_listening(tx))).await? {
            self.move_to(None);
            return Ok(Progress::Done);
        }
        let log = &self.governance.events;
        let since = self.governance.clock.now().minus(limits::LOOP_WINDOW);
        let after = match self.position() {
            Some(after) => after,
            None => log.before(since).await?,
        };
        let after = after.max(EventSeq(log.catch_up().await?.0 - MOST));
        let events = log.read(after, BATCH).await?;
        let Some(last) = events.last().map(|event| event.seq) else { return Ok(Progress::Done) };
        let is_full = events.len() == BATCH as usize;
        let mut seen = HashSet::new();
        let mut candidates = Vec::new();
        for event in events.iter().rev().filter(|event| event.created_at > since) {
            // An event that cannot be read concerns nobody, and must not stop the worker.
            let Ok(Some(candidate)) = Candidate::of(event) else { continue };
            // One look at a conversation sees all its messages.
            if seen.insert(candidate.clone()) {
                candidates.push(candidate);
            }
        }
        if !candidates.is_empty() {
            let found = db.read(candidates, |tx, candidates| Box::pin(search::search(tx, candidates))).await?;
            if !found.is_empty() {
                db.write(found, |tx, found| {
                    Box::pin(async move {
                        for new in found {
                            hold::hold(tx, new).await?;
                        }
                        Ok(())
                    })
                })
                .await?;
            }
        }
        self.move_to(Some(last));
        Ok(if is_full { Progress::More } else { Progress::Done })
    }
}

impl LoopWatch {
    fn position(&self) -> Option<EventSeq> {
        *self.governance.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn move_to(&self, position: Option<EventSeq>) {
        *self.governance.watched.lock().unwrap_or_else(PoisonError::into_inner) = position;
    }
}
