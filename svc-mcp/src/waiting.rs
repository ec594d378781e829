//! Waits for messages in the store, so that messages from before the wait count too.

use std::time::Duration;

use svc_core::events::{After, EventBody};
use svc_core::ids::MessageId;
use svc_core::messages::{InboxFilter, Message, MessageStatus};
use svc_core::{Caller, Error, Hub, Result};
use tokio::time::{Instant, timeout_at};

/// Most messages that a wait returns.
const AT_ONCE: i64 = 50;

/// Messages that have arrived for a participant.
#[derive(Debug, Clone)]
pub struct Arrival {
    /// Unclaimed messages, oldest first.
    pub messages: Vec<Message>,
    /// Whether there are more.
    pub has_more: bool,
}

/// Waits until there is an unclaimed message for the caller, after `after` if given; `None` on timeout. The caller's
/// credential is not checked again meanwhile.
pub async fn arrival(
    hub: &Hub,
    caller: &Caller,
    after: Option<MessageId>,
    patience: Duration,
) -> Result<Option<Arrival>> {
    let me = caller.participant().ok_or_else(|| Error::not_found("inbox"))?;
    let end = Instant::now() + patience;
    // Subscribed before the first query, so that no message is missed between the two.
    let mut events = hub.events().subscribe(After::Now).await?;
    loop {
        let filter = InboxFilter {
            agent: None,
            status: Some(MessageStatus::Pending),
            after: Some(after.unwrap_or(MessageId(0))),
            limit: Some(AT_ONCE),
            peek: true,
            ..InboxFilter::default()
        };
        let page = hub.messages().inbox(caller, filter).await?;
        if !page.messages.is_empty() {
            return Ok(Some(Arrival { messages: page.messages, has_more: page.has_more }));
        }
        loop {
            let Ok(event) = timeout_at(end, events.next()).await else { return Ok(None) };
            let Some(event) = event? else {
                return Err(Error::unavailable("closing", "The hub is shutting down: connect again in a moment."));
            };
            let concerns = match event.body() {
                Ok(EventBody::MessageCreated(created)) => created.audience.recipient_id == Some(me),
                Ok(EventBody::MessageUpdated(updated)) => updated.audience.recipient_id == Some(me),
                _ => false,
            };
            if concerns {
                break;
            }
        }
    }
}
