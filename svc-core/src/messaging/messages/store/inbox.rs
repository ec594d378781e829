//! The SQL of inboxes: all messages of the recipients, or those that match criteria.

use svc_model::messages::MessageStatus;

use super::{MessageRow, in_conversation, select_messages};
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId, UserId};
use crate::messaging::messages::criteria::{Criteria, Cursor};
use crate::messaging::messages::inbox::Recipients;
use crate::store::db::{Query, Tx, Value};

/// SELECT of an inbox page, for both directions and both kinds of reader: `$1` is the recipient or
/// owner, `$2` the cursor.
macro_rules! inbox {
    ($column:literal, $beyond:literal, $order:literal) => {
        select_messages!(
            "WHERE m.",
            $column,
            " = $1 AND m.",
            $column,
            " IS NOT NULL AND m.id ",
            $beyond,
            " $2 AND m.deleted_at IS NULL ORDER BY m.id ",
            $order,
            " LIMIT $3"
        )
    };
}

const OWN_BEFORE: &str = inbox!("recipient_id", "<", "DESC");

const OWN_AFTER: &str = inbox!("recipient_id", ">", "ASC");

const OWNER_BEFORE: &str = inbox!("recipient_owner_id", "<", "DESC");

const OWNER_AFTER: &str = inbox!("recipient_owner_id", ">", "ASC");

/// The messages of an inbox.
pub(in crate::messaging::messages) async fn all(
    tx: &mut Tx,
    recipients: Recipients,
    cursor: Cursor,
    limit: u32,
) -> Result<Vec<MessageRow>> {
    let (text, id) = match (recipients, cursor) {
        (Recipients::Own(participant), Cursor::Before(_)) => (OWN_BEFORE, participant.0),
        (Recipients::Own(participant), Cursor::After(_)) => (OWN_AFTER, participant.0),
        (Recipients::Owner(user), Cursor::Before(_)) => (OWNER_BEFORE, user.0),
        (Recipients::Owner(user), Cursor::After(_)) => (OWNER_AFTER, user.0),
    };
    tx.query(text).bind(id).bind(cursor.id()).bind(limit).fetch_all().await
}

/// `$1` is the recipient or owner, `$2` the cursor. A mention of a person is no unread direct message.
macro_rules! scan {
    ($column:literal, $beyond:literal, $order:literal) => {
        concat!(
            "SELECT m.id,
                    (($3 = '' OR m.status = $3)
                     AND ($4 = 0 OR m.sender_id = $4)
                     AND m.priority >= $5
                     AND m.deleted_at IS NULL
                     AND (NOT $6 OR (",
            in_conversation!("m"),
            "                AND m.id > coalesce((SELECT rc.message_id
                                                    FROM read_cursors rc
                                                   WHERE rc.participant_id = m.recipient_id
                                                     AND rc.conversation_id = m.conversation_id), 0)))) AS fits
               FROM messages m
              WHERE m.",
            $column,
            " = $1 AND m.",
            $column,
            " IS NOT NULL AND m.id ",
            $beyond,
            " $2 ORDER BY m.id ",
            $order,
            " LIMIT $7"
        )
    };
}

const SCAN_OWN_BEFORE: &str = scan!("recipient_id", "<", "DESC");
const SCAN_OWN_AFTER: &str = scan!("recipient_id", ">", "ASC");
const SCAN_OWNER_BEFORE: &str = scan!("recipient_owner_id", "<", "DESC");
const SCAN_OWNER_AFTER: &str = scan!("recipient_owner_id", ">", "ASC");

/// Scans the first `limit` messages and returns whether each matches.
pub(in crate::messaging::messages) async fn scan(
    tx: &mut Tx,
    recipients: Recipients,
    criteria: &Criteria,
    cursor: Cursor,
    limit: u32,
) -> Result<Vec<(MessageId, bool)>> {
    let (text, id) = match (recipients, cursor) {
        (Recipients::Own(participant), Cursor::Before(_)) => (SCAN_OWN_BEFORE, participant.0),
        (Recipients::Own(participant), Cursor::After(_)) => (SCAN_OWN_AFTER, participant.0),
        (Recipients::Owner(user), Cursor::Before(_)) => (SCAN_OWNER_BEFORE, user.0),
        (Recipients::Owner(user), Cursor::After(_)) => (SCAN_OWNER_AFTER, user.0),
    };
    tx.query(text)
        .bind(id)
        .bind(cursor.id())
        .bind(criteria.status.map_or("", MessageStatus::as_str))
        .bind(criteria.sender.map_or(0, |sender| sender.0))
        .bind(criteria.least_priority)
        .bind(criteria.unread)
        .bind(limit)
        .fetch_all()
        .await
}

