//! Telling sessions of the older revisions that they have other resources: the protocol lets a server say so
//! to whoever has begun a session, subscribed or not.
//!
//! What always holds: a session hears of it when its participant joins, leaves or makes a channel, or when one
//! of its channels is archived; of a burst it hears once; nothing is said once the credential has ended.
//!
//! Most sessions never hear anything, so this costs them a place in the log and no more: a feed of their own
//! would also watch what is unread, and count against what one participant may have open.

use rmcp::service::{NotificationContext, Peer, RoleServer};
use svc_core::{After, Caller, Event, EventBody, Hub, Subscription, limits};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::server::Mcp;

/// What follows for the list of a participant.
enum Follows {
    Nothing,
    /// Another list.
    Other,
    /// Another list if it is a member of this channel.
    IfMember(String),
}

/// Begins to tell a session that has begun; it ends with the session.
pub(crate) async fn begin(mcp: &Mcp, context: &NotificationContext<RoleServer>) {
    let Ok(caller) = mcp.door.caller(&mcp.hub, &context.extensions).await else { return };
    let Ok(events) = mcp.hub.events().subscribe(After::Now).await else { return };
    let token = CancellationToken::new();
    mcp.subscriptions.keep_listing(token.clone().drop_guard());
    let teller = Teller { hub: mcp.hub.clone(), caller, peer: context.peer.clone() };
    tokio::spawn(async move {
        tokio::select! {
            () = teller.tell(events) => {}
            () = token.cancelled() => {}
        }
    });
}

struct Teller {
    hub: Hub,
    caller: Caller,
    peer: Peer<RoleServer>,
}

impl Teller {
    async fn tell(self, mut events: Subscription) {
        loop {
            if !self.has_other_list(&mut events).await {
                return;
            }
            // What comes with it is told with it.
            let end = Instant::now() + limits::RESOURCE_UPDATE_PAUSE;
            while timeout_at(end, self.has_other_list(&mut events)).await.unwrap_or(false) {}
            if !self.hub.live().holds(&self.caller).await.unwrap_or(false) || !self.say().await {
                return;
            }
        }
    }

    /// Waits until the session has another list; `false` when the log has ended.
    async fn has_other_list(&self, events: &mut Subscription) -> bool {
        loop {
            let Ok(Some(event)) = events.next().await else { return false };
            match follows(&self.caller, &event) {
                Follows::Nothing => {}
                Follows::Other => return true,
                Follows::IfMember(channel) => {
                    if self.hub.channels().get(&self.caller, &channel).await.is_ok_and(|channel| channel.is_member) {
                        return true;
                    }
                }
            }
        }
    }

    /// Whether the client is still there.
    async fn say(&self) -> bool {
        self.peer.notify_resource_list_changed().await.is_ok()
    }
}

/// What an event means for the resources that the caller has.
fn follows(caller: &Caller, event: &Event) -> Follows {
    let Ok(body) = event.body() else { return Follows::Nothing };
    let (channel, is_own) = match body {
        EventBody::ChannelCreated(made) => {
            let is_own = caller.identity().is_some_and(|you| you.handle == made.by);
            (made.name, is_own)
        }
        EventBody::MemberJoined(moved) | EventBody::MemberLeft(moved) => {
            (moved.name, caller.participant() == Some(moved.participant_id))
        }
        EventBody::ChannelArchived(gone) if caller.require_channel(&gone.name).is_ok() => {
            return Follows::IfMember(gone.name);
        }
        _ => return Follows::Nothing,
    };
    // A key that is limited to channels has no others, whatever its participant joins.
    if is_own && caller.require_channel(&channel).is_ok() { Follows::Other } else { Follows::Nothing }
}
