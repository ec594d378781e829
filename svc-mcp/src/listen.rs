//! Subscriptions: notifies a client as soon as a resource changes.
//!
//! Invariants:
//! - A client is notified only of changes that it may see and has subscribed to: the source is the caller's own live
//!   feed, which ends with the credential it was opened with.
//! - No change is lost between a subscription and its first notification: a session's feed is open before the
//!   subscription is confirmed, and a stream reads from the log position at which it was accepted.
//! - A client is not notified of a change that was committed before it requested the stream: the transport calls
//!   [`Mcp::before_listening`] first, so that the stream begins after that change.
//! - A burst of changes results in one notification for each resource.
//! - A resource that a stream names and may not see is ignored, as if it never changed.
//! - A session's feed ends when the last subscription is cancelled, the client is gone, the credential ends, or the
//!   session is dropped.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{ErrorCode, ErrorData, ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, RequestContext, RoleServer, SubscriptionContext, SubscriptionSink};
use svc_core::events::After;
use svc_core::ids::EventSeq;
use svc_core::live::{Feed, LiveBody, LiveEvent, ResetReason};
use svc_core::{Caller, Hub, Result, limits};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::error::protocol;
use crate::resources::{self, Address, Watched, changes_list, needs_look, renamed, touched};
use crate::server::Mcp;

/// Subscriptions of a session of an older revision, and the start positions of streams.
#[derive(Default)]
pub(crate) struct Subscriptions {
    watched: Arc<Mutex<Watched>>,
    /// The task that notifies the client; dropping it ends it.
    task: tokio::sync::Mutex<Option<NotifierTask>>,
    /// Log position at which each stream was accepted, by its filter, the oldest first. The entry of a client that
    /// disconnected before its stream began stays until newer ones push it out.
    accepted: Mutex<VecDeque<(String, EventSeq)>>,
    /// The task that notifies the client of changes to the resource list; dropping it ends it.
    listing: Mutex<Option<DropGuard>>,
}

/// A task that notifies a client of changes.
struct NotifierTask {
    /// Also cancelled by the task itself when it ends.
    token: CancellationToken,
    _guard: DropGuard,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The supported part of a subscription filter: the lists of tools and prompts never change.
pub(crate) fn accepted(mcp: &Mcp, requested: &SubscriptionFilter) -> SubscriptionFilter {
    if let Ok(head) = mcp.hub.events().head() {
        mcp.subscriptions.accept(requested, head);
    }
    acceptable(requested)
}

fn acceptable(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut filter = SubscriptionFilter::builder();
    if requested.resources_list_changed == Some(true) {
        filter = filter.resources_list_changed();
    }
    if let Some(uris) = &requested.resource_subscriptions {
        let valid = uris.iter().filter(|uri| Address::parse(uri).is_some());
        filter = filter.resource_subscriptions(valid.take(limits::RESOURCE_SUBSCRIPTIONS_MAX).cloned());
    }
    filter.build()
}

fn key(requested: &SubscriptionFilter) -> String {
    serde_json::to_string(requested).unwrap_or_default()
}

impl Subscriptions {
    /// Records the log position while a stream begins.
    fn accept(&self, requested: &SubscriptionFilter, head: EventSeq) {
        let mut accepted = lock(&self.accepted);
        accepted.push_back((key(requested), head));
        let too_many = accepted.len().saturating_sub(limits::STREAMS_BEGINNING_MAX);
        accepted.drain(..too_many);
    }

    /// The log position at which this filter was accepted; `None` when newer streams have pushed it out since.
    fn place(&self, requested: &SubscriptionFilter) -> Option<After> {
        let (mut accepted, key) = (lock(&self.accepted), key(requested));
        let place = accepted.iter().position(|(asked, _)| *asked == key)?;
        accepted.remove(place).map(|(_, head)| After::Seq(head))
    }

