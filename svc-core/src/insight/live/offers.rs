//! Recording in the background that direct messages were handed to their recipients.
//!
//! Invariants:
//! - Feeds do not wait for it.
//! - One round of writes runs at a time.
//! - Everything handed out before the hub closes is written before the store closes.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, stream};
use tokio_util::task::TaskTracker;

use crate::ids::{MessageId, ParticipantId};
use crate::messaging::messages::offer::Offer;
use crate::store::db::Db;

/// Messages per statement.
const BATCH: usize = 500;
/// Writes that share a commit.
const AT_ONCE: usize = 64;

/// Messages that were handed out and are not recorded yet.
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

    /// Records that a message was handed to its recipient.
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
                    tracing::warn!(error = error.log_line(), "handed out messages could not be recorded");
                }
            }
        }
    }

    /// The next batch; `None` ends the writer.
    fn take(&self) -> Option<HashMap<ParticipantId, Vec<MessageId>>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.is_writing = !waiting.handed.is_empty();
        waiting.is_writing.then(|| mem::take(&mut waiting.handed))
    }
}
