//! One caller's live events.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::live::{Hello, LiveBody, Reset, ResetReason, UnreadNews};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::credential::Proof;
use super::decode::{About, News};
use super::model::{LiveEvent, Told};
use super::places::Place;
use super::service::Shared;
use super::store;
use super::unread::{Counted, Counting};
use super::view::{Eyes, View, Watcher};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, EventSeq};
use crate::limits;
use crate::store::events::{After, Event, Subscription};
use crate::timestamp::Timestamp;

/// A sign of life names the place once this many events were passed over, so that whoever resumes
/// need not pass over them again.
const PASSED_OVER: i64 = 1000;

/// Yields what happens, as far as its caller may see it; made by [`Live::follow`](super::Live::follow).
///
/// The first event is `hello`. Dropping it ends it.
pub struct Feed {
    shared: Arc<Shared>,
    subscription: Subscription,
    proof: Proof,
    view: View,
    /// What is told before anything is looked for.
    ready: VecDeque<LiveEvent>,
    /// Conversations to be counted again, each with the newest event that changed it.
    uncounted: BTreeMap<ConversationId, EventSeq>,
    /// Those that the answer under way will tell of.
    asked: Vec<ConversationId>,
    counting: Option<Counting>,
    signs: Interval,
    /// When the last event was handed out.
    handed_at: Timestamp,
    /// The last place that the caller was told.
    told: EventSeq,
    shows: Shows,
    ended: bool,
    _place: Option<Place>,
}

/// What its reader gets to see of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// The messages themselves, which are thereby handed out.
    Messages,
    /// That there is something.
    Nothing,
}

/// What a feed waited for.
enum Step {
    Sign,
    Counted(Option<Counted>),
    Event(Result<Option<Arc<Event>>>),
}

#[boxed_futures]
impl Feed {
    pub(super) async fn open(shared: Arc<Shared>, caller: &Caller, after: After, shows: Shows) -> Result<Self> {
        let eyes = Eyes::of(caller);
        let place = shared.places.take(caller.participant())?;
        let subscription = shared.events.subscribe(after).await?;
        let position = subscription.position();
        let view = load(&shared, eyes, position).await?;
        let mut signs = interval_at(Instant::now() + limits::HEARTBEAT, limits::HEARTBEAT);
        signs.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let now = shared.clock.now();
        let hello = Hello { seq: position, server_time: now, you: caller.identity() };
        let mut ready = VecDeque::from([LiveEvent::new(Some(position), Told::new(LiveBody::Hello(hello))?)]);
        if let (true, After::Seq(asked)) = (subscription.was_reset(), after) {
            let reason = if asked > position { ResetReason::Future } else { ResetReason::Expired };
            ready.push_back(reset(position, reason)?);
        }
        Ok(Self {
            shared,
            subscription,
            proof: Proof::of(caller),
            view,
            ready,
            uncounted: BTreeMap::new(),
            asked: Vec::new(),
            counting: None,
            signs,
            handed_at: now,
            told: position,
            shows,
            ended: false,
            _place: place,
        })
    }

    /// The next event; `None` at the end: the hub was closed, the credential has ended, or the reader
    /// was too slow, which the last event said. After an error there is nothing more.
    ///
    /// A call that is given up may lose an event with it.
    pub async fn next(&mut self) -> Result<Option<LiveEvent>> {
        let next = match self.ready.pop_front() {
            Some(event) => Ok(Some(event)),
            None if self.ended => return Ok(None),
            None if self.is_too_slow() => self.cut_off(),
            None => self.advance().await,
        };
        match &next {
            Ok(Some(event)) => self.told = event.seq().unwrap_or(self.told),
            Ok(None) | Err(_) => self.ended = true,
        }
        self.handed_at = self.shared.clock.now();
        next
    }

    /// Whether the last event took too long to be handed on.
    fn is_too_slow(&self) -> bool {
        self.shared.clock.now().since(self.handed_at) >= limits::FEED_STALL
    }

    fn cut_off(&mut self) -> Result<Option<LiveEvent>> {
        self.ended = true;
        Ok(Some(reset(self.subscription.position(), ResetReason::Slow)?))
    }

