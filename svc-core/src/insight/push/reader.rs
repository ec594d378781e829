//! The reader of the event log that decides who is told of a message.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use svc_model::events::{EventBody, MessageCreated};
use svc_model::notifications::{AttentionLevel, NotificationKind};
use tokio::time::Instant;

use super::classify;
use super::notice::Notice;
use super::service::{Push, QUEUE};
use super::store::{self, MessageRow, Place};
use crate::error::Result;
use crate::ids::{ChannelId, EventSeq, MessageId, UserId};
use crate::limits;
use crate::messaging::notifications;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::queue::{NewItem, Queue};
use crate::store::workers::{Cadence, Progress, Worker};

/// Maximum number of events that are read in one transaction.
const BATCH: u32 = 100;
/// While no browser is subscribed, the position is moved this often, so that sending costs nothing more.
const IDLE_PACE: Duration = Duration::from_secs(10);

/// The worker that turns messages into rows of the queue, each once.
pub(crate) struct PushReader {
    push: Push,
    /// When the position was last moved while no browser was subscribed.
    skipped: Mutex<Option<Instant>>,
}

impl PushReader {
    pub(crate) fn new(push: Push) -> Self {
        Self { push, skipped: Mutex::default() }
    }

    /// Passes over events of which nobody is told.
    async fn skip(&self) -> Result<()> {
        let last = *lock(&self.skipped);
        if last.is_some_and(|last| last.elapsed() < IDLE_PACE) {
            return Ok(());
        }
        self.push.events.skip(QUEUE, |tx| Box::pin(async move { Ok(!store::is_any(tx).await?) })).await?;
        *lock(&self.skipped) = Some(Instant::now());
        Ok(())
    }
}

#[async_trait]
impl Worker for PushReader {
    fn name(&self) -> &'static str {
        "push_reader"
    }

    fn cadence(&self) -> Cadence {
        Cadence::on_events_and_every(Duration::from_secs(5))
    }

    async fn run_once(&self) -> Result<Progress> {
        if !self.push.db.read((), |tx, ()| Box::pin(store::is_any(tx))).await? {
            self.skip().await?;
            return Ok(Progress::Done);
        }
        let queue = self.push.queue.clone();
        let read = self.push.events.consume_some(QUEUE, BATCH, move |tx, events| {
            let queue = queue.clone();
            Box::pin(async move { Ok((tell(tx, &queue, events).await?, ())) })
        });
        let read = read.await?;
        let is_more = read.passed < read.offered || read.offered == BATCH as usize;
        Ok(if is_more { Progress::More } else { Progress::Done })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Tells up to a number of users of events. Returns the number of events of which all users have been told.
async fn tell(tx: &mut Tx, queue: &Queue, events: &[Event]) -> Result<usize> {
    let place = store::place(tx).await?;
    let mut room = limits::PUSH_READER_ROOM;
    for (passed, event) in events.iter().enumerate() {
        if room == 0 {
            return Ok(passed);
        }
        let created = match event.body() {
            Ok(EventBody::MessageCreated(created)) => created,
            Ok(EventBody::CredentialsEnded(ended)) => {
                store::remove_with_sessions(tx, ended.owner_id, event.created_at).await?;
                continue;
            }
            // An event that cannot be read concerns no message that this version knows.
            _ => continue,
        };
        if tx.now().since(created.created_at) >= limits::PUSH_TTL {
            continue;
        }
        let after = if place.event_seq == event.seq { place.user_id } else { UserId(0) };
        let users = audience(tx, &created, event.seq, after, room).await?;
        let mut items = Vec::new();
        for user in &users {
            items.extend(consider(tx, *user, &created, event.seq).await?);
        }
        queue.enqueue_all_in(tx, &items).await?;
        let told = u32::try_from(users.len()).unwrap_or(u32::MAX);
        if told == room
            && let Some(last) = users.last()
        {
            store::set_place(tx, Place { event_seq: event.seq, user_id: *last }).await?;
            return Ok(passed);
        }
        room -= told;
    }
    Ok(events.len())
}

/// The users who may be told of a message, in the order of their ids.
async fn audience(
    tx: &mut Tx,
    created: &MessageCreated,
    event: EventSeq,
    after: UserId,
    room: u32,
) -> Result<Vec<UserId>> {
    match (created.audience.channel_id, created.audience.recipient_id) {
        (Some(channel), _) => in_channel(tx, channel, created.message_id, (event, after), room).await,
        // A user has the id of their participant. An agent has no browser, so nothing follows for it.
        (None, Some(recipient)) => Ok(Some(UserId(recipient.0)).filter(|user| *user > after).into_iter().collect()),
        (None, None) => Ok(Vec::new()),
    }
}

async fn in_channel(
    tx: &mut Tx,
    channel: ChannelId,
    message: MessageId,
    (event, after): (EventSeq, UserId),
    room: u32,
) -> Result<Vec<UserId>> {
    if store::is_proposed(tx, message).await? {
        store::members(tx, channel, after, event, room).await
    } else {
        store::listeners(tx, channel, after, event, room).await
    }
}

/// The rows for the browsers of a user; none if they sent the message, have read it, do not want to be told, or are
/// looking.
async fn consider(tx: &mut Tx, user: UserId, created: &MessageCreated, event: EventSeq) -> Result<Vec<NewItem>> {
    let browsers = store::told(tx, user, event).await?;
    if browsers.is_empty() {
        return Ok(Vec::new());
    }
    let Some(message) = store::message(tx, user, created.message_id).await? else { return Ok(Vec::new()) };
    let is_mentioned = created.mentioned.iter().any(|mentioned| mentioned.0 == user.0);
    let is_told_by_copy = message.channel_id.is_some() && is_mentioned;
    if message.sender_id.0 == user.0 || message.is_read || is_told_by_copy {
        return Ok(Vec::new());
    }
    if !wants(tx, user, &message, is_mentioned).await? || store::is_present(tx, user, message.created_at).await? {
        return Ok(Vec::new());
    }
    browsers.iter().map(|(browser, endpoint)| Notice::Message(message.id).item(*browser, endpoint)).collect()
}

/// Whether the settings of a user allow a notification now.
async fn wants(tx: &mut Tx, user: UserId, message: &MessageRow, is_mentioned: bool) -> Result<bool> {
    let kind = classify::kind(message);
    let settings = notifications::store::settings(tx, user).await?;
    let now = tx.now();
    if !settings.kinds.0.is_on(kind) || notifications::is_quiet(&settings, now) {
        return Ok(false);
    }
    let channel = message.channel_id.or(message.mention_channel_id);
    let place =
        channel.map_or(notifications::store::Place::Partner(message.sender_id), notifications::store::Place::Channel);
    let level = notifications::store::level(tx, user, place).await?;
    Ok(match level {
        AttentionLevel::All => true,
        AttentionLevel::Mentions => {
            is_mentioned || matches!(kind, NotificationKind::Mention | NotificationKind::Approval)
        }
        AttentionLevel::Nothing => false,
    })
}
