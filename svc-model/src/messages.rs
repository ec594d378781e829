//! What a message is.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::attachments::Attachment;
use crate::ids::{ChannelId, ConversationId, MessageId};
use crate::participants::ParticipantKind;
use crate::reactions::{Reaction, WorkflowState};
use crate::timestamp::Timestamp;

/// What has become of a direct message. Those in channels stay `pending`: theirs is the workflow state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum MessageStatus {
    /// Nobody works on it.
    Pending,
    /// Somebody claimed it.
    Processing,
    /// It has been dealt with.
    Done,
    /// It could not be dealt with.
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
    /// Its id. Inside a conversation a later message has a larger one.
    pub id: MessageId,
    /// What it belongs to: a channel, or a pair and a subject.
    pub conversation_id: ConversationId,
    /// The channel's name; `null` for a direct message.
    pub channel: Option<String>,
    /// The channel; `null` for a direct message.
    pub channel_id: Option<ChannelId>,
    /// Who said it.
    pub from: String,
    /// What that participant is.
    pub from_kind: ParticipantKind,
    /// To whom; `null` in a channel.
    pub to: Option<String>,
    /// What it is about; empty in channels and in a pair's main conversation.
    pub subject: String,
    /// What was said, as Markdown.
    pub body: String,
    /// How urgent it is: 1 to 10.
    pub priority: u32,
    /// What has become of it.
    pub status: MessageStatus,
    /// What programs say with it: a JSON object.
    pub metadata: Value,
    /// The message that it answers.
    pub reply_to: Option<MessageId>,
    /// How many answers it has in its own conversation, and in others as far as the caller may see them; of
    /// very many only the newest are looked at for those in others.
    pub reply_count: u32,
    /// The files that it carries.
    pub attachments: Vec<Attachment>,
    /// The reactions on it, oldest first.
    pub reactions: Vec<Reaction>,
    /// What the reactions come to; `null` outside of workflow channels.
    pub workflow_state: Option<WorkflowState>,
    /// Since when the channel's owner knows that it stands still; `null` once it has moved on.
    pub escalated_at: Option<Timestamp>,
    /// Who works on it.
    pub claimed_by: Option<String>,
    /// Until when they may take.
    pub lease_expires_at: Option<Timestamp>,
    /// How many runs of agents lie between a human and this message.
    pub depth: u32,
    /// The W3C trace context with which it was sent.
    pub traceparent: Option<String>,
    /// When it was sent.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A message that is about to be sent: to somebody or into a channel, one of the two.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewMessage {
    /// The handle of the participant it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The name of the channel it goes into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// What is said, as Markdown: 1 byte to 64 KiB.
    pub body: String,
    /// What it is about; for direct messages only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// How urgent it is, 1 to 10; 5 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// The message that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
    /// What programs say with it: a JSON object of at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// The hashes of the files that it carries, at most 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<String>>,
    /// The W3C trace context that it continues; what is none is ignored. Over HTTP the header of that
    /// name says it as well.
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

    /// The same message as an answer to another one.
    #[must_use]
    pub fn replying_to(mut self, parent: MessageId) -> Self {
        self.reply_to = Some(parent);
        self
    }
}

/// Messages in the order of the question, and whether there are more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessagePage {
    /// The messages.
    pub messages: Vec<Message>,
    /// Whether there are more in the direction of the question.
    pub has_more: bool,
}

/// The answers to a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Replies {
    /// The answers that the caller may see, in time order.
    pub replies: Vec<Message>,
    /// How many of them there are in all.
    pub total: i64,
}

/// A message with everything that was answered to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Thread {
    /// The message that answers nothing, if the caller may see it.
    pub root: Option<Message>,
    /// Its descendants that the caller may see, in time order.
    pub replies: Vec<Message>,
    /// How many of them there are in all.
    pub total: i64,
}

/// How work on a message ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Ending {
    /// It has been dealt with.
    Done,
    /// It could not be dealt with.
    Failed,
}

impl Ending {
    /// The status that it comes to.
    pub fn status(self) -> MessageStatus {
        match self {
            Self::Done => MessageStatus::Done,
            Self::Failed => MessageStatus::Failed,
        }
    }
}

