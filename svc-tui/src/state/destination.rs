//! Where one can go.

use svc_core::ids::{GoalId, MessageId, RunId};

use crate::backend::Place;

/// A screen, with the thing that it shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Destination {
    /// What waits for the person.
    Today,
    /// The list of conversations, on its own in a narrow window.
    Conversations,
    /// A conversation, at its latest or first unread message.
    Conversation(Place),
    /// A message in its conversation.
    Message(Place, MessageId),
    /// The board of a channel, or of all.
    Board(Option<String>),
    /// The search, with its text.
    Search(String),
    /// The agents.
    Agents,
    /// The runs, of one agent or of all.
    Runs(Option<String>),
    /// A run with its log.
    Run(RunId),
    /// The goals.
    Goals,
    /// A goal.
    Goal(GoalId),
    /// The wiki.
    Wiki,
    /// An article.
    Article(String),
    /// Dead letters and deliveries.
    DeadLetters,
    /// The machines.
    Machines,
}
