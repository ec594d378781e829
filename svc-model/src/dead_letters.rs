//! What a dead letter is.

use serde::{Deserialize, Serialize};

use crate::ids::DeadLetterId;
use crate::messages::Message;
use crate::page::Page;
use crate::timestamp::Timestamp;

/// What could not be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum DeadLetterKind {
    /// A direct message.
    Message,
    /// A delivery to a webhook.
    Webhook,
}

crate::text_enum! {
    DeadLetterKind {
        Message => "message",
        Webhook => "webhook",
    }
}

/// Something that could not be delivered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DeadLetter {
    /// Its id.
    pub id: DeadLetterId,
    /// What could not be delivered.
    pub kind: DeadLetterKind,
    /// Whom it was for: one of your agents, or you.
    pub participant: String,
    /// The message.
    pub message: Option<Message>,
    /// Why.
    pub reason: String,
    /// How often it was tried.
    pub attempts: i64,
    /// Since when it lies here.
    pub created_at: Timestamp,
    /// When its owner took note of it.
    pub acknowledged_at: Option<Timestamp>,
    /// When its owner tried it again.
    pub retried_at: Option<Timestamp>,
}

/// Dead letters, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DeadLetterPage {
    /// The dead letters.
    pub dead_letters: Vec<DeadLetter>,
    /// How many there are in all.
    pub total: i64,
}

/// Which dead letters.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeadLetterFilter {
    /// Only of this kind.
    pub kind: Option<DeadLetterKind>,
    /// Only those that were, or were not, acknowledged.
    pub acknowledged: Option<bool>,
    /// Which part of the list.
    pub page: Page,
}
