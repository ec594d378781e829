//! Waiting for messages: from what is stored, so that what came before the wait counts too.

use std::time::Duration;

use svc_core::{After, Caller, Error, EventBody, Hub, InboxFilter, Message, MessageId, MessageStatus, Result};
use tokio::time::{Instant, timeout_at};

/// How many messages a wait answers at most.
const AT_ONCE: i64 = 50;

/// What has arrived for somebody.
#[derive(Debug, Clone)]
pub struct Arrival {
    /// Messages that nobody works on yet, oldest first.
    pub messages: Vec<Message>,
    /// Whether there are more.
    pub has_more: bool,
}

/// Waits until a message for the caller that nobody works on is there, after `after` if that is given;
/// `None` when the time is over first. The caller's credential is not checked again meanwhile.
pub async fn arrival(
    hub: &Hub,
    caller: &Caller,
    after: Option<MessageId>,
    patience: Duration,
) -> Result<Option<Arrival>> {
    let me = caller.participant().ok_or_else(|| Error::not_found("inbox"))?;
    let end = Instant::now() + patience;
    // Before the first look, so that nothing falls between the two.
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
                return Err(Error::unavailable("closing", "The hub is closing: connect again in a moment."));
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
