//! The SQL of timelines.

use svc_model::conversations::Window;

use super::conversations;
use crate::error::Result;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::messaging::messages::sight::{Sight, visible_channel};
use crate::messaging::messages::store::{MessageRow, select_messages};
use crate::store::db::{Tx, placeholders};

const BEFORE: &str = select_messages!("WHERE m.conversation_id = $1 AND m.id < $2 ORDER BY m.id DESC LIMIT $3");
const AFTER: &str = select_messages!("WHERE m.conversation_id = $1 AND m.id > $2 ORDER BY m.id LIMIT $3");

const ANY_BEFORE: &str = "
    SELECT count(*)
      FROM (SELECT m.id FROM messages m WHERE m.conversation_id = $1 AND m.id <= $2 ORDER BY m.id DESC LIMIT 1) found";

const ANY_AFTER: &str = "
    SELECT count(*)
      FROM (SELECT m.id FROM messages m WHERE m.conversation_id = $1 AND m.id >= $2 ORDER BY m.id LIMIT 1) found";

const CHANNEL: &str = concat!(
    "SELECT v.id AS conversation_id, r.message_id AS read_id, r.offered_id
       FROM channels c
       JOIN conversations v ON v.channel_id = c.id
       LEFT JOIN read_cursors r ON r.participant_id = $2 AND r.conversation_id = v.id
      WHERE c.name = $5 AND ",
    visible_channel!()
);

/// Those before a message, of all subjects of a pair. Of each no more is looked at than a page can hold.
const DIRECT_OLDER: &str = "
    SELECT m.id
      FROM conversations w
      JOIN messages m ON m.conversation_id = w.id
     WHERE w.low_id = $1 AND w.high_id = $2 AND m.id < $3
       AND m.id >= coalesce((SELECT f.id
                               FROM messages f
                              WHERE f.conversation_id = w.id AND f.id < $3
                              ORDER BY f.id DESC
                              LIMIT 1 OFFSET $4), 0)
     ORDER BY m.id DESC
     LIMIT $5";

/// The same after a message.
const DIRECT_NEWER: &str = "
    SELECT m.id
      FROM conversations w
      JOIN messages m ON m.conversation_id = w.id
     WHERE w.low_id = $1 AND w.high_id = $2 AND m.id > $3
       AND m.id <= coalesce((SELECT f.id
                               FROM messages f
                              WHERE f.conversation_id = w.id AND f.id > $3
                              ORDER BY f.id
                              LIMIT 1 OFFSET $4), 9223372036854775807)
     ORDER BY m.id
     LIMIT $5";

const DIRECT_READ: &str = "
    SELECT max(r.message_id)
      FROM conversations w
      JOIN read_cursors r ON r.conversation_id = w.id
     WHERE w.low_id = $1 AND w.high_id = $2 AND r.participant_id = $3";

const DIRECT_ANY_BEFORE: &str = "
    SELECT count(*)
      FROM conversations w
     WHERE w.low_id = $1 AND w.high_id = $2
       AND EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = w.id AND m.id <= $3)";

const DIRECT_ANY_AFTER: &str = "
    SELECT count(*)
      FROM conversations w
     WHERE w.low_id = $1 AND w.high_id = $2
       AND EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = w.id AND m.id >= $3)";

/// The statements over tables that grow, for the test that looks at their plans.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("timeline.before", BEFORE),
    ("timeline.after", AFTER),
    ("timeline.any_before", ANY_BEFORE),
    ("timeline.any_after", ANY_AFTER),
    ("timeline.channel", CHANNEL),
    ("timeline.direct_older", DIRECT_OLDER),
    ("timeline.direct_newer", DIRECT_NEWER),
    ("timeline.direct_read", DIRECT_READ),
    ("timeline.direct_any_before", DIRECT_ANY_BEFORE),
    ("timeline.direct_any_after", DIRECT_ANY_AFTER),
    ("conversations.list", conversations::LIST),
    ("conversations.count", conversations::COUNT),
    ("conversations.find", conversations::FIND),
];

crate::row! {
    /// A channel as its reader finds it.
    #[expect(clippy::struct_field_names, reason = "each is the id of another thing, and a column of this name")]
    pub(super) struct Seen {
        pub(super) conversation_id: ConversationId,
        pub(super) read_id: Option<MessageId>,
        /// The newest message that was handed out to a member; none for others.
        pub(super) offered_id: Option<MessageId>,
    }
}

pub(super) async fn channel(tx: &mut Tx, sight: &Sight, name: &str) -> Result<Option<Seen>> {
    sight.bind(tx.query(CHANNEL)).bind(name).fetch_optional().await
}

/// A part of a conversation, oldest first.
pub(super) struct Part {
    pub(super) rows: Vec<MessageRow>,
    pub(super) more_before: bool,
    pub(super) more_after: bool,
}

