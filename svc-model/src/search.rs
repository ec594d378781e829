//! What is asked of a search, and what it answers.

use serde::{Deserialize, Serialize};

use crate::messages::Message;

/// What to look for, as a person writes it. Everything is optional; what is given must all hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchFilter {
    /// Words, `"phrases"`, `-word`, `prefix*` of two letters or more. No text is an error.
    pub q: Option<String>,
    /// Names of channels with commas between them; `-` before a name leaves that channel out.
    pub channel: Option<String>,
    /// Handles of senders, likewise.
    pub agent: Option<String>,
    /// Not before this day or moment.
    pub after: Option<String>,
    /// Before this day or moment.
    pub before: Option<String>,
    /// One of these statuses.
    pub status: Option<String>,
    /// All of these: `attachment`, `reaction`, `mention`.
    pub has: Option<String>,
    /// One of these workflow states.
    pub state: Option<String>,
    /// `relevance` or `newest`; by relevance when there are words to look for.
    pub sort: Option<String>,
    /// How many at most.
    pub limit: Option<i64>,
    /// How many to pass over first.
    pub offset: Option<i64>,
    /// Whether it is only looked at: then nobody was handed anything, and receipts say nothing of it.
    pub peek: bool,
}

/// A message that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SearchHit {
    /// The message.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub message: Message,
    /// The part of it that shows why it was found, on one line, as HTML: each match is between `<mark>`
    /// and `</mark>`, and everything else is escaped.
    pub snippet: String,
}

/// Messages that were found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SearchPage {
    /// A page of them.
    pub messages: Vec<SearchHit>,
    /// How many there are in all that the caller may see; of very many only so many are counted.
    pub total: i64,
    /// Whether that is all of them; otherwise there are more, and the most relevant were chosen among
    /// the newest.
    pub total_is_exact: bool,
    /// Whether the time for a search was over before all messages had been looked at: then these are those
    /// that were found until then, and there may be others.
    pub partial: bool,
}
