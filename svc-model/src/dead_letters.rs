//! Dead letters: messages and deliveries that failed for good.

use serde::{Deserialize, Serialize};

use crate::ids::{DeadLetterId, DeliveryId, UserId};
use crate::messages::Message;
use crate::page::Page;
use crate::timestamp::Timestamp;

/// The kind of the failed delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
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

/// A failed delivery.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DeadLetter {
    /// Its id.
    pub id: DeadLetterId,
    /// The kind of the failed delivery.
    pub kind: DeadLetterKind,
    /// The handle of the recipient: one of your agents, or you.
    pub participant: String,
    /// The message.
    pub message: Option<Message>,
    /// The delivery to a webhook.
    #[serde(default)]
    pub delivery_id: Option<DeliveryId>,
    /// The reason.
    pub reason: String,
    /// The number of attempts.
    pub attempts: i64,
    /// When it became a dead letter.
    pub created_at: Timestamp,
    /// When its owner acknowledged it.
    pub acknowledged_at: Option<Timestamp>,
    /// When its owner retried it.
    pub retried_at: Option<Timestamp>,
}

/// A page of dead letters, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DeadLetterPage {
    /// The dead letters.
    pub dead_letters: Vec<DeadLetter>,
    /// The total number of dead letters.
    pub total: i64,
}

/// The filter of a list of dead letters.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeadLetterFilter {
    /// Only dead letters of this kind.
    pub kind: Option<DeadLetterKind>,
    /// Only those that are acknowledged, or only those that are not.
    pub acknowledged: Option<bool>,
    /// Only those of this user and their agents. For the admin socket; others see their own only.
    pub owner: Option<UserId>,
    /// Only those from this time on.
    pub since: Option<Timestamp>,
    /// Only those before this time.
    pub until: Option<Timestamp>,
    /// The page.
    pub page: Page,
}