    async fn advance(&mut self) -> Result<Option<LiveEvent>> {
        loop {
            let step = tokio::select! {
                biased;
                _ = self.signs.tick() => Step::Sign,
                counted = answer(&mut self.counting) => Step::Counted(counted),
                event = self.subscription.next() => Step::Event(event),
            };
            match step {
                // What is waited for seldom is boxed, because thousands of feeds wait for the others.
                Step::Sign => return Box::pin(self.sign()).await,
                Step::Counted(counted) => self.take_counts(counted)?,
                Step::Event(Ok(None)) => return Ok(None),
                Step::Event(Ok(Some(event))) => {
                    let news = self.shared.decoder.decode(&event);
                    if self.view.may_end_with(&news) && !Box::pin(self.holds()).await? {
                        return Ok(None);
                    }
                    if self.view.is_changed_by(&news) {
                        let eyes = self.view.eyes.clone();
                        self.view = Box::pin(load(&self.shared, eyes, news.seq)).await?;
                    }
                    if let Some(event) = self.judge(&news) {
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

    /// A sign of life, if the credential is still good.
    async fn sign(&mut self) -> Result<Option<LiveEvent>> {
        if !self.holds().await? {
            return Ok(None);
        }
        let position = self.subscription.position();
        let place = (position.0 - self.told.0 >= PASSED_OVER).then_some(position);
        Ok(Some(LiveEvent::new(place, Told::new(LiveBody::Alive)?)))
    }

    async fn holds(&self) -> Result<bool> {
        if self.view.eyes.actor == Watcher::Root {
            return Ok(true);
        }
        self.shared.db.read(self.proof, |tx, proof| Box::pin(proof.holds(tx))).await
    }

    /// What the caller is told of an event, if anything.
    fn judge(&mut self, news: &News) -> Option<LiveEvent> {
        if self.view.is_own_cursor(news) {
            self.count_again(news);
        }
        if !self.view.sees(news) {
            return None;
        }
        if self.view.counts(news) {
            self.count_again(news);
        }
        let (me, marks) = (self.view.eyes.me(), &news.marks);
        if let (About::Sent, Some(me), Some(message)) = (news.about, me, marks.message_id)
            && marks.recipient_id == Some(me)
            && self.shows == Shows::Messages
        {
            self.shared.offers.note(me, message);
        }
        let told = match &news.told_mentioned {
            Some(told) if self.view.is_mentioned(news) => told,
            _ => news.told.as_ref()?,
        };
        Some(LiveEvent::new(Some(news.seq), told.clone()))
    }

    /// What is unread in its conversation may have changed.
    fn count_again(&mut self, news: &News) {
        if let Some(conversation) = news.marks.conversation_id {
            self.uncounted.insert(conversation, news.seq);
        }
        self.ask_counts();
    }

    fn ask_counts(&mut self) {
        if let (None, Some(me), false) = (&self.counting, self.view.eyes.me(), self.uncounted.is_empty()) {
            let asked: Vec<_> = self.uncounted.keys().copied().collect();
            self.counting = Some(self.shared.counter.ask(me, asked.clone()));
            self.asked = asked;
        }
    }

    /// Tells the counts; what came after they were taken is counted again, as is what was not counted.
    fn take_counts(&mut self, counted: Option<Counted>) -> Result<()> {
        self.counting = None;
        if let Some(Counted { through, unread }) = counted {
            let asked = std::mem::take(&mut self.asked);
            self.uncounted.retain(|conversation, seq| *seq > through || !asked.contains(conversation));
            for unread in unread {
                if !self.may_use(&unread) {
                    continue;
                }
                self.ready.push_back(LiveEvent::new(None, Told::new(LiveBody::UnreadUpdate(unread))?));
            }
        }
        self.ask_counts();
        Ok(())
    }

    /// A key that is limited to channels is told of those alone.
    fn may_use(&self, unread: &UnreadNews) -> bool {
        let limit = &self.view.eyes.channels;
        limit.is_empty() || (unread.kind == "channel" && limit.contains(&unread.name))
    }
}

/// Waits for an answer; for ever when nothing was asked.
async fn answer(counting: &mut Option<Counting>) -> Option<Counted> {
    match counting {
        Some(counting) => counting.await.ok(),
        None => std::future::pending().await,
    }
}

async fn load(shared: &Shared, eyes: Eyes, position: EventSeq) -> Result<View> {
    // Before, so that what is written meanwhile is judged by what it says of itself.
    let head = shared.events.head()?;
    let asked = (eyes, position, head);
    shared.db.read(asked, |tx, (eyes, position, head)| Box::pin(store::view(tx, eyes, *position, *head))).await
}

fn reset(position: EventSeq, reason: ResetReason) -> Result<LiveEvent> {
    Ok(LiveEvent::new(Some(position), Told::new(LiveBody::Reset(Reset { reason }))?))
}
