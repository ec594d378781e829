//! Search requests and results.

use serde::{Deserialize, Serialize};

use crate::messages::Message;

/// A search request. Everything is optional; all given conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchFilter {
    /// Words, `"phrases"`, `-word`, `prefix*` of two letters or more. Malformed text is not an error.
    pub q: Option<String>,
    /// Names of channels, separated by commas; `-` before a name excludes that channel.
    pub channel: Option<String>,
    /// Handles of senders, separated by commas; `-` before a handle excludes that sender.
    pub agent: Option<String>,
    /// Only messages from this day or time on.
    pub after: Option<String>,
    /// Only messages before this day or time.
    pub before: Option<String>,
    /// Only messages in one of these statuses, separated by commas.
    pub status: Option<String>,
    /// Only messages that have all of these: `attachment`, `reaction`, `mention`.
    pub has: Option<String>,
    /// Only messages in one of these workflow states.
    pub state: Option<String>,
    /// `relevance` or `newest`; by default relevance when there are search terms.
    pub sort: Option<String>,
    /// The maximum number of messages.
    pub limit: Option<i64>,
    /// The number of messages to skip.
    pub offset: Option<i64>,
    /// Whether to read without side effects: nothing counts as offered, and receipts do not change.
    pub peek: bool,
}

/// A message that matches a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SearchHit {
    /// The message.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub message: Message,
    /// The matching part of the message on one line, as HTML: each match is between `<mark>` and `</mark>`,
    /// and everything else is escaped.
    pub snippet: String,
}

/// A page of search results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SearchPage {
    /// The messages.
    pub messages: Vec<SearchHit>,
    /// The total number of matches that the caller may see, up to a limit.
    pub total: i64,
    /// Whether `total` is exact. Otherwise there are more matches, and the most relevant were chosen among
    /// the newest.
    pub total_is_exact: bool,
    /// Whether the search timed out before all messages were checked: then these are the matches found so
    /// far, and there may be more.
    pub partial: bool,
}
