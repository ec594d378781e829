//! One caller's live events.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use svc_macros::boxed_futures;
use svc_model::live::{Hello, LiveBody, Reset, ResetReason, UnreadNews};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::credential::FeedCredential;
use super::decode::{DecodedEvent, Topic};
use super::model::{LiveEvent, Payload};
use super::service::Shared;
use super::slots::FeedSlot;
use super::store;
use super::unread::{Counted, Counting};
use super::view::{FeedViewer, View, ViewerKind};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, EventSeq};
use crate::limits;
use crate::store::events::{After, Event, Subscription};
use crate::timestamp::Timestamp;

/// A heartbeat carries the log position once this many events were skipped, so that a resumed feed
/// need not skip them again.
const SKIPPED_MAX: i64 = 1000;

/// The live events of one caller, opened by [`Live::follow`](super::Live::follow).
///
/// The first event is `hello`. Dropping the feed ends it.
pub struct Feed {
    shared: Arc<Shared>,
    subscription: Subscription,
    credential: FeedCredential,
    view: View,
    /// Events to return before anything else.
    ready: VecDeque<LiveEvent>,
    /// Conversations to count again, each with the newest event that changed it.
    uncounted: BTreeMap<ConversationId, EventSeq>,
    /// The conversations of the running count request.
    asked: Vec<ConversationId>,
    counting: Option<Counting>,
    heartbeats: Interval,
    /// The time when the last event was returned.
    handed_at: Timestamp,
    /// The last log position that was sent to the caller.
    sent: EventSeq,
    /// The log position up to which all events were returned or skipped.
    position: FeedPosition,
    mode: ReaderMode,
    ended: bool,
    _slot: Option<FeedSlot>,
}

/// The log position up to which a feed has handled all events; readable while [`Feed::next`] is running.
#[derive(Debug, Clone)]
pub struct FeedPosition(Arc<AtomicI64>);

impl FeedPosition {
    fn new(position: EventSeq) -> Self {
        Self(Arc::new(AtomicI64::new(position.0)))
    }

    fn set(&self, position: EventSeq) {
        self.0.store(position.0, Ordering::Release);
    }

    /// The position.
    pub fn get(&self) -> EventSeq {
        EventSeq(self.0.load(Ordering::Acquire))
    }
}

/// Whether the reader of the feed shows messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReaderMode {
    /// Messages are shown, and thereby handed out.
    Messages,
    /// Only the fact that something happened is shown.
    Nothing,
}

/// The next step of a feed.
enum Step {
    Heartbeat,
    Counted(Option<Counted>),
    Event(Result<Option<Arc<Event>>>),
}

#[boxed_futures]
impl Feed {
    pub(super) async fn open(shared: Arc<Shared>, caller: &Caller, after: After, mode: ReaderMode) -> Result<Self> {
        let viewer = FeedViewer::of(caller);
        let slot = shared.slots.take(caller.participant())?;
        let subscription = shared.events.subscribe(after).await?;
        let position = subscription.position();
        let view = load(&shared, viewer, position).await?;
        let mut heartbeats = interval_at(Instant::now() + limits::HEARTBEAT, limits::HEARTBEAT);
        heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let now = shared.clock.now();
        let hello = Hello { seq: position, server_time: now, you: caller.identity() };
        let mut ready = VecDeque::from([LiveEvent::new(Some(position), Payload::new(LiveBody::Hello(hello))?)]);
        if let (true, After::Seq(asked)) = (subscription.was_reset(), after) {
            let reason = if asked > position { ResetReason::Future } else { ResetReason::Expired };
            ready.push_back(reset(position, reason)?);
        }
        Ok(Self {
            shared,
            subscription,
            credential: FeedCredential::of(caller),
            view,
            ready,
            uncounted: BTreeMap::new(),
            asked: Vec::new(),
            counting: None,
            heartbeats,
            handed_at: now,
            sent: position,
            position: FeedPosition::new(position),
            mode,
            ended: false,
            _slot: slot,
        })
    }

    /// The next event; `None` at the end: the hub was closed, the credential has ended, or the
    /// reader was too slow, which the last event reported. Nothing follows after an error.
    ///
    /// This is not cancellation safe: a cancelled call may lose an event.
    pub async fn next(&mut self) -> Result<Option<LiveEvent>> {
        let next = match self.ready.pop_front() {
            Some(event) => Ok(Some(event)),
            None if self.ended => return Ok(None),
            None if self.is_too_slow() => self.cut_off(),
            None => self.advance().await,
        };
        match &next {
            Ok(Some(event)) => self.sent = event.seq().unwrap_or(self.sent),
            Ok(None) | Err(_) => self.ended = true,
        }
        self.handed_at = self.shared.clock.now();
        next
    }

    /// The position of this feed.
    pub fn position(&self) -> FeedPosition {
        self.position.clone()
    }

    /// Whether the reader took too long to fetch the last event.
    fn is_too_slow(&self) -> bool {
        self.shared.clock.now().since(self.handed_at) >= limits::FEED_STALL
    }

    fn cut_off(&mut self) -> Result<Option<LiveEvent>> {
        self.ended = true;
        Ok(Some(reset(self.subscription.position(), ResetReason::Slow)?))
    }

