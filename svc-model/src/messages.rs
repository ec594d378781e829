//! Messages, replies, claims and receipts.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::attachments::Attachment;
use crate::emoji::EmojiCount;
use crate::ids::{ChannelId, ConversationId, MessageId};
use crate::participants::ParticipantKind;
use crate::reactions::{Reaction, WorkflowState};
use crate::timestamp::Timestamp;

/// The processing status of a direct message. Channel messages stay `pending`; they have a workflow state
/// instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum MessageStatus {
    /// No worker has claimed it.
    Pending,
    /// A worker has claimed it.
    Processing,
    /// Processing succeeded.
    Done,
    /// Processing failed.
    Failed,
}

crate::text_enum! {
    MessageStatus {
        Pending => "pending",
        Processing => "processing",
        Done => "done",
        Failed => "failed",
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Message {
    /// Its id. Ids increase within a conversation.
    pub id: MessageId,
    /// The conversation: a channel, or a pair of participants and a subject.
    pub conversation_id: ConversationId,
    /// The channel's name; `null` for a direct message.
    pub channel: Option<String>,
    /// The channel's id; `null` for a direct message.
    pub channel_id: Option<ChannelId>,
    /// The handle of the sender.
    pub from: String,
    /// The kind of the sender.
    pub from_kind: ParticipantKind,
    /// The handle of the recipient; `null` in a channel.
    pub to: Option<String>,
    /// The subject; empty in channels and in a pair's main conversation.
    pub subject: String,
    /// The text, as Markdown.
    pub body: String,
    /// The priority, 1 to 10; 10 is the most urgent.
    pub priority: u32,
    /// The processing status.
    pub status: MessageStatus,
    /// Application data: a JSON object.
    pub metadata: Value,
    /// The message that this one replies to.
    pub reply_to: Option<MessageId>,
    /// The number of replies in its own conversation, plus those in other conversations that the caller may
    /// see. For the latter only a limited number of the newest replies is checked.
    pub reply_count: u32,
    /// The attached files.
    pub attachments: Vec<Attachment>,
    /// The reactions on it, oldest first.
    pub reactions: Vec<Reaction>,
    /// The emoji under it, the first one first. They have no effect on its workflow.
    #[serde(default)]
    pub emoji: Vec<EmojiCount>,
    /// The workflow state that results from the reactions; `null` outside of workflow channels.
    pub workflow_state: Option<WorkflowState>,
    /// When the stalled message was escalated to the channel's owner; `null` once it has moved on.
    pub escalated_at: Option<Timestamp>,
    /// The handle of the worker that holds the claim.
    pub claimed_by: Option<String>,
    /// When the lease of the claim expires.
    pub lease_expires_at: Option<Timestamp>,
    /// The number of agent runs between a human and this message.
    pub depth: u32,
    /// The W3C trace context of the request that sent it.
    pub traceparent: Option<String>,
    /// The number of its text: 1 as it was sent, and one more with each edit.
    #[serde(default = "first_version")]
    pub version: u32,
    /// When its text was last edited; `null` if it never was.
    #[serde(default)]
    pub edited_at: Option<Timestamp>,
    /// Whether its text was edited after the current claim began: the worker must read it again.
    #[serde(default)]
    pub edited_since_claim: bool,
    /// When it was deleted. A deleted message has no text, metadata, files, reactions and emoji.
    #[serde(default)]
    pub deleted_at: Option<Timestamp>,
    /// The handle of the participant who deleted it.
    #[serde(default)]
    pub deleted_by: Option<String>,
    /// When it was sent.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The version of a message of a hub that does not number them.
fn first_version() -> u32 {
    1
}

/// The request to change the text of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct MessageEdit {
    /// The new text, as Markdown: 1 byte to 64 KiB.
    pub body: String,
    /// The version that is changed. If the message has another one by now, the request is rejected with
    /// `version_conflict`. When absent, the current one is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

impl MessageEdit {
    /// Changes the text, whatever the current version is.
    pub fn of(body: impl Into<String>) -> Self {
        Self { body: body.into(), version: None }
    }
}

crate::row! {
    /// A text of a message.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct MessageVersion {
        /// Its number; 1 is the text as it was sent.
        pub version: u32,
        /// The text.
        pub body: String,
        /// When it was written.
        pub created_at: Timestamp,
    }
}

/// The texts of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageVersions {
    /// The message.
    pub message_id: MessageId,
    /// All texts, the oldest first; the last one is the current one. Empty for a deleted message.
    pub versions: Vec<MessageVersion>,
}

/// The request to send a message, either to a participant or to a channel.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewMessage {
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
    /// The message that this one replies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
    /// Application data: a JSON object of at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// The hashes of the attached files, at most 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<String>>,
    /// The W3C trace context to continue; an invalid value is ignored. Over HTTP the header of that name sets
    /// it as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}

impl NewMessage {
    /// A direct message.
    pub fn to(handle: impl Into<String>, body: impl Into<String>) -> Self {
        Self { to: Some(handle.into()), body: body.into(), ..Self::default() }
    }

    /// A message in a channel.
    pub fn in_channel(name: impl Into<String>, body: impl Into<String>) -> Self {
        Self { channel: Some(name.into()), body: body.into(), ..Self::default() }
    }

    /// Makes the message a reply to another one.
    #[must_use]
    pub fn replying_to(mut self, parent: MessageId) -> Self {
        self.reply_to = Some(parent);
        self
    }
}

/// A page of messages, in the order of the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessagePage {
    /// The messages.
    pub messages: Vec<Message>,
    /// Whether there are more messages in the requested direction.
    pub has_more: bool,
}

