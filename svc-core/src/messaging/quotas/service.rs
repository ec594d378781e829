//! Asking how much was used, and whether there is room for more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::quotas::{FileUsage, MessageUsage, QuotaRefusals, Usage};
use tokio::sync::{Mutex, MutexGuard};

use super::store;
use super::tally::{Admitted, Tally, Verdict};
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::UserId;
use crate::limits;
use crate::messaging::attachments::Attachments;
use crate::span::Span;
use crate::store::db::{Db, Work};
use crate::timestamp::Timestamp;

/// Owners whose messages are counted at a time, by the remainder of their numbers.
const COUNTERS: usize = 64;

/// Counts the messages of an owner. Analytics does, which stands above messaging.
pub(crate) trait SentMessages: Send + Sync {
    /// What an owner and their agents sent in the last 24 hours, by hour, without hours in which they sent nothing.
    fn sent_lately(&self, owner: UserId) -> Work<'_, Vec<(Timestamp, i64)>>;
}

/// The quotas of a hub; see [`Hub::quotas`](crate::Hub::quotas).
#[derive(Clone)]
pub struct Quotas {
    db: Db,
    clock: Arc<dyn Clock>,
    sent: Arc<dyn SentMessages>,
    attachments: Attachments,
    /// Messages that an owner may send; none is no limit.
    messages: Option<u64>,
    tally: Tally,
    counters: Arc<[Mutex<()>; COUNTERS]>,
    refused: Arc<AtomicU64>,
}

#[boxed_futures]
impl Quotas {
    pub(crate) fn new(
        db: Db,
        clock: Arc<dyn Clock>,
        sent: Arc<dyn SentMessages>,
        attachments: Attachments,
        messages: Option<u64>,
    ) -> Self {
        let counters = Arc::new(std::array::from_fn(|_| Mutex::default()));
        let (tally, refused) = (Tally::default(), Arc::default());
        Self { db, clock, sent, attachments, messages, tally, counters, refused }
    }

    /// What the caller's owner has used. Whoever holds the process has used nothing.
    pub async fn usage(&self, caller: &Caller) -> Result<Usage> {
        caller.require(Permission::Read)?;
        let (used_bytes, used) = match caller.owner() {
            None => (0, 0),
            Some(owner) => {
                let bytes = self.db.read(owner, |tx, owner| Box::pin(store::file_bytes(tx, *owner))).await?;
                let counter = self.counter(owner).lock().await;
                (bytes, self.count(owner, &counter).await?.0)
            }
        };
        Ok(Usage {
            files: FileUsage { used_bytes, limit_bytes: self.attachments.quota() },
            messages: MessageUsage { used, limit: self.messages, window: Span::Day },
        })
    }

    /// Bytes of everybody's files; a content counts once for each owner.
    pub async fn all_file_bytes(&self) -> Result<u64> {
        let bytes = self.db.read((), |tx, ()| Box::pin(store::all_file_bytes(tx))).await?;
        Ok(bytes.unsigned_abs())
    }

    /// What this process has refused.
    pub fn refusals(&self) -> QuotaRefusals {
        QuotaRefusals { files: self.attachments.refused(), messages: self.refused.load(Ordering::Relaxed) }
    }

    /// Lets a message pass, or refuses it because too many were sent.
    pub(crate) async fn admit(&self, caller: &Caller) -> Result<Admitted> {
        let (Some(limit), Some(owner)) = (self.messages, caller.owner()) else { return Ok(Admitted::unlimited()) };
        let mut verdict = self.tally.judge(owner, limit, self.clock.now());
        if matches!(verdict, Verdict::Count) {
            let counter = self.counter(owner).lock().await;
            // Another one may have counted meanwhile.
            verdict = self.tally.judge(owner, limit, self.clock.now());
            if matches!(verdict, Verdict::Count) {
                let (_, now) = self.count(owner, &counter).await?;
                verdict = self.tally.judge(owner, limit, now);
            }
        }
        match verdict {
            Verdict::Send(admitted) => Ok(admitted),
            Verdict::SendAndCount(admitted) => {
                let this = self.clone();
                tokio::spawn(async move {
                    let counter = this.counter(owner).lock().await;
                    if let Err(error) = this.count(owner, &counter).await {
                        tracing::warn!(error = error.log_line(), "messages could not be counted");
                    }
                });
                Ok(admitted)
            }
            Verdict::Refuse { used, room_at } => Err(self.refusal(used, limit, room_at)),
            Verdict::Count => Err(Error::internal("messages were counted and still had to be")),
        }
    }

    /// Whoever counts an owner's messages holds this, so that nobody else does.
    fn counter(&self, owner: UserId) -> &Mutex<()> {
        let number = usize::try_from(owner.0.unsigned_abs()).unwrap_or_default();
        &self.counters[number % COUNTERS]
    }

    /// How many messages they sent, as the store has it, and when that was.
    async fn count(&self, owner: UserId, _: &MutexGuard<'_, ()>) -> Result<(u64, Timestamp)> {
        let sent = self.tally.sent(owner);
        let counted = self.sent.sent_lately(owner).await.inspect_err(|_| self.tally.not_counted(owner))?;
        let now = self.clock.now();
        let used = counted.iter().map(|(_, messages)| messages.unsigned_abs()).sum();
        let first = counted.iter().filter(|(_, messages)| *messages > 0).map(|(hour, _)| *hour).min();
        let room_at = first.unwrap_or(now).plus(limits::QUOTA_WINDOW);
        self.tally.counted(owner, used, sent, now, room_at);
        Ok((used, now))
    }

    fn refusal(&self, used: u64, limit: u64, room_at: Timestamp) -> Error {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let sentence = format!(
            "You and your agents have sent {used} messages in the last 24 hours, and {limit} is the most: wait until \
             {room_at}, or ask whoever runs the server for more."
        );
        Error::new(ErrorKind::TooMany, "message_quota_exceeded", sentence)
            .with_detail("used", used)
            .with_detail("limit", limit)
            .with_retry_after(room_at.since(self.clock.now()))
    }
}
