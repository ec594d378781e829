//! Messages that are sent later.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{MessageId, ScheduledMessageId};
use crate::messages::NewMessage;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// The status of a scheduled message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ScheduledStatus {
    /// It is sent at its time.
    Waiting,
    /// It was sent.
    Sent,
    /// It was refused when it should have been sent.
    Failed,
}

crate::text_enum! {
    ScheduledStatus {
        Waiting => "waiting",
        Sent => "sent",
        Failed => "failed",
    }
}

/// A message that is sent later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct ScheduledMessage {
    /// Its id, which is not that of the message.
    pub id: ScheduledMessageId,
    /// The handle of its author.
    pub from: String,
    /// The kind of its author.
    pub from_kind: ParticipantKind,
    /// The handle of the recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The name of the channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The subject; empty if it has none.
    pub subject: String,
    /// The text, as Markdown. Empty once it was sent: the message has it.
    pub body: String,
    /// The priority, 1 to 10.
    pub priority: u32,
    /// Application data: a JSON object.
    pub metadata: Value,
    /// The message that it replies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
    /// When it is sent, or was to be sent.
    pub send_at: Timestamp,
    /// Its status.
    pub status: ScheduledStatus,
    /// The message, once it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// The code of the error with which it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// Why it was refused, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When it was scheduled.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A page of scheduled messages, the one that was scheduled last first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ScheduledPage {
    /// The scheduled messages.
    pub scheduled: Vec<ScheduledMessage>,
    /// Whether there are some that were scheduled before.
    pub has_more: bool,
}

/// The request to send a message later, either to a participant or to a channel. It cannot have files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewScheduledMessage {
    /// The handle of the recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The name of the channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The text, as Markdown: 1 byte to 64 KiB.
    pub body: String,
    /// The subject; for direct messages only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The priority, 1 to 10; 5 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// The message that it replies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
    /// Application data: a JSON object of at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// When to send it: at least one minute and at most 365 days from now.
    pub send_at: Timestamp,
}

impl NewScheduledMessage {
    /// A message of text alone that is sent at this time. Metadata, priority and subject are those of the message;
    /// files are left out.
    pub fn at(send_at: Timestamp, message: NewMessage) -> Self {
        let NewMessage { to, channel, body, subject, priority, reply_to, metadata, .. } = message;
        Self { to, channel, body, subject, priority, reply_to, metadata, send_at }
    }

    /// The message as it is sent.
    pub fn message(&self) -> NewMessage {
        NewMessage {
            to: self.to.clone(),
            channel: self.channel.clone(),
            body: self.body.clone(),
            subject: self.subject.clone(),
            priority: self.priority,
            reply_to: self.reply_to,
            metadata: self.metadata.clone(),
            ..NewMessage::default()
        }
    }
}

/// The request to change a scheduled message. Absent parts stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ScheduledMessageUpdate {
    /// The new text, as Markdown: 1 byte to 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// When to send it: at least one minute and at most 365 days from now. One that was refused waits again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub send_at: Option<Timestamp>,
}

/// The filter of a list of scheduled messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScheduledFilter {
    /// Only those in this status.
    pub status: Option<ScheduledStatus>,
    /// Only those that were scheduled before this one.
    pub before: Option<ScheduledMessageId>,
    /// The maximum number of messages.
    pub limit: Option<i64>,
}
