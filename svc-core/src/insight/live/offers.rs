//! Noting in the background that direct messages were handed to whom they are for.
//!
//! What always holds: nobody waits for it; one round of writes is under way at a time; what was handed
//! out before the hub closes is written before the store closes.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, stream};
use tokio_util::task::TaskTracker;

use crate::ids::{MessageId, ParticipantId};
use crate::messaging::messages::offer::Offer;
use crate::store::db::Db;

/// Messages that one statement names.
const BATCH: usize = 500;
/// Writes that wait for the same commit.
const AT_ONCE: usize = 64;

/// What was handed out and is not written yet.
#[derive(Clone)]
pub(super) struct Offers {
    db: Db,
    tasks: TaskTracker,
    waiting: Arc<Mutex<Waiting>>,
}

#[derive(Default)]
struct Waiting {
    handed: HashMap<ParticipantId, Vec<MessageId>>,
    is_writing: bool,
}

impl Offers {
    pub(super) fn new(db: Db, tasks: TaskTracker) -> Self {
        Self { db, tasks, waiting: Arc::default() }
    }

    /// Notes that a message was handed to its addressee.
    pub(super) fn note(&self, to: ParticipantId, message: MessageId) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.handed.entry(to).or_default().push(message);
        if !mem::replace(&mut waiting.is_writing, true) {
            let offers = self.clone();
            self.tasks.spawn(async move { offers.write().await });
        }
    }

    /// Writes until nothing is left.
    async fn write(&self) {
        while let Some(handed) = self.take() {
            let batches = handed.into_iter().flat_map(|(to, messages)| {
                messages.chunks(BATCH).map(|batch| Offer::direct(to, batch.to_vec())).collect::<Vec<_>>()
            });
            let mut writes = stream::iter(batches).map(|offer| offer.store(&self.db)).buffer_unordered(AT_ONCE);
            while let Some(written) = writes.next().await {
                if let Err(error) = written {
                    tracing::warn!(error = error.log_line(), "what a live stream handed out was not noted");
                }
            }
        }
    }

    /// `None`, and the writer ends, when there is nothing.
    fn take(&self) -> Option<HashMap<ParticipantId, Vec<MessageId>>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.is_writing = !waiting.handed.is_empty();
        waiting.is_writing.then(|| mem::take(&mut waiting.handed))
    }
}