    /// Keeps the task that notifies a session of changes to the resource list.
    pub(crate) fn keep_listing(&self, guard: DropGuard) {
        *lock(&self.listing) = Some(guard);
    }
}

/// Serves a stream of the newest revision until the client or the credential ends it.
pub(crate) async fn listen(mcp: &Mcp, context: SubscriptionContext) -> Result<(), ErrorData> {
    let after = mcp.subscriptions.place(context.requested()).ok_or_else(too_many_streams)?;
    let asked = context.requested().resource_subscriptions.as_ref().map_or(0, Vec::len);
    if asked > limits::RESOURCE_SUBSCRIPTIONS_MAX {
        return Err(too_many("A stream can subscribe to", "name fewer, or open another stream"));
    }
    let caller = mcp.caller(context.request_context()).await?;
    let uris = context.accepted().resource_subscriptions.iter().flatten();
    let watched = resources::visible_among(&mcp.hub, &caller, uris).await.map_err(protocol)?;
    let feed = mcp.hub.live().watch(&caller, after).await.map_err(protocol)?;
    let list = context.accepted().resources_list_changed == Some(true);
    let sink = NotificationSink::Stream(context.sink().clone());
    let notifier = Notifier::new(&mcp.hub, caller, Arc::new(Mutex::new(watched)), sink, list);
    tokio::select! {
        () = notifier.run(feed) => {}
        () = context.cancelled() => {}
    }
    Ok(())
}

/// Subscribes a session of an older revision.
pub(crate) async fn subscribe(mcp: &Mcp, uri: String, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
    let caller = mcp.caller(&context).await?;
    let address = resources::visible(&mcp.hub, &caller, &uri).await?;
    let subscriptions = &mcp.subscriptions;
    let mut task = subscriptions.task.lock().await;
    {
        let watched = lock(&subscriptions.watched);
        if !watched.holds(&uri) && watched.len() >= limits::RESOURCE_SUBSCRIPTIONS_MAX {
            return Err(too_many("A session can be subscribed to", "unsubscribe from some first"));
        }
    }
    if task.as_ref().is_none_or(|task| task.token.is_cancelled()) {
        let feed = mcp.hub.live().watch(&caller, After::Now).await.map_err(protocol)?;
        // Subscriptions of the previous task ended with it.
        lock(&subscriptions.watched).clear();
        lock(&subscriptions.watched).add(address, uri);
        let sink = NotificationSink::Session(context.peer.clone());
        let notifier = Notifier::new(&mcp.hub, caller, subscriptions.watched.clone(), sink, false);
        *task = Some(NotifierTask::begin(notifier, feed));
    } else {
        lock(&subscriptions.watched).add(address, uri);
    }
    Ok(())
}

/// Cancels a subscription; succeeds also if there is none.
pub(crate) async fn unsubscribe(mcp: &Mcp, uri: &str, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    mcp.caller(context).await?;
    let mut task = mcp.subscriptions.task.lock().await;
    lock(&mcp.subscriptions.watched).remove(uri);
    if lock(&mcp.subscriptions.watched).is_empty() {
        *task = None;
    }
    Ok(())
}

fn too_many(what: &str, remedy: &str) -> ErrorData {
    let most = limits::RESOURCE_SUBSCRIPTIONS_MAX;
    ErrorData::new(ErrorCode::INVALID_REQUEST, format!("{what} at most {most} resources: {remedy}."), None)
}

fn too_many_streams() -> ErrorData {
    let most = limits::STREAMS_BEGINNING_MAX;
    let message = format!("More than {most} streams are being opened at once: retry.");
    ErrorData::new(ErrorCode::INVALID_REQUEST, message, None)
}

impl NotifierTask {
    fn begin(notifier: Notifier, feed: Feed) -> Self {
        let token = CancellationToken::new();
        let ended = token.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = notifier.run(feed) => {}
                () = ended.cancelled() => {}
            }
            ended.cancel();
        });
        Self { _guard: token.clone().drop_guard(), token }
    }
}

