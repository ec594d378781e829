//! The SQL of the list of all messages.

use svc_model::messages::MessageStatus;

use super::{MessageRow, select_messages};
use crate::error::Result;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::store::db::{Query, Tx, Value};

/// The conditions of the list. Those that are `None` are not part of the statement, so that the
/// matching index is used.
#[derive(Debug)]
pub(in crate::messaging::messages) struct Conditions {
    pub(in crate::messaging::messages) before: MessageId,
    pub(in crate::messaging::messages) recipient: Option<ParticipantId>,
    pub(in crate::messaging::messages) sender: Option<ParticipantId>,
    pub(in crate::messaging::messages) conversation: Option<ConversationId>,
    /// The status of direct messages.
    pub(in crate::messaging::messages) status: Option<MessageStatus>,
}

/// The newest messages that meet the conditions.
pub(in crate::messaging::messages) async fn list(
    tx: &mut Tx,
    wanted: &Conditions,
    limit: u32,
) -> Result<Vec<MessageRow>> {
    let mut conditions = vec!["m.id < $1".to_owned()];
    let mut values = vec![Value::Integer(wanted.before.0)];
    let ids = [
        ("m.recipient_id", wanted.recipient.map(|id| id.0)),
        ("m.sender_id", wanted.sender.map(|id| id.0)),
        ("m.conversation_id", wanted.conversation.map(|id| id.0)),
    ];
    let mut narrow = |column: &str, value: Value| {
        values.push(value);
        conditions.push(format!("{column} = ${}", values.len()));
    };
    for (column, id) in ids {
        if let Some(id) = id {
            narrow(column, Value::Integer(id));
        }
    }
    if let Some(status) = wanted.status {
        narrow("m.status", Value::Text(status.as_str().to_owned()));
        conditions.push("m.recipient_id IS NOT NULL".to_owned());
    }
    let text = format!(
        "{} {} ORDER BY m.id DESC LIMIT ${}",
        select_messages!("WHERE"),
        conditions.join(" AND "),
        values.len() + 1
    );
    let query = values.into_iter().fold(tx.query(text), Query::bind);
    query.bind(limit).fetch_all().await
}

/// The conversation of the channel with this name.
pub(in crate::messaging::messages) async fn conversation_of(
    tx: &mut Tx,
    channel: &str,
) -> Result<Option<ConversationId>> {
    let find = "SELECT v.id FROM conversations v JOIN channels c ON c.id = v.channel_id WHERE c.name = $1";
    let found: Option<(ConversationId,)> = tx.query(find).bind(channel).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}
