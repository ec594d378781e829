//! Model types of conversations.

use serde::{Deserialize, Serialize};

use crate::error::{Error, FieldError, Result};
use crate::ids::{ConversationId, MessageId};
use crate::limits;
use crate::messages::Message;
use crate::page::checked_limit;
use crate::timestamp::Timestamp;

/// Whether messages stand in a channel or between two.
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

/// A conversation: a channel, or what two write to each other about a subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// What it is.
    pub kind: ConversationKind,
    /// The channel's name; `null` for direct messages.
    pub channel: Option<String>,
    /// The one of the two whose conversation it is: the caller or one of their agents; `null` for a channel.
    pub participant: Option<String>,
    /// The other of the two; `null` for a channel.
    pub with: Option<String>,
    /// What it is about; empty for a channel and for the main conversation of two.
    pub subject: String,
    /// Its newest message.
    pub last_message: Option<LastMessage>,
    /// How many messages were ever sent in it.
    pub message_count: i64,
    /// How many messages of others have not been read by whose conversation it is.
    pub unread: i64,
}

/// The newest message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct LastMessage {
    /// The message.
    pub id: MessageId,
    /// Who sent it.
    pub from: String,
    /// Its beginning, at most 120 characters on one line.
    pub preview: String,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// A page of conversations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ConversationPage {
    /// The conversations, those with the latest messages first.
    pub conversations: Vec<Conversation>,
    /// How many there are in all.
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

/// A part of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Timeline {
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// The message up to which the caller has read; `null` when they have read none.
    pub last_read_message_id: Option<MessageId>,
    /// Whether there are older ones.
    pub has_more_before: bool,
    /// Whether there are newer ones.
    pub has_more_after: bool,
}

/// Which part of a conversation: the newest unless a message is named.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimelineFilter {
    /// Those before this message.
    pub before: Option<MessageId>,
    /// Those after this message.
    pub after: Option<MessageId>,
    /// Those around this message.
    pub around: Option<MessageId>,
    /// How many at most; 50 when absent.
    pub limit: Option<i64>,
    /// Whether it is only looked at: then nobody was handed anything, and receipts say nothing of it.
    pub peek: bool,
}

/// Which part of the direct messages with somebody: the newest unless a message is named.
#[derive(Debug, Clone, Default)]
pub struct DirectFilter {
    /// Those before this message.
    pub before: Option<MessageId>,
    /// Those after this message.
    pub after: Option<MessageId>,
    /// Those around this message.
    pub around: Option<MessageId>,
    /// How many at most; 100 when absent.
    pub limit: Option<i64>,
    /// One of the caller's agents, to see its side instead of the caller's.
    pub with: Option<String>,
}

/// Where a page lies.
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
    /// Before everything that will ever be sent.
    pub const NEWEST: Self = Self::Before(MessageId(i64::MAX));

    /// At most one message says where.
    fn of(before: Option<MessageId>, after: Option<MessageId>, around: Option<MessageId>) -> Result<Self> {
        match (before, after, around) {
            (None, None, None) => Ok(Self::NEWEST),
            (Some(id), None, None) => Ok(Self::Before(id)),
            (None, Some(id), None) => Ok(Self::After(id)),
            (None, None, Some(id)) => Ok(Self::Around(id)),
            _ => Err(Error::invalid_fields(one_too_many([("before", before), ("after", after), ("around", around)]))),
        }
    }
}

fn one_too_many(given: [(&str, Option<MessageId>); 3]) -> Vec<FieldError> {
    let named = given.iter().filter(|(_, id)| id.is_some());
    let fault = |(field, _): &(&str, _)| FieldError {
        field: (*field).into(),
        message: "cannot stand beside another one: name one of before, after, around".into(),
    };
    named.skip(1).map(fault).collect()
}

impl TimelineFilter {
    /// Where the page lies and how large it is.
    pub fn window(self) -> Result<(Window, u32)> {
        let limit = checked_limit(self.limit)?;
        Ok((Window::of(self.before, self.after, self.around)?, limit))
    }
}

impl DirectFilter {
    /// Where the page lies and how large it is.
    pub fn window(&self) -> Result<(Window, u32)> {
        let limit = if self.limit.is_none() { limits::DM_PAGE } else { checked_limit(self.limit)? };
        Ok((Window::of(self.before, self.after, self.around)?, limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_lies_in_one_place() {
        let id = Some(MessageId(7));
        let none = TimelineFilter::default();
        assert_eq!(none.window().unwrap(), (Window::NEWEST, limits::PAGE_DEFAULT));
        assert_eq!(TimelineFilter { after: id, ..none }.window().unwrap().0, Window::After(MessageId(7)));
        let error = TimelineFilter { before: id, around: id, ..none }.window().unwrap_err();
        assert_eq!(error.fields()[0].field, "around");
        assert!(TimelineFilter { limit: Some(201), ..none }.window().is_err());
    }
}
