//! The SQL of timelines.

pub(super) mod conversations;

use svc_model::conversations::Window;

use crate::error::Result;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::messaging::messages::store::{MessageRow, in_conversation, select_messages};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::store::db::{Tx, placeholders};

/// SQL condition: a timeline shows the message. A notification of a person is not shown. Of a deleted message its row is
/// shown, and none of its copies that notified of a mention.
macro_rules! shown {
    ($message:literal) => {
        concat!(
            in_conversation!($message),
            " AND (",
            $message,
            ".deleted_at IS NULL OR ",
            $message,
            ".mention_of IS NULL)"
        )
    };
}

const BEFORE: &str =
    select_messages!("WHERE m.conversation_id = $1 AND m.id < $2 AND ", shown!("m"), " ORDER BY m.id DESC LIMIT $3");
const AFTER: &str =
    select_messages!("WHERE m.conversation_id = $1 AND m.id > $2 AND ", shown!("m"), " ORDER BY m.id LIMIT $3");

const ANY_BEFORE: &str = concat!(
    "
    SELECT count(*)
      FROM (SELECT m.id FROM messages m WHERE m.conversation_id = $1 AND m.id <= $2 AND ",
    in_conversation!("m"),
    " ORDER BY m.id DESC LIMIT 1) found"
);

const ANY_AFTER: &str = concat!(
    "
    SELECT count(*)
      FROM (SELECT m.id FROM messages m WHERE m.conversation_id = $1 AND m.id >= $2 AND ",
    in_conversation!("m"),
    " ORDER BY m.id LIMIT 1) found"
);

const CHANNEL: &str = concat!(
    "SELECT v.id AS conversation_id, r.message_id AS read_id, r.offered_id
       FROM channels c
       JOIN conversations v ON v.channel_id = c.id
       LEFT JOIN read_cursors r ON r.participant_id = $2 AND r.conversation_id = v.id
      WHERE c.name = $5 AND ",
    visible_channel!()
);

/// Message ids before a message, over all subjects of two participants. Reads at most one page of
/// each conversation.
const DIRECT_OLDER: &str = concat!(
    "
    SELECT m.id
      FROM conversations w
      JOIN messages m ON m.conversation_id = w.id
     WHERE w.low_id = $1 AND w.high_id = $2 AND m.id < $3
       AND m.id >= coalesce((SELECT f.id
                               FROM messages f
                              WHERE f.conversation_id = w.id AND f.id < $3 AND f.recipient_id IS NOT NULL AND ",
    shown!("f"),
    "
                              ORDER BY f.id DESC
                              LIMIT 1 OFFSET $4), 0)
       AND m.recipient_id IS NOT NULL AND ",
    shown!("m"),
    "
     ORDER BY m.id DESC
     LIMIT $5"
);

/// Message ids after a message, over all subjects of two participants. See [`DIRECT_OLDER`].
const DIRECT_NEWER: &str = concat!(
    "
    SELECT m.id
      FROM conversations w
      JOIN messages m ON m.conversation_id = w.id
     WHERE w.low_id = $1 AND w.high_id = $2 AND m.id > $3
       AND m.id <= coalesce((SELECT f.id
                               FROM messages f
                              WHERE f.conversation_id = w.id AND f.id > $3 AND f.recipient_id IS NOT NULL AND ",
    shown!("f"),
    "
                              ORDER BY f.id
                              LIMIT 1 OFFSET $4), 9223372036854775807)
       AND m.recipient_id IS NOT NULL AND ",
    shown!("m"),
    "
     ORDER BY m.id
     LIMIT $5"
);

const DIRECT_READ: &str = "
    SELECT max(r.message_id)
      FROM conversations w
      JOIN read_cursors r ON r.conversation_id = w.id
     WHERE w.low_id = $1 AND w.high_id = $2 AND r.participant_id = $3";

const DIRECT_ANY_BEFORE: &str = concat!(
    "
    SELECT count(*)
      FROM conversations w
     WHERE w.low_id = $1 AND w.high_id = $2
       AND EXISTS (SELECT 1 FROM messages m
                    WHERE m.conversation_id = w.id AND m.id <= $3 AND m.recipient_id IS NOT NULL AND ",
    in_conversation!("m"),
    ")"
);

const DIRECT_ANY_AFTER: &str = concat!(
    "
    SELECT count(*)
      FROM conversations w
     WHERE w.low_id = $1 AND w.high_id = $2
       AND EXISTS (SELECT 1 FROM messages m
                    WHERE m.conversation_id = w.id AND m.id >= $3 AND m.recipient_id IS NOT NULL AND ",
    in_conversation!("m"),
    ")"
);

/// SQL statements over growing tables, by name, for the query-plan test.
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
    /// A channel with the read state of its viewer.
    #[expect(clippy::struct_field_names, reason = "the fields are named after the columns")]
    pub(super) struct ReadState {
        pub(super) conversation_id: ConversationId,
        pub(super) read_id: Option<MessageId>,
        /// The newest message that was handed out to a member; none for other viewers.
        pub(super) offered_id: Option<MessageId>,
    }
}

pub(super) async fn channel(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<Option<ReadState>> {
    viewer.bind(tx.query(CHANNEL)).bind(name).fetch_optional().await
}

/// A page of a conversation, oldest first.
pub(super) struct TimelineSlice {
    pub(super) rows: Vec<MessageRow>,
    pub(super) more_before: bool,
    pub(super) more_after: bool,
}

pub(super) async fn slice(tx: &mut Tx, id: ConversationId, window: Window, limit: u32) -> Result<TimelineSlice> {
    match window {
        Window::Before(message) => {
            let (rows, more_before) = older(tx, id, message, limit).await?;
            let more_after = window != Window::NEWEST && any(tx, ANY_AFTER, id, message).await?;
            Ok(TimelineSlice { rows, more_before, more_after })
        }
        Window::After(message) => {
            let (rows, more_after) = newer(tx, id, message, limit).await?;
            Ok(TimelineSlice { rows, more_before: any(tx, ANY_BEFORE, id, message).await?, more_after })
        }
        Window::Around(message) => {
            let (after, more_after) = newer(tx, id, message, limit / 2).await?;
            let left = limit - u32::try_from(after.len()).unwrap_or(limit);
            let (mut rows, more_before) = older(tx, id, MessageId(message.0.saturating_add(1)), left).await?;
            rows.extend(after);
            Ok(TimelineSlice { rows, more_before, more_after })
        }
    }
}

/// The messages before a message, oldest first, and whether there are more.
async fn older(tx: &mut Tx, id: ConversationId, before: MessageId, limit: u32) -> Result<(Vec<MessageRow>, bool)> {
    let mut rows: Vec<MessageRow> = tx.query(BEFORE).bind(id).bind(before).bind(limit + 1).fetch_all().await?;
    let more = cut(&mut rows, limit);
    rows.reverse();
    Ok((rows, more))
}

/// The messages after a message, oldest first, and whether there are more.
async fn newer(tx: &mut Tx, id: ConversationId, after: MessageId, limit: u32) -> Result<(Vec<MessageRow>, bool)> {
    let mut rows: Vec<MessageRow> = tx.query(AFTER).bind(id).bind(after).bind(limit + 1).fetch_all().await?;
    let more = cut(&mut rows, limit);
    Ok((rows, more))
}

/// Removes the extra row that was fetched to detect a further page. Returns whether there was one.
fn cut<T>(rows: &mut Vec<T>, limit: u32) -> bool {
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    more
}

async fn any(tx: &mut Tx, text: &'static str, id: ConversationId, message: MessageId) -> Result<bool> {
    let found: i64 = tx.query(text).bind(id).bind(message).fetch_value().await?;
    Ok(found > 0)
}

/// Two participants, ordered by id.
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

/// A page of the messages between two participants, about all subjects.
pub(super) async fn direct(tx: &mut Tx, pair: Pair, window: Window, limit: u32) -> Result<TimelineSlice> {
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
    Ok(TimelineSlice { rows: by_ids(tx, &ids).await?, more_before, more_after })
}

/// The ids nearest to a message, and whether there are more.
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

/// The messages of these ids, ordered by id.
async fn by_ids(tx: &mut Tx, ids: &[(MessageId,)]) -> Result<Vec<MessageRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("{} WHERE m.id IN ({}) ORDER BY m.id", select_messages!(""), placeholders(1, ids.len()));
    ids.iter().fold(tx.query(text), |query, (id,)| query.bind(*id)).fetch_all().await
}

/// The last message between two participants that the reader has read.
pub(super) async fn direct_read(tx: &mut Tx, pair: Pair, reader: ParticipantId) -> Result<Option<MessageId>> {
    tx.query(DIRECT_READ).bind(pair.low).bind(pair.high).bind(reader).fetch_value().await
}

crate::row! {
    /// The other participant of a direct conversation, deleted ones included: their messages
    /// remain.
    pub(crate) struct PartnerRow {
        pub(crate) id: ParticipantId,
        pub(crate) handle: String,
    }
}

/// The participant with this lowercase handle.
pub(super) async fn partner(tx: &mut Tx, handle_key: &str) -> Result<Option<PartnerRow>> {
    tx.query("SELECT id, handle FROM participants WHERE handle_key = $1").bind(handle_key).fetch_optional().await
}
