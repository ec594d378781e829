//! Notifies sessions of the older revisions of changes to their resource list: the protocol allows a server to send
//! this notification to any session, subscribed or not.
//!
//! Invariants: a session is notified when its participant joins or leaves a channel (the creator of a channel joins
//! it), or when one of its channels is archived; a burst results in one notification; nothing is sent once the
//! credential has ended.
//!
//! Most sessions never receive a notification, so this costs them only a log position: a live feed of their own would
//! also track unread counts, and count against the participant's limit of open feeds.

use rmcp::service::{NotificationContext, Peer, RoleServer};
use svc_core::events::{After, Event, EventBody, Subscription};
use svc_core::{Caller, Hub, limits};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::server::Mcp;

/// Effect of an event on the resource list of a participant.
enum ListChange {
    None,
    /// The list has changed.
    Changed,
    /// The list has changed if the participant is a member of this channel.
    IfMember(String),
}

/// Starts notifying an initialized session; ends with the session.
pub(crate) async fn begin(mcp: &Mcp, context: &NotificationContext<RoleServer>) {
    let Ok(caller) = mcp.door.caller(&mcp.hub, &context.extensions).await else { return };
    let Ok(events) = mcp.hub.events().subscribe(After::Now).await else { return };
    let token = CancellationToken::new();
    mcp.subscriptions.keep_listing(token.clone().drop_guard());
    let notifier = Notifier { hub: mcp.hub.clone(), caller, peer: context.peer.clone() };
    tokio::spawn(async move {
        tokio::select! {
            () = notifier.run(events) => {}
            () = token.cancelled() => {}
        }
    });
}

struct Notifier {
    hub: Hub,
    caller: Caller,
    peer: Peer<RoleServer>,
}

impl Notifier {
    async fn run(self, mut events: Subscription) {
        while self.list_changed(&mut events).await {
            // Changes that follow closely are covered by this notification.
            let end = Instant::now() + limits::RESOURCE_UPDATE_PAUSE;
            while Instant::now() < end && matches!(timeout_at(end, events.next()).await, Ok(Ok(Some(_)))) {}
            if !self.hub.live().holds(&self.caller).await.unwrap_or(false) || !self.notify().await {
                return;
            }
        }
    }

    /// Waits until the resource list of the session changes; `false` when the log has ended.
    async fn list_changed(&self, events: &mut Subscription) -> bool {
        loop {
            let event = match events.next().await {
                Ok(Some(event)) => event,
                // Events are missing: the list may have changed.
                Err(error) if error.code() == "events_swept" => return true,
                Ok(None) | Err(_) => return false,
            };
            match list_change(&self.caller, &event) {
                ListChange::None => {}
                ListChange::Changed => return true,
                ListChange::IfMember(channel) => {
                    if self.hub.channels().get(&self.caller, &channel).await.is_ok_and(|channel| channel.is_member) {
                        return true;
                    }
                }
            }
        }
    }

    /// Sends the notification; returns whether the client is still connected.
    async fn notify(&self) -> bool {
        self.peer.notify_resource_list_changed().await.is_ok()
    }
}

/// Effect of an event on the caller's resource list.
fn list_change(caller: &Caller, event: &Event) -> ListChange {
    let Ok(body) = event.body() else { return ListChange::None };
    let changed = match body {
        // The creator of a channel is its first member, which is an event of its own.
        EventBody::MemberJoined(changed) | EventBody::MemberLeft(changed) => changed,
        EventBody::ChannelArchived(archived) if caller.require_channel(&archived.name).is_ok() => {
            return ListChange::IfMember(archived.name);
        }
        _ => return ListChange::None,
    };
    let is_own = caller.participant() == Some(changed.participant_id);
    // A key that is restricted to channels sees no others, whatever its participant joins.
    if is_own && caller.require_channel(&changed.name).is_ok() { ListChange::Changed } else { ListChange::None }
}
