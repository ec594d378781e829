//! Live events about messages that exist already: their status, their text, their pin, their end.

use serde::{Deserialize, Serialize};

use crate::ids::{ConversationId, MessageId, ScheduledMessageId};
use crate::scheduled::ScheduledStatus;
use crate::timestamp::Timestamp;

/// The status of a message changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpdateNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name.
    #[serde(default)]
    pub channel: Option<String>,
    /// The new status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The handle of the worker that holds the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<String>,
    /// The number of times that it was claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<i64>,
    /// The reason of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The workflow state that results from the reactions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_state: Option<String>,
    /// When the stalled message was escalated to the owner of its channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalated_at: Option<Timestamp>,
}

/// The text of a message was edited. Read the message for its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name.
    #[serde(default)]
    pub channel: Option<String>,
    /// The number of the new text.
    pub version: u32,
    /// The handle of the worker that holds the claim, and must read the message again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<String>,
    /// When it was edited.
    pub edited_at: Timestamp,
}

/// A message was deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeletionNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name.
    #[serde(default)]
    pub channel: Option<String>,
    /// The handle of the participant who deleted it.
    pub by: String,
    /// When it was deleted.
    pub deleted_at: Timestamp,
}

/// A message was pinned, or its pin was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name.
    #[serde(default)]
    pub channel: Option<String>,
    /// The handle of the participant who did it.
    pub by: String,
}

/// A message of the caller, or of one of their agents, that is sent later was made, changed, sent, refused or deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledNews {
    /// The scheduled message.
    pub scheduled_id: ScheduledMessageId,
    /// Its status now; `null` when it was deleted.
    #[serde(default)]
    pub status: Option<ScheduledStatus>,
}
