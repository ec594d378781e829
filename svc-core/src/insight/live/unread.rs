//! Counting unread messages for all feeds together: at most one round every 200 ms, with one read
//! for all requests.
//!
//! Invariants:
//! - A message is sent first and counted later, so counting never delays a message.
//! - A count is never older than the log position returned with it.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use svc_model::live::UnreadNews;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::store::{self, Pair};
use crate::error::Result;
use crate::ids::{ConversationId, EventSeq, ParticipantId};
use crate::limits;
use crate::store::db::Db;
use crate::store::events::EventLog;

/// Pairs per statement.
const BATCH: usize = 512;

/// Unread counts that include all events up to a log position.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) through: EventSeq,
    pub(super) unread: Vec<UnreadNews>,
}

/// The receiver of a count.
pub(super) type Counting = oneshot::Receiver<Counted>;

struct CountRequest {
    participant: ParticipantId,
    conversations: Vec<ConversationId>,
    answer: oneshot::Sender<Counted>,
}

/// The requests for the next round.
#[derive(Clone)]
pub(super) struct Counter {
    db: Db,
    events: EventLog,
    tasks: TaskTracker,
    closing: CancellationToken,
    waiting: Arc<Mutex<Waiting>>,
}

#[derive(Default)]
struct Waiting {
    requests: Vec<CountRequest>,
    is_counting: bool,
}

impl Counter {
    pub(super) fn new(db: Db, events: EventLog, tasks: TaskTracker, closing: CancellationToken) -> Self {
        Self { db, events, tasks, closing, waiting: Arc::default() }
    }

    /// Requests the unread counts of a participant in these conversations.
    pub(super) fn ask(&self, participant: ParticipantId, conversations: Vec<ConversationId>) -> Counting {
        let (answer, counting) = oneshot::channel();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.requests.push(CountRequest { participant, conversations, answer });
        if !mem::replace(&mut waiting.is_counting, true) {
            let counter = self.clone();
            self.tasks.spawn(async move { counter.run().await });
        }
        counting
    }

    /// Counts in rounds until there are no more requests.
    async fn run(&self) {
        loop {
            let pause = tokio::time::sleep(limits::UNREAD_PACE);
            let closed = self.closing.run_until_cancelled(pause).await.is_none();
            let Some(requests) = self.take() else { return };
            // The requesting feeds have ended and need no answer.
            if closed {
                continue;
            }
            if let Err(error) = self.answer(requests).await {
                tracing::warn!(error = error.log_line(), "unread messages could not be counted; retrying");
            }
        }
    }

    /// The requests of the next round; `None` ends the rounds.
    fn take(&self) -> Option<Vec<CountRequest>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.is_counting = !waiting.requests.is_empty();
        waiting.is_counting.then(|| mem::take(&mut waiting.requests))
    }

    async fn answer(&self, mut requests: Vec<CountRequest>) -> Result<()> {
        requests.retain(|request| !request.answer.is_closed());
        let mut pairs: Vec<Pair> = requests
            .iter()
            .flat_map(|request| request.conversations.iter().map(|conversation| (request.participant, *conversation)))
            .collect();
        // A participant may have several feeds.
        pairs.sort_unstable();
        pairs.dedup();
        // Everything in the log by now is also in the store.
        let through = self.events.head()?;
        let mut found: Vec<(Pair, UnreadNews)> = Vec::with_capacity(pairs.len());
        for batch in pairs.chunks(BATCH) {
            found.extend(
                self.db
                    .read(batch.to_vec(), |tx, pairs| Box::pin(async move { store::unread(tx, pairs).await }))
                    .await?,
            );
        }
        found.sort_unstable_by_key(|(pair, _)| *pair);
        for CountRequest { participant, conversations, answer } in requests {
            let mut unread: Vec<UnreadNews> = Vec::new();
            for conversation in conversations {
                let index = found.binary_search_by_key(&(participant, conversation), |(pair, _)| *pair);
                // Several conversations of the same two participants give one count.
                if let Ok(index) = index
                    && !unread.contains(&found[index].1)
                {
                    unread.push(found[index].1.clone());
                }
            }
            // A feed that has ended meanwhile does not receive it.
            drop(answer.send(Counted { through, unread }));
        }
        Ok(())
    }
}
