//! Reactions, and the workflow states that result from them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::ids::MessageId;
use crate::messages::Message;
use crate::page::Page;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// The kind of a reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReactionKind {
    /// The message is approved.
    Approve,
    /// The message is rejected, or its execution failed.
    Reject,
    /// A participant works on it; at most one on a message.
    InProgress,
    /// The work is done.
    Done,
    /// The result is published.
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
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Approve, Self::Reject, Self::InProgress, Self::Done, Self::Published];

    /// Parses the word of a kind. The error names the field `reaction` and lists the valid words.
    pub fn parse(word: &str) -> Result<Self> {
        one_of("reaction", word, &Self::ALL, Self::as_str)
    }
}

/// The workflow state of a message in a workflow channel, which results from its reactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum WorkflowState {
    /// No reaction decides it yet.
    Proposed,
    /// The message is approved.
    Approved,
    /// A participant works on it.
    InProgress,
    /// The message is rejected, or its execution failed.
    Rejected,
    /// The work is done.
    Done,
    /// The result is published.
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
    /// All states.
    pub const ALL: [Self; 6] =
        [Self::Proposed, Self::Approved, Self::InProgress, Self::Rejected, Self::Done, Self::Published];

    /// Parses the word of a state. The error names the field `state` and lists the valid words.
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
    /// The handle of its author.
    pub by: String,
    /// The kind of its author.
    pub by_kind: ParticipantKind,
    /// The kind of the reaction.
    pub reaction: ReactionKind,
    /// Application data: a JSON object.
    pub metadata: Value,
    /// When it was added.
    pub created_at: Timestamp,
}

/// The effect of a request to add or remove a reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ReactionAction {
    /// The reaction was added.
    Added,
    /// The reaction was removed.
    Removed,
    /// The reaction was already there; nothing changed.
    Already,
}

crate::text_enum! {
    ReactionAction {
        Added => "added",
        Removed => "removed",
        Already => "already",
    }
}

/// The result of a change of reactions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ReactionChange {
    /// The effect of the request.
    pub action: ReactionAction,
    /// The reactions on the message, oldest first.
    pub reactions: Vec<Reaction>,
    /// The resulting workflow state; `null` outside of workflow channels.
    pub workflow_state: Option<WorkflowState>,
}

/// The reactions on a message, with the workflow state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageReactions {
    /// The reactions on the message, oldest first.
    pub reactions: Vec<Reaction>,
    /// The resulting workflow state; `null` outside of workflow channels.
    pub workflow_state: Option<WorkflowState>,
}

/// The filter of a list of messages in workflow channels.
#[derive(Debug, Clone)]
pub struct StateFilter {
    /// Only messages in this state.
    pub state: WorkflowState,
    /// Only messages in this channel.
    pub channel: Option<String>,
    /// Only messages before this one, to continue a list.
    pub before: Option<MessageId>,
    /// The page.
    pub page: Page,
}

/// A page of messages in a workflow state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct StatePage {
    /// The messages that the caller may see, newest first.
    pub messages: Vec<Message>,
    /// The total number of such messages.
    pub total: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_words_are_parsed() {
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