/// The replies to a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Replies {
    /// The replies that the caller may see, oldest first.
    pub replies: Vec<Message>,
    /// The total number of such replies.
    pub total: i64,
}

/// A thread: a message with all of its direct and indirect replies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Thread {
    /// The first message of the thread, if the caller may see it.
    pub root: Option<Message>,
    /// The replies that the caller may see, oldest first.
    pub replies: Vec<Message>,
    /// The total number of such replies.
    pub total: i64,
}

/// The outcome of processing a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Ending {
    /// Processing succeeded.
    Done,
    /// Processing failed.
    Failed,
}

impl Ending {
    /// The message status that results from this outcome.
    pub fn status(self) -> MessageStatus {
        match self {
            Self::Done => MessageStatus::Done,
            Self::Failed => MessageStatus::Failed,
        }
    }
}

/// The request to end the processing of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// The outcome.
    pub status: Ending,
    /// The reason of a failure, for the sender and for the owner of the recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The token of the claim. Without one, an unclaimed message is claimed and finished in one step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_token: Option<String>,
}

impl Finish {
    /// Reports success.
    pub fn done(claim_token: Option<String>) -> Self {
        Self { status: Ending::Done, reason: None, claim_token }
    }

    /// Reports a failure.
    pub fn failed(claim_token: Option<String>, reason: Option<String>) -> Self {
        Self { status: Ending::Failed, reason, claim_token }
    }
}

/// The request to claim messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// The maximum number of messages, 1 to 50; 1 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The duration of the lease in seconds, 30 to 86400; 900 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_seconds: Option<u32>,
}

/// Claimed messages and their tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ClaimedMessages {
    /// The messages, the most urgent first, then the oldest.
    pub messages: Vec<ClaimedMessage>,
}

/// A message with the token of its claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ClaimedMessage {
    /// The message.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub message: Message,
    /// The token that finish, renew and release requests must present.
    pub claim_token: String,
}

/// The progress of a message at one recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReceiptState {
    /// The message is stored.
    Stored,
    /// The message was returned to the recipient, in a list or otherwise.
    Offered,
    /// The recipient has read it.
    Read,
    /// The recipient has claimed it.
    Claimed,
    /// Processing succeeded.
    Done,
    /// Processing failed.
    Failed,
}

/// The receipt of one recipient. A timestamp is `null` when it is unknown, even if the step took place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Receipt {
    /// The handle of the recipient.
    pub participant: String,
    /// The kind of the recipient.
    pub kind: ParticipantKind,
    /// The progress of the message.
    pub state: ReceiptState,
    /// When it was stored.
    pub stored_at: Timestamp,
    /// When it was first returned to the recipient.
    pub offered_at: Option<Timestamp>,
    /// When it was read.
    pub read_at: Option<Timestamp>,
    /// When processing began.
    pub claimed_at: Option<Timestamp>,
    /// When processing ended.
    pub finished_at: Option<Timestamp>,
    /// The reason of a failure.
    pub reason: Option<String>,
}

/// The receipts of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Receipts {
    /// The message.
    pub message_id: MessageId,
    /// One receipt for each recipient, by handle.
    pub receipts: Vec<Receipt>,
    /// The total number of receipts.
    pub total: i64,
}

/// The filter of an inbox.
#[derive(Debug, Clone, Default)]
pub struct InboxFilter {
    /// Only messages to this agent of the caller, or to the caller.
    pub agent: Option<String>,
    /// Only messages in this status.
    pub status: Option<MessageStatus>,
    /// Only messages by this sender.
    pub from: Option<String>,
    /// Only messages with at least this priority.
    pub min_priority: Option<u32>,
    /// Only unread messages.
    pub unread: bool,
    /// Only messages before this one, newest first.
    pub before: Option<MessageId>,
    /// Only messages after this one, oldest first.
    pub after: Option<MessageId>,
    /// The maximum number of messages.
    pub limit: Option<i64>,
    /// Whether to read without side effects: nothing counts as offered, and receipts do not change.
    pub peek: bool,
}

/// The filter of a list of all messages, for admins.
#[derive(Debug, Clone, Default)]
pub struct BrowseFilter {
    /// Only direct messages to this participant.
    pub to: Option<String>,
    /// Only messages by this sender.
    pub from: Option<String>,
    /// Only messages in this channel.
    pub channel: Option<String>,
    /// Only direct messages in this status.
    pub status: Option<MessageStatus>,
    /// Only messages before this one.
    pub before: Option<MessageId>,
    /// The maximum number of messages.
    pub limit: Option<i64>,
}

/// The number of unfinished direct messages of all participants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Unclaimed messages.
    pub pending: u64,
    /// Claimed messages.
    pub processing: u64,
}

/// The result of a manual removal of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// The number of messages that were removed, or that would be.
    pub removed: u64,
    /// The number of older messages that stay because they are pending or being processed.
    pub kept: u64,
    /// Messages from before this time were selected.
    pub before: Timestamp,
}

/// Whether matching messages are removed or only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prune {
    /// Removes the messages.
    Remove,
    /// Counts the messages (dry run).
    Count,
}