pub(super) async fn part(tx: &mut Tx, id: ConversationId, window: Window, limit: u32) -> Result<Part> {
    match window {
        Window::Before(message) => {
            let (rows, more_before) = older(tx, id, message, limit).await?;
            let more_after = window != Window::NEWEST && any(tx, ANY_AFTER, id, message).await?;
            Ok(Part { rows, more_before, more_after })
        }
        Window::After(message) => {
            let (rows, more_after) = newer(tx, id, message, limit).await?;
            Ok(Part { rows, more_before: any(tx, ANY_BEFORE, id, message).await?, more_after })
        }
        Window::Around(message) => {
            let (after, more_after) = newer(tx, id, message, limit / 2).await?;
            let left = limit - u32::try_from(after.len()).unwrap_or(limit);
            let (mut rows, more_before) = older(tx, id, MessageId(message.0.saturating_add(1)), left).await?;
            rows.extend(after);
            Ok(Part { rows, more_before, more_after })
        }
    }
}

/// Those before a message, oldest first, and whether there are more.
async fn older(tx: &mut Tx, id: ConversationId, before: MessageId, limit: u32) -> Result<(Vec<MessageRow>, bool)> {
    let mut rows: Vec<MessageRow> = tx.query(BEFORE).bind(id).bind(before).bind(limit + 1).fetch_all().await?;
    let more = cut(&mut rows, limit);
    rows.reverse();
    Ok((rows, more))
}

/// Those after a message, oldest first, and whether there are more.
async fn newer(tx: &mut Tx, id: ConversationId, after: MessageId, limit: u32) -> Result<(Vec<MessageRow>, bool)> {
    let mut rows: Vec<MessageRow> = tx.query(AFTER).bind(id).bind(after).bind(limit + 1).fetch_all().await?;
    let more = cut(&mut rows, limit);
    Ok((rows, more))
}

/// Takes off the one that was only fetched to know that it is there.
fn cut<T>(rows: &mut Vec<T>, limit: u32) -> bool {
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    more
}

async fn any(tx: &mut Tx, text: &'static str, id: ConversationId, message: MessageId) -> Result<bool> {
    let found: i64 = tx.query(text).bind(id).bind(message).fetch_value().await?;
    Ok(found > 0)
}

/// Two participants, the smaller id first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    low: ParticipantId,
    high: ParticipantId,
}

impl Pair {
    pub(super) fn of(one: ParticipantId, other: ParticipantId) -> Self {
        Self { low: one.min(other), high: one.max(other) }
    }
}

/// A part of what a pair wrote to each other, about all subjects.
pub(super) async fn direct(tx: &mut Tx, pair: Pair, window: Window, limit: u32) -> Result<Part> {
    let (ids, more_before, more_after) = match window {
        Window::Before(message) => {
            let (ids, more_before) = direct_ids(tx, DIRECT_OLDER, pair, message, limit).await?;
            let more_after = window != Window::NEWEST && direct_any(tx, DIRECT_ANY_AFTER, pair, message).await?;
            (ids, more_before, more_after)
        }
        Window::After(message) => {
            let (ids, more_after) = direct_ids(tx, DIRECT_NEWER, pair, message, limit).await?;
            (ids, direct_any(tx, DIRECT_ANY_BEFORE, pair, message).await?, more_after)
        }
        Window::Around(message) => {
            let (after, more_after) = direct_ids(tx, DIRECT_NEWER, pair, message, limit / 2).await?;
            let left = limit - u32::try_from(after.len()).unwrap_or(limit);
            let end = MessageId(message.0.saturating_add(1));
            let (mut ids, more_before) = direct_ids(tx, DIRECT_OLDER, pair, end, left).await?;
            ids.extend(after);
            (ids, more_before, more_after)
        }
    };
    Ok(Part { rows: by_ids(tx, &ids).await?, more_before, more_after })
}

/// The messages nearest to one of them, and whether there are more.
async fn direct_ids(
    tx: &mut Tx,
    text: &'static str,
    pair: Pair,
    message: MessageId,
    limit: u32,
) -> Result<(Vec<(MessageId,)>, bool)> {
    let query = tx.query(text).bind(pair.low).bind(pair.high).bind(message).bind(limit).bind(limit + 1);
    let mut ids: Vec<(MessageId,)> = query.fetch_all().await?;
    let more = cut(&mut ids, limit);
    Ok((ids, more))
}

async fn direct_any(tx: &mut Tx, text: &'static str, pair: Pair, message: MessageId) -> Result<bool> {
    let found: i64 = tx.query(text).bind(pair.low).bind(pair.high).bind(message).fetch_value().await?;
    Ok(found > 0)
}

/// In the order of their ids.
async fn by_ids(tx: &mut Tx, ids: &[(MessageId,)]) -> Result<Vec<MessageRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("{} WHERE m.id IN ({}) ORDER BY m.id", select_messages!(""), placeholders(1, ids.len()));
    ids.iter().fold(tx.query(text), |query, (id,)| query.bind(*id)).fetch_all().await
}

/// How far one of a pair has read what they wrote to each other.
pub(super) async fn direct_read(tx: &mut Tx, pair: Pair, reader: ParticipantId) -> Result<Option<MessageId>> {
    tx.query(DIRECT_READ).bind(pair.low).bind(pair.high).bind(reader).fetch_value().await
}
