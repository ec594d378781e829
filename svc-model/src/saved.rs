//! Messages that a human has saved for later.

use serde::{Deserialize, Serialize};

use crate::ids::SavedMessageId;
use crate::messages::Message;
use crate::timestamp::Timestamp;

/// A message that the caller has saved for later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct SavedMessage {
    /// Its id. One that was saved later has a larger one.
    pub id: SavedMessageId,
    /// The message.
    pub message: Message,
    /// The note of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it was saved.
    pub saved_at: Timestamp,
}

/// A page of saved messages, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SavedPage {
    /// The saved messages.
    pub saved: Vec<SavedMessage>,
    /// Whether there are some that were saved before.
    pub has_more: bool,
}

/// The request to save a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct SaveMessage {
    /// A note of one line, at most 200 characters. Without it an earlier note stays; an empty one removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The page of a list of saved messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct SavedFilter {
    /// Only those that were saved before this one.
    pub before: Option<SavedMessageId>,
    /// The maximum number of messages.
    pub limit: Option<i64>,
}
