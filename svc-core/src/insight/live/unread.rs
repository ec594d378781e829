//! Counting what is unread, for all feeds together: one round every 200 ms at most, and in it one
//! read for everybody who asked.
//!
//! What always holds: a message is told first and counted later, so that counting never makes
//! anybody wait for a message; a count is never older than the place that stands with it.

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

/// Pairs that one statement names.
const BATCH: usize = 512;

/// Everything up to a place of the log is counted in these.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) through: EventSeq,
    pub(super) unread: Vec<UnreadNews>,
}

/// Where an answer comes.
pub(super) type Counting = oneshot::Receiver<Counted>;

struct Question {
    participant: ParticipantId,
    conversations: Vec<ConversationId>,
    answer: oneshot::Sender<Counted>,
}

/// The questions that wait for the next round.
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
    questions: Vec<Question>,
    is_counting: bool,
}

impl Counter {
    pub(super) fn new(db: Db, events: EventLog, tasks: TaskTracker, closing: CancellationToken) -> Self {
        Self { db, events, tasks, closing, waiting: Arc::default() }
    }

    /// Asks what is unread for somebody in these conversations.
    pub(super) fn ask(&self, participant: ParticipantId, conversations: Vec<ConversationId>) -> Counting {
        let (answer, counting) = oneshot::channel();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.questions.push(Question { participant, conversations, answer });
        if !mem::replace(&mut waiting.is_counting, true) {
            let counter = self.clone();
            self.tasks.spawn(async move { counter.run().await });
        }
        counting
    }

    /// Counts in rounds until nobody asks any more.
    async fn run(&self) {
        loop {
            let pause = tokio::time::sleep(limits::UNREAD_PACE);
            let closed = self.closing.run_until_cancelled(pause).await.is_none();
            let Some(questions) = self.take() else { return };
            // Whoever asked finds the answer gone, and has no use for it.
            if closed {
                continue;
            }
            if let Err(error) = self.answer(questions).await {
                tracing::warn!(error = error.log_line(), "what is unread could not be counted; it is tried again");
            }
        }
    }

    /// `None`, and the rounds end, when nobody has asked.
    fn take(&self) -> Option<Vec<Question>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.is_counting = !waiting.questions.is_empty();
        waiting.is_counting.then(|| mem::take(&mut waiting.questions))
    }

    async fn answer(&self, mut questions: Vec<Question>) -> Result<()> {
        questions.retain(|question| !question.answer.is_closed());
        let mut pairs: Vec<Pair> = questions
            .iter()
            .flat_map(|question| {
                question.conversations.iter().map(|conversation| (question.participant, *conversation))
            })
            .collect();
        // Somebody may listen with several feeds.
        pairs.sort_unstable();
        pairs.dedup();
        // What is in the log by now is in the store as well.
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
        for Question { participant, conversations, answer } in questions {
            let mut unread: Vec<UnreadNews> = Vec::new();
            for conversation in conversations {
                let place = found.binary_search_by_key(&(participant, conversation), |(pair, _)| *pair);
                // Two conversations of the same two are one place to read.
                if let Ok(place) = place
                    && !unread.contains(&found[place].1)
                {
                    unread.push(found[place].1.clone());
                }
            }
            // A feed that has ended meanwhile does not take it.
            drop(answer.send(Counted { through, unread }));
        }
        Ok(())
    }
}
