//! Messages of the hub itself: reminders and notices. They never trigger an agent.
//!
//! Invariant: text by others appears only as a quotation, and the message records whom it quotes,
//! because it is trusted only as far as they are.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_model::messages::Message;
use svc_model::participants::{ParticipantKind, SYSTEM_HANDLE};

use super::post::{Destination, Party, Post, post};
use super::{conversations, store};
use crate::error::{Error, Result};
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::messaging::channels::PostingChannel;
use crate::messaging::reactions::workflow;
use crate::store::db::Tx;
use crate::text::quote;

/// The metadata key that lists whom a message quotes.
const QUOTES: &str = "svc.quotes";
/// Notices of these kinds have always quoted, also before [`QUOTES`] was recorded.
const QUOTING: [&str; 2] = ["auction", "machine_event"];

/// A text of the hub. Text by others is added with its author, as a quotation only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Statement {
    body: String,
    /// Handles of participants or ids of principals.
    quotes: BTreeSet<String>,
}

impl Statement {
    /// Adds text of the hub. Names in it are handles, ids and numbers only.
    #[must_use]
    pub(crate) fn say(mut self, words: impl AsRef<str>) -> Self {
        self.body.push_str(words.as_ref());
        self
    }

    /// Adds text by `who` as a quotation on the same line.
    #[must_use]
    pub(crate) fn quote(mut self, who: &str, text: &str) -> Self {
        self.quotes.insert(who.to_owned());
        self.body.push_str(&quote::inline(text));
        self
    }

    /// Adds text by `who` as a quoted block under a line that names the author; adds nothing if the
    /// text is empty.
    #[must_use]
    pub(crate) fn quote_block(mut self, who: &str, text: &str) -> Self {
        if text.is_empty() {
            return self;
        }
        self.quotes.insert(who.to_owned());
        self.say(format!("\n\n{who} writes:\n\n{}", quote::block(text)))
    }

    /// Adds text by `who` as a code block.
    #[must_use]
    pub(crate) fn quote_code(mut self, who: &str, language: &str, text: &str) -> Self {
        self.quotes.insert(who.to_owned());
        self.say(format!("\n\n{}", quote::code(language, text)))
    }

    /// The text of the statement.
    #[cfg(test)]
    pub(crate) fn body(&self) -> &str {
        &self.body
    }

    /// The metadata, extended by the quoted authors.
    fn metadata(&self, mut metadata: Value) -> Value {
        if let Some(fields) = metadata.as_object_mut().filter(|_| !self.quotes.is_empty()) {
            fields.insert(QUOTES.to_owned(), json!(self.quotes));
        }
        metadata
    }
}

/// The authors quoted in a system message. Empty if it quotes nobody; one empty name if the authors
/// are unknown.
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

/// The system participant, the sender of the hub's own messages.
pub(crate) async fn system(tx: &mut Tx) -> Result<Party> {
    store::party(tx, SYSTEM_HANDLE).await?.ok_or_else(|| Error::internal("the store has no system participant"))
}

/// Sends a direct message from the system.
pub(crate) async fn notify(
    tx: &mut Tx,
    to: ParticipantId,
    statement: &Statement,
    metadata: Value,
) -> Result<MessageId> {
    let metadata = statement.metadata(metadata);
    let from = system(tx).await?;
    let to = store::party_by_id(tx, to).await?;
    let conversation = conversations::direct(tx, from.id, to.id, "").await?;
    let notice = Post {
        from: &from,
        conversation,
        destination: Destination::Direct { to, subject: String::new(), mention_of: None },
        body: &statement.body,
        priority: limits::PRIORITY_DEFAULT,
        metadata: &metadata,
        reply: None,
        attachments: &[],
        viewer: None,
        depth: 0,
        traceparent: None,
    };
    Ok(post(tx, &notice).await?.0)
}

/// Posts a message in a channel as the system. It mentions nobody, whatever it quotes.
pub(crate) async fn announce(
    tx: &mut Tx,
    from: &Party,
    room: &PostingChannel,
    statement: &Statement,
    metadata: Value,
) -> Result<MessageId> {
    let metadata = statement.metadata(metadata);
    let notice = Post {
        from,
        conversation: room.conversation_id,
        destination: Destination::Channel {
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
        viewer: None,
        depth: 0,
        traceparent: None,
    };
    Ok(post(tx, &notice).await?.0)
}
