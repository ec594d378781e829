//! A row of the queue, and the notification that it becomes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use svc_model::conversations::ConversationKind;
use svc_model::notifications::NotificationKind;
use svc_model::participants::ParticipantKind;
use svc_model::push::PushPayload;

use super::store::MessageRow;
use super::subscribe::host;
use super::{actions, classify};
use crate::error::{Error, Result};
use crate::ids::{MessageId, PushSubscriptionId, UserId};
use crate::limits;
use crate::store::queue::{NewItem, QueueItem};

/// Size of a topic in base64url: the maximum of RFC 8030 is 32 characters.
const TOPIC_BYTES: usize = 24;

/// The occasion of a push message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Notice {
    /// A message that the user gets.
    Message(MessageId),
    /// A test that the user asked for.
    Test,
}

/// The payload of an item in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Item {
    pub(super) subscription: PushSubscriptionId,
    pub(super) notice: Notice,
}

impl Notice {
    /// The row of the queue for a browser. Its key is the push service, so that services take turns.
    pub(super) fn item(self, subscription: PushSubscriptionId, endpoint: &str) -> Result<NewItem> {
        let item = serde_json::to_value(Item { subscription, notice: self })
            .map_err(|error| Error::internal("a push message cannot be queued").with_source(error))?;
        let mut key = host(endpoint);
        key.truncate(limits::QUEUE_KEY_MAX);
        Ok(NewItem::new(item).key(key))
    }
}

impl Item {
    /// Reads the payload of an item.
    pub(super) fn read(item: &QueueItem) -> Option<Self> {
        serde_json::from_value(item.payload.clone()).ok()
    }
}

/// How urgent a push message is for a phone that saves energy (RFC 8030).
pub(super) fn urgency(kind: Option<NotificationKind>) -> &'static str {
    match kind {
        Some(NotificationKind::ChannelMessage) => "normal",
        _ => "high",
    }
}

/// The topic of a tag: a push service that still holds a message replaces it by a new one of the same topic.
pub(super) fn topic(user: UserId, tag: &str) -> String {
    let hash = Sha256::digest(format!("{user} {tag}").as_bytes());
    URL_SAFE_NO_PAD.encode(&hash[..TOPIC_BYTES])
}

/// The test notification.
pub(super) fn test() -> PushPayload {
    PushPayload {
        title: "Notifications work".to_owned(),
        body: "This is the test that you asked for.".to_owned(),
        tag: "test".to_owned(),
        url: "/settings?tab=notifications".to_owned(),
        actions: Vec::new(),
    }
}

/// The notification of a message.
pub(super) fn of_message(message: &MessageRow) -> (NotificationKind, PushPayload) {
    let kind = classify::kind(message);
    let (conversation, name, _) = message.conversation();
    let sender = if message.sender_kind == ParticipantKind::System {
        "svc".to_owned()
    } else if message.sender_name.eq_ignore_ascii_case(&message.sender) {
        format!("@{}", message.sender)
    } else {
        format!("{} (@{})", message.sender_name, message.sender)
    };
    let title = match kind {
        NotificationKind::DirectMessage => sender,
        NotificationKind::Mention => format!("{sender} mentioned you in #{name}"),
        NotificationKind::ChannelMessage => format!("{sender} in #{name}"),
        NotificationKind::Approval if message.channel_id.is_some() => format!("{sender} proposes in #{name}"),
        NotificationKind::Approval => "Your approval is needed".to_owned(),
        NotificationKind::FailedRun => "A run failed".to_owned(),
        NotificationKind::Budget => "Budget alert".to_owned(),
        NotificationKind::Quarantine => "An agent was quarantined".to_owned(),
        NotificationKind::WebhookDisabled => "A webhook was disabled".to_owned(),
    };
    // Decisions stay beside each other; everything else of a conversation replaces what was before.
    let tag = match (kind, conversation) {
        (NotificationKind::Approval, _) => format!("approval:{}", message.id),
        (_, ConversationKind::Channel) => format!("channel:{name}"),
        (_, ConversationKind::Dm) => format!("dm:{name}"),
    };
    let payload = PushPayload {
        title: shortened(&title, limits::PUSH_DEVICE_LENGTHS.end() * 2),
        body: shortened(&one_line(&message.body), limits::PUSH_TEXT_MAX),
        tag,
        url: actions::url(kind, message),
        actions: actions::actions(kind, message),
    };
    (kind, payload)
}

/// The JSON of a notification. A text that does not fit into `most` bytes is cut to the longest beginning that does.
pub(super) fn encoded(payload: &PushPayload, most: usize) -> Result<Vec<u8>> {
    let whole = json(payload)?;
    if whole.len() <= most {
        return Ok(whole);
    }
    let cut = |characters| json(&PushPayload { body: shortened(&payload.body, characters), ..payload.clone() });
    let (mut fits, mut exceeds) = (0, payload.body.chars().count());
    while exceeds - fits > 1 {
        let middle = fits.midpoint(exceeds);
        if cut(middle)?.len() <= most { fits = middle } else { exceeds = middle }
    }
    if fits > 1 { cut(fits) } else { json(&PushPayload { body: String::new(), ..payload.clone() }) }
}

fn json(payload: &PushPayload) -> Result<Vec<u8>> {
    serde_json::to_vec(payload).map_err(|error| Error::internal("a push message cannot be written").with_source(error))
}

/// A text on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text, with an ellipsis when it was cut.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", beginning.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_fits_its_size() {
        let long = PushPayload { body: "\u{1f600}\"\\ x".repeat(400), ..test() };
        for most in [3072, 1024, 300, 10] {
            let text = encoded(&long, most).unwrap();
            let read: PushPayload = serde_json::from_slice(&text).unwrap();
            assert_eq!((read.tag.as_str(), read.url.as_str()), ("test", "/settings?tab=notifications"));
            assert!(text.len() <= most || read.body.is_empty(), "{most}");
            assert!(most < 200 || text.len() + 8 > most, "{most} bytes hold more than {}", text.len());
        }
        assert_eq!(serde_json::from_slice::<PushPayload>(&encoded(&test(), 3072).unwrap()).unwrap(), test());
    }

    #[test]
    fn a_topic_is_short_and_differs_between_users() {
        let topic = |user, tag| super::topic(UserId(user), tag);
        assert_eq!(topic(1, "dm:ann").len(), 32);
        assert_eq!(topic(1, "dm:ann"), topic(1, "dm:ann"));
        assert_ne!(topic(1, "dm:ann"), topic(2, "dm:ann"));
        assert_ne!(topic(1, "dm:ann"), topic(1, "dm:bob"));
    }

    #[test]
    fn text_is_one_line_of_limited_length() {
        assert_eq!(one_line(" a\n\n  b\tc "), "a b c");
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abcde…");
    }
}
