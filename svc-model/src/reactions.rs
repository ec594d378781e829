//! What a reaction is, and the states that reactions come to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::ids::MessageId;
use crate::messages::Message;
use crate::page::Page;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// What a reaction says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReactionKind {
    /// It may be done.
    Approve,
    /// It may not be done, or has failed.
    Reject,
    /// Somebody is doing it; at most one on a message.
    InProgress,
    /// It has been done.
    Done,
    /// It has been made public.
    Published,
}

crate::text_enum! {
    ReactionKind {
        Approve => "approve",
        Reject => "reject",
        InProgress => "in_progress",
        Done => "done",
        Published => "published",
    }
}

impl ReactionKind {
    /// Every one of them.
    pub const ALL: [Self; 5] = [Self::Approve, Self::Reject, Self::InProgress, Self::Done, Self::Published];

    /// Reads the word for one; a refusal names the field `reaction` and lists the words.
    pub fn parse(word: &str) -> Result<Self> {
        one_of("reaction", word, &Self::ALL, Self::as_str)
    }
}

/// What the reactions on a message in a workflow channel come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum WorkflowState {
    /// Nobody has judged it.
    Proposed,
    /// It may be done.
    Approved,
    /// Somebody is doing it.
    InProgress,
    /// It may not be done, or has failed.
    Rejected,
    /// It has been done.
    Done,
    /// It has been made public.
    Published,
}

crate::text_enum! {
    WorkflowState {
        Proposed => "proposed",
        Approved => "approved",
        InProgress => "in_progress",
        Rejected => "rejected",
        Done => "done",
        Published => "published",
    }
}

impl WorkflowState {
    /// Every one of them.
    pub const ALL: [Self; 6] =
        [Self::Proposed, Self::Approved, Self::InProgress, Self::Rejected, Self::Done, Self::Published];

    /// Reads the word for one; a refusal names the field `state` and lists the words.
    pub fn parse(word: &str) -> Result<Self> {
        one_of("state", word, &Self::ALL, Self::as_str)
    }
}

fn one_of<T: Copy>(field: &str, word: &str, all: &[T], as_str: fn(T) -> &'static str) -> Result<T> {
    all.iter().copied().find(|known| as_str(*known) == word).ok_or_else(|| {
        let words: Vec<_> = all.iter().map(|known| as_str(*known)).collect();
        Error::invalid(field, format!("must be one of {}", words.join(", ")))
    })
}

/// A reaction on a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Reaction {
    /// Whose it is.
    pub by: String,
    /// What that participant is.
    pub by_kind: ParticipantKind,
    /// What it says.
    pub reaction: ReactionKind,
    /// What was said with it: a JSON object.
    pub metadata: Value,
    /// Since when it stands.
    pub created_at: Timestamp,
}

/// What a change did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReactionAction {
    /// The reaction stands on the message now.
    Added,
    /// It does not any more.
    Removed,
    /// It stood there already, and does still.
    Already,
}

crate::text_enum! {
    ReactionAction {
        Added => "added",
        Removed => "removed",
        Already => "already",
    }
}

/// A change, and what stands on the message after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ReactionChange {
    /// What was done.
    pub action: ReactionAction,
    /// The reactions on the message, oldest first.
    pub reactions: Vec<Reaction>,
    /// What they come to; `null` outside of workflow channels.
    pub workflow_state: Option<WorkflowState>,
}

/// What stands on a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageReactions {
    /// The reactions on the message, oldest first.
    pub reactions: Vec<Reaction>,
    /// What they come to; `null` outside of workflow channels.
    pub workflow_state: Option<WorkflowState>,
}

/// Which messages of workflow channels to list.
#[derive(Debug, Clone)]
pub struct StateFilter {
    /// Those in this state.
    pub state: WorkflowState,
    /// Only those in this channel.
    pub channel: Option<String>,
    /// Only those before this message, for a list that goes on where another ended.
    pub before: Option<MessageId>,
    /// Which page.
    pub page: Page,
}

/// Messages in a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct StatePage {
    /// The messages that the caller may see, newest first.
    pub messages: Vec<Message>,
    /// How many of them there are in all.
    pub total: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back_and_no_other() {
        for kind in ReactionKind::ALL {
            assert_eq!(ReactionKind::parse(kind.as_str()).unwrap(), kind);
        }
        for state in WorkflowState::ALL {
            assert_eq!(WorkflowState::parse(state.as_str()).unwrap(), state);
        }
        for word in ["", "Approve", "approved", "thumbs_up", "approve "] {
            let refused = ReactionKind::parse(word).unwrap_err();
            assert_eq!(refused.fields()[0].field, "reaction");
            assert!(refused.message().contains("approve, reject, in_progress, done, published"));
        }
    }
}
