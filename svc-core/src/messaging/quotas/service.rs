//! Reading quota usage and admitting messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::quotas::{FileUsage, MessageUsage, QuotaRefusals, Usage};
use tokio::sync::{Mutex, MutexGuard};

use super::store;
use super::tally::{Admission, Decision, Tally};
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::UserId;
use crate::limits;
use crate::messaging::attachments::Attachments;
use crate::span::Span;
use crate::store::db::{Db, Work};
use crate::timestamp::Timestamp;

/// Number of locks that serialize counting, by owner id modulo this number.
const COUNT_LOCKS: usize = 64;

/// Counts the messages of an owner. Implemented by analytics, which messaging cannot depend on.
pub(crate) trait SentMessages: Send + Sync {
    /// The messages that an owner and their agents sent in the last 24 hours, by hour; hours
    /// without messages are omitted.
    fn sent_lately(&self, owner: UserId) -> Work<'_, Vec<(Timestamp, i64)>>;
}

/// Quotas of a hub; see [`Hub::quotas`](crate::Hub::quotas).
#[derive(Clone)]
pub struct Quotas {
    db: Db,
    clock: Arc<dyn Clock>,
    sent: Arc<dyn SentMessages>,
    attachments: Attachments,
    /// Messages that an owner may send in 24 hours; `None` for no limit.
    messages: Option<u64>,
    tally: Tally,
    count_locks: Arc<[Mutex<()>; COUNT_LOCKS]>,
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
        let count_locks = Arc::new(std::array::from_fn(|_| Mutex::default()));
        let (tally, refused) = (Tally::default(), Arc::default());
        Self { db, clock, sent, attachments, messages, tally, count_locks, refused }
    }

    /// The usage of the caller's owner; zero for the admin socket.
    pub async fn usage(&self, caller: &Caller) -> Result<Usage> {
        caller.require(Permission::Read)?;
        let (used_bytes, used) = match caller.owner() {
            None => (0, 0),
            Some(owner) => {
                let bytes = self.db.read(owner, |tx, owner| Box::pin(store::file_bytes(tx, *owner))).await?;
                let count_lock = self.count_lock(owner).lock().await;
                (bytes, self.count(owner, &count_lock).await?.0)
            }
        };
        Ok(Usage {
            files: FileUsage { used_bytes, limit_bytes: self.attachments.quota() },
            messages: MessageUsage { used, limit: self.messages, window: Span::Day },
            runs: None,
        })
    }

    /// Total bytes of all files; a content counts once for each owner.
    pub async fn all_file_bytes(&self) -> Result<u64> {
        let bytes = self.db.read((), |tx, ()| Box::pin(store::all_file_bytes(tx))).await?;
        Ok(bytes.unsigned_abs())
    }

    /// The number of requests that this process has rejected.
    pub fn refusals(&self) -> QuotaRefusals {
        QuotaRefusals { files: self.attachments.refused(), messages: self.refused.load(Ordering::Relaxed) }
    }

    /// Admits a message, or rejects it because the quota is exhausted.
    pub(crate) async fn admit(&self, caller: &Caller) -> Result<Admission> {
        let (Some(limit), Some(owner)) = (self.messages, caller.owner()) else { return Ok(Admission::unlimited()) };
        let mut decision = self.tally.decide(owner, limit, self.clock.now());
        if matches!(decision, Decision::Count) {
            let count_lock = self.count_lock(owner).lock().await;
            // Another task may have counted meanwhile.
            decision = self.tally.decide(owner, limit, self.clock.now());
            if matches!(decision, Decision::Count) {
                let (_, now) = self.count(owner, &count_lock).await?;
                decision = self.tally.decide(owner, limit, now);
            }
        }
        match decision {
            Decision::Send(admitted) => Ok(admitted),
            Decision::SendAndCount(admitted) => {
                let this = self.clone();
                tokio::spawn(async move {
                    let count_lock = this.count_lock(owner).lock().await;
                    if let Err(error) = this.count(owner, &count_lock).await {
                        tracing::warn!(error = error.log_line(), "messages could not be counted");
                    }
                });
                Ok(admitted)
            }
            Decision::Refuse { used, available_at } => Err(self.rejection(used, limit, available_at)),
            Decision::Count => Err(Error::internal("the message quota was not counted")),
        }
    }

    /// The lock that serializes counting for an owner.
    fn count_lock(&self, owner: UserId) -> &Mutex<()> {
        let number = usize::try_from(owner.0.unsigned_abs()).unwrap_or_default();
        &self.count_locks[number % COUNT_LOCKS]
    }

    /// The number of sent messages according to the store, and the time of the count.
    async fn count(&self, owner: UserId, _: &MutexGuard<'_, ()>) -> Result<(u64, Timestamp)> {
        let sent = self.tally.sent(owner);
        let counted = self.sent.sent_lately(owner).await.inspect_err(|_| self.tally.not_counted(owner))?;
        let now = self.clock.now();
        let used = counted.iter().map(|(_, messages)| messages.unsigned_abs()).sum();
        let first = counted.iter().filter(|(_, messages)| *messages > 0).map(|(hour, _)| *hour).min();
        let available_at = first.unwrap_or(now).plus(limits::QUOTA_WINDOW);
        self.tally.counted(owner, used, sent, now, available_at);
        Ok((used, now))
    }

    fn rejection(&self, used: u64, limit: u64, available_at: Timestamp) -> Error {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let sentence = format!(
            "You and your agents have sent {used} messages in the last 24 hours; the limit is {limit}. Wait until \
             {available_at}, or ask the operator of the server for a higher limit."
        );
        Error::new(ErrorKind::TooMany, "message_quota_exceeded", sentence)
            .with_detail("used", used)
            .with_detail("limit", limit)
            .with_retry_after(available_at.since(self.clock.now()))
    }
}