/// The recipients whose messages belong to an inbox, deleted agents included.
pub(in crate::messaging::messages) async fn recipient_ids(
    tx: &mut Tx,
    recipients: Recipients,
) -> Result<Vec<ParticipantId>> {
    match recipients {
        Recipients::Own(participant) => Ok(vec![participant]),
        Recipients::Owner(UserId(user)) => {
            let agents: Vec<(ParticipantId,)> =
                tx.query("SELECT id FROM agents WHERE owner_id = $1").bind(user).fetch_all().await?;
            Ok(std::iter::once(ParticipantId(user)).chain(agents.into_iter().map(|(id,)| id)).collect())
        }
    }
}

/// SELECT over the messages of one recipient, `$1`.
macro_rules! addressed {
    ($($rest:literal),*) => {
        concat!(
            "SELECT m.id
               FROM messages m
              WHERE m.recipient_id = $1 AND m.recipient_id IS NOT NULL AND m.deleted_at IS NULL",
            $($rest),*
        )
    };
}

/// SELECT over the unread messages of one recipient, `$1`; mentions of a person are listed elsewhere. The plus sign keeps
/// the engines from scanning the whole inbox instead.
macro_rules! unread {
    ($($rest:literal),*) => {
        concat!(
            "SELECT m.id
               FROM read_cursors rc
              CROSS JOIN conversations v
              CROSS JOIN messages m
              WHERE rc.participant_id = $1 AND v.id = rc.conversation_id AND v.low_id IS NOT NULL
                AND v.message_count > rc.position AND m.conversation_id = v.id AND m.id > rc.message_id
                AND +m.recipient_id = $1 AND m.deleted_at IS NULL AND ",
            in_conversation!("m"),
            $($rest),*
        )
    };
}

/// The ids of the first matching messages of one recipient. Only the requested conditions are part of
/// the statement, so that the matching index is used.
pub(in crate::messaging::messages) async fn indexed(
    tx: &mut Tx,
    recipient: ParticipantId,
    criteria: &Criteria,
    priority: Option<u32>,
    cursor: Cursor,
    limit: u32,
) -> Result<Vec<MessageId>> {
    let mut conditions = Vec::new();
    let mut values = vec![Value::Integer(recipient.0), Value::Integer(cursor.id().0), Value::Integer(limit.into())];
    let mut narrowed = |condition: &str, value: Value| {
        values.push(value);
        conditions.push(format!(" AND {condition} ${}", values.len()));
    };
    if let Some(status) = criteria.status {
        narrowed("m.status =", Value::Text(status.as_str().to_owned()));
    }
    if let Some(sender) = criteria.sender {
        narrowed("m.sender_id =", Value::Integer(sender.0));
    }
    match priority {
        Some(priority) => narrowed("m.priority > 5 AND m.priority =", Value::Integer(priority.into())),
        None => narrowed("m.priority >=", Value::Integer(criteria.least_priority.into())),
    }
    let begin = if criteria.unread { unread!() } else { addressed!() };
    let end = match cursor {
        Cursor::Before(_) => " AND m.id < $2 ORDER BY m.id DESC LIMIT $3",
        Cursor::After(_) => " AND m.id > $2 ORDER BY m.id LIMIT $3",
    };
    let text = [begin, &conditions.concat(), end].concat();
    let found: Vec<(MessageId,)> = values.into_iter().fold(tx.query(text), Query::bind).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

pub(super) const LISTED: &[(&str, &str)] = &[
    ("inbox.own_before", OWN_BEFORE),
    ("inbox.own_after", OWN_AFTER),
    ("inbox.owner_before", OWNER_BEFORE),
    ("inbox.owner_after", OWNER_AFTER),
    ("inbox.walk_own_before", SCAN_OWN_BEFORE),
    ("inbox.walk_own_after", SCAN_OWN_AFTER),
    ("inbox.walk_owner_before", SCAN_OWNER_BEFORE),
    ("inbox.walk_owner_after", SCAN_OWNER_AFTER),
    ("narrow.by_status", addressed!(" AND m.status = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.by_sender", addressed!(" AND m.sender_id = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.urgent", addressed!(" AND m.priority > 5 AND m.priority = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.unread", unread!(" AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
];
