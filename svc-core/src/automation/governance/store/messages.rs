//! The SQL of messages that are searched for loops.

use svc_model::participants::ParticipantKind;

use crate::error::Result;
use crate::ids::{AgentId, ConversationId, MessageId, ParticipantId};
use crate::limits;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    /// A message, without its text.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct SaidRow {
        pub(crate) id: MessageId,
        pub(crate) sender_id: ParticipantId,
        pub(crate) kind: ParticipantKind,
        /// The sender of the message that it replies to.
        pub(crate) answers: Option<ParticipantId>,
        pub(crate) mention_of: Option<MessageId>,
        pub(crate) created_at: Timestamp,
    }
}

pub(super) const BETWEEN: &str = "
    SELECT m.id, m.sender_id, 'agent' AS kind, m.recipient_id AS answers, m.mention_of, m.created_at
      FROM messages m
     WHERE m.recipient_id = $1 AND m.sender_id = $2
     ORDER BY m.id DESC
     LIMIT $3";

/// The last direct messages between two agents, newest first.
pub(crate) async fn between(tx: &mut Tx, one: AgentId, other: AgentId) -> Result<Vec<SaidRow>> {
    let mut said: Vec<SaidRow> = Vec::new();
    for (to, from) in [(one, other), (other, one)] {
        let found: Vec<SaidRow> = tx.query(BETWEEN).bind(to).bind(from).bind(limits::LOOP_MESSAGES).fetch_all().await?;
        // The copy that tells of a mention is a part of the conversation in the channel.
        said.extend(found.into_iter().filter(|row| row.mention_of.is_none()));
    }
    said.sort_by_key(|row| std::cmp::Reverse(row.id));
    Ok(said)
}

pub(super) const RECENT: &str = "
    SELECT m.id, m.sender_id, p.kind, r.sender_id AS answers, m.mention_of, m.created_at
      FROM messages m
      JOIN participants p ON p.id = m.sender_id
      LEFT JOIN messages r ON r.id = m.reply_to
     WHERE m.conversation_id = $1
     ORDER BY m.id DESC
     LIMIT $2";

/// The last messages of a conversation, newest first.
pub(crate) async fn recent(tx: &mut Tx, conversation: ConversationId) -> Result<Vec<SaidRow>> {
    tx.query(RECENT).bind(conversation).bind(limits::LOOP_MESSAGES).fetch_all().await
}

/// Whom these messages mention, as `(message, participant)`.
pub(crate) async fn mentions(tx: &mut Tx, messages: &[MessageId]) -> Result<Vec<(MessageId, ParticipantId)>> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT mention_of, recipient_id FROM messages WHERE mention_of IN ({}) AND recipient_id IS NOT NULL",
        placeholders(1, messages.len())
    );
    messages.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// The beginnings of these messages.
pub(crate) async fn bodies(tx: &mut Tx, messages: &[MessageId]) -> Result<Vec<String>> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT substr(body, 1, {}) FROM messages WHERE id IN ({}) AND deleted_at IS NULL",
        limits::LOOP_BODY,
        placeholders(1, messages.len())
    );
    let query = messages.iter().fold(tx.query(text), |query, id| query.bind(*id));
    let found: Vec<(String,)> = query.fetch_all().await?;
    Ok(found.into_iter().map(|(body,)| body).collect())
}