/// How work on a message ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// Well or not.
    pub status: Ending,
    /// Why it failed, for its author and for the owner of the recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The token of the claim; without one a message that nobody has claimed is claimed in passing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_token: Option<String>,
}

impl Finish {
    /// It has been dealt with.
    pub fn done(claim_token: Option<String>) -> Self {
        Self { status: Ending::Done, reason: None, claim_token }
    }

    /// It could not be dealt with.
    pub fn failed(claim_token: Option<String>, reason: Option<String>) -> Self {
        Self { status: Ending::Failed, reason, claim_token }
    }
}

/// How many messages to take, and for how long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// How many at most, 1 to 50; 1 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// For how many seconds they are the claimant's, 30 to 86400; 900 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_seconds: Option<u32>,
}

/// Messages that were claimed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ClaimedMessages {
    /// The messages, the most urgent first, then the oldest.
    pub messages: Vec<ClaimedMessage>,
}

/// A message with the token of the claim on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ClaimedMessage {
    /// The message.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub message: Message,
    /// What finishing, renewing and releasing have to present.
    pub claim_token: String,
}

/// How far a message has come with somebody it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReceiptState {
    /// It is in the store.
    Stored,
    /// It was handed out, in a list or otherwise.
    Offered,
    /// It was read.
    Read,
    /// It is being worked on.
    Claimed,
    /// It has been dealt with.
    Done,
    /// It could not be dealt with.
    Failed,
}

/// The receipt of one participant. A moment that is not known is `null`, although it may have been.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Receipt {
    /// Whom the message is for.
    pub participant: String,
    /// What that participant is.
    pub kind: ParticipantKind,
    /// How far it has come.
    pub state: ReceiptState,
    /// When it was stored.
    pub stored_at: Timestamp,
    /// When it was first handed out.
    pub offered_at: Option<Timestamp>,
    /// When it was read.
    pub read_at: Option<Timestamp>,
    /// When work on it began.
    pub claimed_at: Option<Timestamp>,
    /// When work on it ended.
    pub finished_at: Option<Timestamp>,
    /// Why it failed.
    pub reason: Option<String>,
}

/// The receipts of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Receipts {
    /// The message.
    pub message_id: MessageId,
    /// One for each participant it is for, by handle.
    pub receipts: Vec<Receipt>,
    /// How many there are in all.
    pub total: i64,
}

/// Which messages of the inbox.
#[derive(Debug, Clone, Default)]
pub struct InboxFilter {
    /// Only those to this agent of the caller's, or to the caller.
    pub agent: Option<String>,
    /// Only those in this status.
    pub status: Option<MessageStatus>,
    /// Only those by this participant.
    pub from: Option<String>,
    /// Only those at least this urgent.
    pub min_priority: Option<u32>,
    /// Only those that were not read yet.
    pub unread: bool,
    /// Only those before this one, newest first.
    pub before: Option<MessageId>,
    /// Only those after this one, oldest first.
    pub after: Option<MessageId>,
    /// How many at most.
    pub limit: Option<i64>,
    /// Whether it is only looked at: then nobody was handed anything, and receipts say nothing of it.
    pub peek: bool,
}

/// Which messages of all.
#[derive(Debug, Clone, Default)]
pub struct BrowseFilter {
    /// Only direct messages to this participant.
    pub to: Option<String>,
    /// Only those by this participant.
    pub from: Option<String>,
    /// Only those in this channel.
    pub channel: Option<String>,
    /// Only direct messages in this status.
    pub status: Option<MessageStatus>,
    /// Only those before this one.
    pub before: Option<MessageId>,
    /// How many at most.
    pub limit: Option<i64>,
}

/// Direct messages of everybody that are not dealt with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Nobody has taken them.
    pub pending: u64,
    /// Somebody works on them.
    pub processing: u64,
}

/// What a removal by hand came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// How many messages were removed, or would be.
    pub removed: u64,
    /// How many older ones stay because they wait for somebody or are being worked on.
    pub kept: u64,
    /// Those from before this moment.
    pub before: Timestamp,
}

/// Whether messages are removed or only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prune {
    /// They are removed.
    Remove,
    /// They are counted.
    Count,
}
