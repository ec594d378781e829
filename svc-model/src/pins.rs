//! Pinned messages.

use serde::{Deserialize, Serialize};

use crate::ids::PinId;
use crate::messages::Message;
use crate::timestamp::Timestamp;

/// A message that is pinned in its conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Pin {
    /// Its id. A later pin has a larger one.
    pub id: PinId,
    /// The message.
    pub message: Message,
    /// The handle of the participant who pinned it.
    pub pinned_by: String,
    /// When it was pinned.
    pub pinned_at: Timestamp,
}

/// A page of pins, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct PinPage {
    /// The pins.
    pub pins: Vec<Pin>,
    /// Whether there are older pins.
    pub has_more: bool,
}

/// The conversation whose pins are listed: a channel, or the direct messages with a participant.
#[derive(Debug, Clone, Default)]
pub struct PinFilter {
    /// The name of the channel.
    pub channel: Option<String>,
    /// The handle of the participant.
    pub with: Option<String>,
    /// Only pins before this one.
    pub before: Option<PinId>,
    /// The maximum number of pins.
    pub limit: Option<i64>,
}
