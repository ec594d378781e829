//! The stream of a session: messages that the hub sends on its own. It is opened when the client is ready and
//! reopened, with growing delays, as long as the hub offers one.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::headers::{self, LAST_EVENT};
use super::relay::Relay;
use super::remote::Sent;

/// The first and the longest delay before the stream is reopened.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));
/// Minimum duration of a stream that counts as successful.
const GOOD: Duration = Duration::from_secs(10);

/// Follows the stream of the session as long as there is one.
pub(super) async fn follow(relay: Arc<Relay>) {
    loop {
        relay.ready.notified().await;
        while_offered(&relay).await;
    }
}

/// The end of a stream.
enum End {
    /// The stream may be reopened.
    Over { last_event: Option<String>, pause: Option<Duration>, was_fruitful: bool },
    /// The session was restarted.
    Renewed,
    /// The stream could not be opened.
    Failed,
    /// The hub offers none.
    NotOffered,
}

async fn while_offered(relay: &Relay) {
    let (mut last_event, mut pause) = (None, PAUSES.0);
    loop {
        let begun = Instant::now();
        match once(relay, last_event.as_deref()).await {
            End::NotOffered => return,
            End::Renewed => last_event = None,
            End::Failed => {}
            // A position from which nothing can be resumed is dropped.
            End::Over { was_fruitful: false, .. } if last_event.is_some() => last_event = None,
            End::Over { last_event: newest, pause: wanted, .. } => {
                last_event = newest.or(last_event);
                pause = wanted.unwrap_or(pause).clamp(PAUSES.0, PAUSES.1);
            }
        }
        if begun.elapsed() >= GOOD {
            pause = PAUSES.0;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}

async fn once(relay: &Relay, last_event: Option<&str>) -> End {
    let (known, turn) = relay.session.known();
    if known.session.is_none() {
        return End::NotOffered;
    }
    let mut headers = headers::of_session(&known);
    if let Some(Ok(last)) = last_event.map(str::parse) {
        headers.insert(LAST_EVENT, last);
    }
    match relay.remote.get(headers).await {
        Ok(Sent::Answered { mut answers, .. }) => {
            while let Ok(Some(reply)) = answers.next().await {
                relay.write_line(reply.text).await;
            }
            End::Over { last_event: answers.last_event, pause: answers.pause, was_fruitful: answers.is_fruitful }
        }
        Ok(Sent::Forgotten) => match relay.session.renew(&relay.remote, turn).await {
            Ok(()) => End::Renewed,
            Err(refusal) if refusal.is_passing => End::Failed,
            Err(_) => End::NotOffered,
        },
        Err(refusal) if refusal.is_passing => End::Failed,
        Ok(Sent::Refused(_)) | Err(_) => End::NotOffered,
    }
}