/// Channel through which a client receives notifications.
enum NotificationSink {
    /// A session of an older revision.
    Session(Peer<RoleServer>),
    /// A stream of the newest revision.
    Stream(SubscriptionSink),
}

impl NotificationSink {
    /// Sends a notification; returns whether the client is still connected.
    async fn updated(&self, uri: String) -> bool {
        match self {
            Self::Session(peer) => {
                peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_ok()
            }
            Self::Stream(sink) => sink.notify_resource_updated(uri).await.is_ok(),
        }
    }

    async fn list_changed(&self) -> bool {
        match self {
            Self::Session(peer) => peer.notify_resource_list_changed().await.is_ok(),
            Self::Stream(sink) => sink.notify_resource_list_changed().await.is_ok(),
        }
    }
}

/// Notifications that wait to be sent.
#[derive(Debug, Default)]
struct Pending {
    uris: BTreeSet<String>,
    list: bool,
    /// Time at which they are sent; set by the first one.
    at: Option<Instant>,
    /// Time at which they are sent even if the feed is behind the log.
    latest: Option<Instant>,
}

impl Pending {
    fn begin(&mut self) {
        if self.at.is_none() && (self.list || !self.uris.is_empty()) {
            let now = Instant::now();
            self.at = Some(now + limits::RESOURCE_UPDATE_PAUSE);
            self.latest = Some(now + limits::RESOURCE_UPDATE_DELAY_MAX);
        }
    }
}

/// Notifies one client of changes.
struct Notifier {
    hub: Hub,
    caller: Caller,
    me: String,
    watched: Arc<Mutex<Watched>>,
    sink: NotificationSink,
    /// Whether the client subscribed to changes of the resource list.
    list: bool,
}

impl Notifier {
    fn new(hub: &Hub, caller: Caller, watched: Arc<Mutex<Watched>>, sink: NotificationSink, list: bool) -> Self {
        let me = caller.identity().map(|you| you.handle).unwrap_or_default();
        Self { hub: hub.clone(), caller, me, watched, sink, list }
    }

    /// Runs until the feed ends for good or the client is gone.
    async fn run(self, mut feed: Feed) {
        let mut pending = Pending::default();
        let mut cut_off = false;
        loop {
            let Some(event) = self.next(&mut feed, &mut pending).await else {
                if cut_off && let Ok(again) = self.hub.live().watch(&self.caller, After::Now).await {
                    (feed, cut_off) = (again, false);
                    continue;
                }
                // Changes before the end are still reported.
                self.flush(&mut pending).await;
                return;
            };
            cut_off = matches!(event.body(), LiveBody::Reset(reset) if reset.reason == ResetReason::Slow);
            self.note(&event, &mut pending).await;
            pending.begin();
        }
    }

    /// The next event; sends pending notifications meanwhile. `None` when the feed has ended.
    async fn next(&self, feed: &mut Feed, pending: &mut Pending) -> Option<LiveEvent> {
        // Cancelling `next` could lose an event, so one call is kept until it returns.
        let position = feed.position();
        let next = feed.next();
        tokio::pin!(next);
        loop {
            tokio::select! {
                event = &mut next => {
                    return event.inspect_err(|error| {
                        tracing::warn!(target: "svc::mcp", error = error.log_line(), "a subscription ended");
                    }).ok().flatten();
                }
                () = until(pending.at) => {
                    // Events that are committed by now are part of the burst.
                    let now = Instant::now();
                    let is_behind = self.hub.events().head().is_ok_and(|head| position.get() < head);
                    if is_behind && pending.latest.is_some_and(|latest| now < latest) {
                        pending.at = Some(now + limits::RESOURCE_UPDATE_PAUSE);
                        continue;
                    }
                    if !self.flush(pending).await {
                        return None;
                    }
                }
            }
        }
    }