    async fn advance(&mut self) -> Result<Option<LiveEvent>> {
        loop {
            self.position.set(self.subscription.position());
            let step = tokio::select! {
                biased;
                _ = self.heartbeats.tick() => Step::Heartbeat,
                counted = answer(&mut self.counting) => Step::Counted(counted),
                event = self.subscription.next() => Step::Event(event),
            };
            match step {
                // Rare steps are boxed, because thousands of feeds wait for the others.
                Step::Heartbeat => return Box::pin(self.heartbeat()).await,
                Step::Counted(counted) => self.take_counts(counted)?,
                Step::Event(Ok(None)) => return Ok(None),
                Step::Event(Ok(Some(event))) => {
                    let decoded = self.shared.decoder.decode(&event);
                    if self.view.may_end_with(&decoded) && !Box::pin(self.holds()).await? {
                        return Ok(None);
                    }
                    if self.view.is_changed_by(&decoded) {
                        let viewer = self.view.viewer.clone();
                        self.view = Box::pin(load(&self.shared, viewer, decoded.seq)).await?;
                    }
                    if let Some(event) = self.filter(&decoded) {
                        return Ok(Some(event));
                    }
                }
                Step::Event(Err(error)) if error.code() == "events_swept" => return self.cut_off(),
                Step::Event(Err(error)) => return Err(error),
            }
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
        }
    }

    /// A heartbeat, if the credential is still valid.
    async fn heartbeat(&mut self) -> Result<Option<LiveEvent>> {
        if !self.holds().await? {
            return Ok(None);
        }
        let position = self.subscription.position();
        let seq = (position.0 - self.sent.0 >= SKIPPED_MAX).then_some(position);
        Ok(Some(LiveEvent::new(seq, Payload::new(LiveBody::Alive)?)))
    }

    async fn holds(&self) -> Result<bool> {
        if self.view.viewer.actor == ViewerKind::Root {
            return Ok(true);
        }
        self.shared.db.read(self.credential, |tx, credential| Box::pin(credential.holds(tx))).await
    }

    /// The event to send to the caller, if any.
    fn filter(&mut self, decoded: &DecodedEvent) -> Option<LiveEvent> {
        if self.view.is_own_cursor(decoded) {
            self.count_again(decoded);
        }
        if !self.view.sees(decoded) {
            return None;
        }
        if self.view.counts(decoded) {
            self.count_again(decoded);
        }
        let (me, routing) = (self.view.viewer.me(), &decoded.routing);
        if let (Topic::Sent, Some(me), Some(message)) = (decoded.topic, me, routing.message_id)
            && routing.recipient_id == Some(me)
            && self.mode == ReaderMode::Messages
        {
            self.shared.offers.note(me, message);
        }
        let payload = match &decoded.payload_mentioned {
            Some(payload) if self.view.is_mentioned(decoded) => payload,
            _ => decoded.payload.as_ref()?,
        };
        Some(LiveEvent::new(Some(decoded.seq), payload.clone()))
    }

    /// Requests a new unread count for the conversation of an event.
    fn count_again(&mut self, decoded: &DecodedEvent) {
        if let Some(conversation) = decoded.routing.conversation_id {
            self.uncounted.insert(conversation, decoded.seq);
        }
        self.ask_counts();
    }

    fn ask_counts(&mut self) {
        if let (None, Some(me), false) = (&self.counting, self.view.viewer.me(), self.uncounted.is_empty()) {
            let asked: Vec<_> = self.uncounted.keys().copied().collect();
            self.counting = Some(self.shared.counter.ask(me, asked.clone()));
            self.asked = asked;
        }
    }

    /// Queues the received counts. Conversations that changed after the count, or were not counted,
    /// are counted again.
    fn take_counts(&mut self, counted: Option<Counted>) -> Result<()> {
        self.counting = None;
        if let Some(Counted { through, unread }) = counted {
            let asked = std::mem::take(&mut self.asked);
            self.uncounted.retain(|conversation, seq| *seq > through || !asked.contains(conversation));
            for unread in unread {
                if !self.may_use(&unread) {
                    continue;
                }
                self.ready.push_back(LiveEvent::new(None, Payload::new(LiveBody::UnreadUpdate(unread))?));
            }
        }
        self.ask_counts();
        Ok(())
    }

    /// Whether a count may be sent: a key that is limited to channels receives only those.
    fn may_use(&self, unread: &UnreadNews) -> bool {
        let limit = &self.view.viewer.channels;
        limit.is_empty() || (unread.kind == "channel" && limit.contains(&unread.name))
    }
}

/// Waits for the counts; forever if none were requested.
async fn answer(counting: &mut Option<Counting>) -> Option<Counted> {
    match counting {
        Some(counting) => counting.await.ok(),
        None => std::future::pending().await,
    }
}

async fn load(shared: &Shared, viewer: FeedViewer, position: EventSeq) -> Result<View> {
    // Read before the view, so that events written meanwhile are filtered by their own fields.
    let head = shared.events.head()?;
    let asked = (viewer, position, head);
    shared.db.read(asked, |tx, (viewer, position, head)| Box::pin(store::view(tx, viewer, *position, *head))).await
}

fn reset(position: EventSeq, reason: ResetReason) -> Result<LiveEvent> {
    Ok(LiveEvent::new(Some(position), Payload::new(LiveBody::Reset(Reset { reason }))?))
}
