//! Conversations and their timelines.

use serde::{Deserialize, Serialize};

use crate::error::{Error, FieldError, Result};
use crate::ids::{ConversationId, MessageId};
use crate::limits;
use crate::messages::Message;
use crate::page::checked_limit;
use crate::timestamp::Timestamp;

/// The kind of a conversation: a channel, or direct messages between two participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ConversationKind {
    /// A channel.
    Channel,
    /// Direct messages.
    Dm,
}

/// A conversation: a channel, or the messages of two participants with the same subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// Its kind.
    pub kind: ConversationKind,
    /// The channel's name; `null` for direct messages.
    pub channel: Option<String>,
    /// The participant whose view this is: the caller or one of their agents; `null` for a channel.
    pub participant: Option<String>,
    /// The other participant; `null` for a channel.
    pub with: Option<String>,
    /// The subject; empty for a channel and for the main conversation of a pair.
    pub subject: String,
    /// Its newest message.
    pub last_message: Option<LastMessage>,
    /// The number of messages that were ever sent in it.
    pub message_count: i64,
    /// The number of messages of others that `participant`, or the caller, has not read.
    pub unread: i64,
}

/// The newest message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct LastMessage {
    /// The message.
    pub id: MessageId,
    /// The handle of the sender.
    pub from: String,
    /// The beginning of the text, at most 120 characters on one line.
    pub preview: String,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// A page of conversations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ConversationPage {
    /// The conversations, most recent message first.
    pub conversations: Vec<Conversation>,
    /// The total number of conversations.
    pub total: i64,
}

/// A conversation with a page of its messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ConversationView {
    /// The conversation.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub conversation: Conversation,
    /// The messages, oldest first.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub timeline: Timeline,
}

/// A page of the messages of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Timeline {
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// The last message that the caller has read; `null` when there is none.
    pub last_read_message_id: Option<MessageId>,
    /// Whether there are older messages.
    pub has_more_before: bool,
    /// Whether there are newer messages.
    pub has_more_after: bool,
}

/// Selects a part of a conversation: the newest messages unless one of the cursors is set.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimelineFilter {
    /// Messages before this one.
    pub before: Option<MessageId>,
    /// Messages after this one.
    pub after: Option<MessageId>,
    /// Messages around this one.
    pub around: Option<MessageId>,
    /// The maximum number of messages; 50 when absent.
    pub limit: Option<i64>,
    /// Whether to read without side effects: nothing counts as offered, and receipts do not change.
    pub peek: bool,
}

/// Selects a part of a direct conversation: the newest messages unless one of the cursors is set.
#[derive(Debug, Clone, Default)]
pub struct DirectFilter {
    /// Messages before this one.
    pub before: Option<MessageId>,
    /// Messages after this one.
    pub after: Option<MessageId>,
    /// Messages around this one.
    pub around: Option<MessageId>,
    /// The maximum number of messages; 100 when absent.
    pub limit: Option<i64>,
    /// One of the caller's agents, to read its conversation instead of the caller's.
    pub with: Option<String>,
}

/// The position of a page in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// The messages before this one.
    Before(MessageId),
    /// The messages after this one.
    After(MessageId),
    /// This message and those on both sides of it.
    Around(MessageId),
}

impl Window {
    /// The newest messages.
    pub const NEWEST: Self = Self::Before(MessageId(i64::MAX));

    /// Builds the window; at most one of the cursors may be set.
    fn of(before: Option<MessageId>, after: Option<MessageId>, around: Option<MessageId>) -> Result<Self> {
        match (before, after, around) {
            (None, None, None) => Ok(Self::NEWEST),
            (Some(id), None, None) => Ok(Self::Before(id)),
            (None, Some(id), None) => Ok(Self::After(id)),
            (None, None, Some(id)) => Ok(Self::Around(id)),
            _ => {
                Err(Error::invalid_fields(surplus_cursors([("before", before), ("after", after), ("around", around)])))
            }
        }
    }
}

fn surplus_cursors(given: [(&str, Option<MessageId>); 3]) -> Vec<FieldError> {
    let named = given.iter().filter(|(_, id)| id.is_some());
    let fault = |(field, _): &(&str, _)| FieldError {
        field: (*field).into(),
        message: "cannot be combined with another cursor: use only one of before, after, around".into(),
    };
    named.skip(1).map(fault).collect()
}

impl TimelineFilter {
    /// The window and the page size.
    pub fn window(self) -> Result<(Window, u32)> {
        let limit = checked_limit(self.limit)?;
        Ok((Window::of(self.before, self.after, self.around)?, limit))
    }
}

impl DirectFilter {
    /// The window and the page size.
    pub fn window(&self) -> Result<(Window, u32)> {
        let limit = if self.limit.is_none() { limits::DM_PAGE } else { checked_limit(self.limit)? };
        Ok((Window::of(self.before, self.after, self.around)?, limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_one_cursor_is_accepted() {
        let id = Some(MessageId(7));
        let none = TimelineFilter::default();
        assert_eq!(none.window().unwrap(), (Window::NEWEST, limits::PAGE_DEFAULT));
        assert_eq!(TimelineFilter { after: id, ..none }.window().unwrap().0, Window::After(MessageId(7)));
        let error = TimelineFilter { before: id, around: id, ..none }.window().unwrap_err();
        assert_eq!(error.fields()[0].field, "around");
        assert!(TimelineFilter { limit: Some(201), ..none }.window().is_err());
    }
}