    async fn flush(&self, pending: &mut Pending) -> bool {
        let Pending { uris, list, .. } = std::mem::take(pending);
        if list && !self.sink.list_changed().await {
            return false;
        }
        for uri in uris {
            // The subscription may have been cancelled meanwhile.
            let wanted = lock(&self.watched).holds(&uri);
            if wanted && !self.sink.updated(uri).await {
                return false;
            }
        }
        true
    }

    async fn note(&self, event: &LiveEvent, pending: &mut Pending) {
        let body = event.body();
        if matches!(body, LiveBody::Reset(_)) {
            // Events are missing: anything may have changed.
            pending.list |= self.list;
            pending.uris.extend(lock(&self.watched).all().cloned());
            return;
        }
        pending.list |= self.list && changes_list(&self.me, body);
        let mut changed = touched(&self.me, body);
        let look = needs_look(&lock(&self.watched), body);
        if let Some(id) = look
            && let Ok(message) = self.hub.messages().get(&self.caller, id).await
        {
            if message.channel.is_none() && message.to.as_deref() == Some(self.me.as_str()) {
                changed.push(Address::Inbox);
            }
            changed.extend(message.reply_to.map(Address::Message));
        }
        let mut watched = lock(&self.watched);
        pending.uris.extend(changed.iter().flat_map(|address| watched.uris(address)).cloned());
        if let Some((from, to)) = renamed(body) {
            watched.follow(&from, &to);
        }
    }
}

/// Waits until an instant; forever when there is none.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_supported_notifications_are_accepted() {
        let asked = SubscriptionFilter::builder()
            .tools_list_changed()
            .prompts_list_changed()
            .resources_list_changed()
            .resource_subscriptions(["svc://inbox", "svc://nothing", "http://inbox", "svc://channels/general"])
            .build();
        let accepted = acceptable(&asked);
        assert_eq!((accepted.tools_list_changed, accepted.prompts_list_changed), (None, None));
        assert_eq!(accepted.resources_list_changed, Some(true));
        assert_eq!(accepted.resource_subscriptions.unwrap(), ["svc://inbox", "svc://channels/general"]);
        assert_eq!(acceptable(&SubscriptionFilter::new()), SubscriptionFilter::new());
    }

    #[test]
    fn resources_beyond_the_limit_are_not_accepted() {
        let many = (1..=limits::RESOURCE_SUBSCRIPTIONS_MAX + 5).map(|id| format!("svc://messages/{id}"));
        let asked = SubscriptionFilter::builder().resource_subscriptions(many).build();
        assert_eq!(acceptable(&asked).resource_subscriptions.unwrap().len(), limits::RESOURCE_SUBSCRIPTIONS_MAX);
    }

    #[test]
    fn each_stream_begins_where_it_was_accepted() {
        let subscriptions = Subscriptions::default();
        let asked = SubscriptionFilter::builder().resource_subscription("svc://inbox").build();
        let other = SubscriptionFilter::builder().resources_list_changed().build();
        for (filter, head) in [(&asked, 3), (&other, 4), (&asked, 5)] {
            subscriptions.accept(filter, EventSeq(head));
        }
        let places: Vec<_> = (0..3).map(|_| subscriptions.place(&asked)).collect();
        assert_eq!(places, [Some(After::Seq(EventSeq(3))), Some(After::Seq(EventSeq(5))), None]);
        assert_eq!(subscriptions.place(&other), Some(After::Seq(EventSeq(4))));
        assert!(lock(&subscriptions.accepted).is_empty());
    }

    #[test]
    fn streams_that_never_begin_are_forgotten() {
        let subscriptions = Subscriptions::default();
        let asked = SubscriptionFilter::builder().resource_subscription("svc://inbox").build();
        for head in 0..=i64::try_from(limits::STREAMS_BEGINNING_MAX).unwrap() {
            subscriptions.accept(&asked, EventSeq(head));
        }
        assert_eq!(lock(&subscriptions.accepted).len(), limits::STREAMS_BEGINNING_MAX);
        assert_eq!(subscriptions.place(&asked), Some(After::Seq(EventSeq(1))), "the oldest one was evicted");
    }
}
