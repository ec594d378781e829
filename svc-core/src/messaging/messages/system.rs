//! What the hub itself says: reminders, notices. It never triggers an agent.
//!
//! What always holds: what others wrote stands in it as a quotation, and the message keeps whom it quotes, because it
//! is trusted as far as they are.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_model::messages::Message;
use svc_model::participants::{ParticipantKind, SYSTEM_HANDLE};

use super::post::{Party, Place, Post, post};
use super::{conversations, store};
use crate::error::{Error, Result};
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::messaging::channels::Room;
use crate::messaging::reactions::workflow;
use crate::store::db::Tx;
use crate::text::quote;

/// Where a message keeps whom it quotes.
const QUOTES: &str = "svc.quotes";
/// Notices of these kinds have always quoted, also before they kept whom.
const QUOTING: [&str; 2] = ["auction", "machine_event"];

/// What the hub says. Words of others come into it with their author, and as quotations only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Statement {
    body: String,
    /// Handles of participants, or ids of principals.
    quotes: BTreeSet<String>,
}

impl Statement {
    /// Adds words of the hub's own, in which names are handles, ids and numbers.
    #[must_use]
    pub(crate) fn say(mut self, words: impl AsRef<str>) -> Self {
        self.body.push_str(words.as_ref());
        self
    }

    /// Adds what somebody wrote, on the same line.
    #[must_use]
    pub(crate) fn quote(mut self, who: &str, text: &str) -> Self {
        self.quotes.insert(who.to_owned());
        self.body.push_str(&quote::inline(text));
        self
    }

    /// Adds what somebody wrote, in lines of its own under one that says whose it is; nothing if they wrote nothing.
    #[must_use]
    pub(crate) fn quote_block(mut self, who: &str, text: &str) -> Self {
        if text.is_empty() {
            return self;
        }
        self.quotes.insert(who.to_owned());
        self.say(format!("\n\n{who} writes:\n\n{}", quote::block(text)))
    }

    /// Adds what somebody wrote as a block of code.
    #[must_use]
    pub(crate) fn quote_code(mut self, who: &str, language: &str, text: &str) -> Self {
        self.quotes.insert(who.to_owned());
        self.say(format!("\n\n{}", quote::code(language, text)))
    }

    /// What is said.
    #[cfg(test)]
    pub(crate) fn body(&self) -> &str {
        &self.body
    }

    /// The metadata with whom it quotes.
    fn metadata(&self, mut metadata: Value) -> Value {
        if let Some(fields) = metadata.as_object_mut().filter(|_| !self.quotes.is_empty()) {
            fields.insert(QUOTES.to_owned(), json!(self.quotes));
        }
        metadata
    }
}

/// Whose words stand in a message of the system; empty for one that quotes nobody, and nobody's name where that is not
/// known.
pub(crate) fn quoted_in(message: &Message) -> Vec<String> {
    if message.from_kind != ParticipantKind::System {
        return Vec::new();
    }
    match message.metadata.get(QUOTES).and_then(Value::as_array) {
        Some(quotes) => quotes.iter().map(|who| who.as_str().unwrap_or_default().to_owned()).collect(),
        None if QUOTING.iter().any(|kind| message.metadata.get(kind).is_some()) => vec![String::new()],
        None => Vec::new(),
    }
}

/// The system, as the sender of what the hub says.
pub(crate) async fn system(tx: &mut Tx) -> Result<Party> {
    store::party(tx, SYSTEM_HANDLE).await?.ok_or_else(|| Error::internal("the store has no system"))
}

/// Sends a direct message by the system.
pub(crate) async fn tell(tx: &mut Tx, to: ParticipantId, statement: &Statement, metadata: Value) -> Result<MessageId> {
    let metadata = statement.metadata(metadata);
    let from = system(tx).await?;
    let to = store::party_by_id(tx, to).await?;
    let conversation = conversations::direct(tx, from.id, to.id, "").await?;
    let notice = Post {
        from: &from,
        conversation,
        place: Place::Direct { to, subject: String::new(), mention_of: None },
        body: &statement.body,
        priority: limits::PRIORITY_DEFAULT,
        metadata: &metadata,
        reply: None,
        attachments: &[],
        sight: None,
        depth: 0,
        traceparent: None,
    };
    Ok(post(tx, &notice).await?.0)
}

/// Says something in a channel as the system. Whatever it quotes, it mentions nobody.
pub(crate) async fn announce(
    tx: &mut Tx,
    from: &Party,
    room: &Room,
    statement: &Statement,
    metadata: Value,
) -> Result<MessageId> {
    let metadata = statement.metadata(metadata);
    let notice = Post {
        from,
        conversation: room.conversation_id,
        place: Place::Channel {
            id: room.id,
            name: room.name.clone(),
            public: room.public,
            state: room.workflow_enabled.then(|| workflow::beginning(room.auto_approve)),
            mentioned: Vec::new(),
        },
        body: &statement.body,
        priority: limits::PRIORITY_DEFAULT,
        metadata: &metadata,
        reply: None,
        attachments: &[],
        sight: None,
        depth: 0,
        traceparent: None,
    };
    Ok(post(tx, &notice).await?.0)
}
