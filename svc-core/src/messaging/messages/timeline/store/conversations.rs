//! The SQL of conversations as they are listed.

use crate::error::Result;
use crate::ids::{ConversationId, MessageId};
use crate::messaging::messages::store::{newest_letter, unread_count};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::page::Page;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

/// The columns of a conversation and the participant whose side is shown: the caller comes before
/// their agents.
macro_rules! sided {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "SELECT v.id, v.channel_id, v.low_id, v.high_id, v.subject, v.message_count, v.last_message_at,
                    CASE WHEN v.channel_id IS NOT NULL OR v.low_id = $2 OR v.high_id = $2 THEN $2
                         WHEN la.owner_id = $3 THEN v.low_id
                         ELSE v.high_id END AS side_id
               FROM conversations v
               LEFT JOIN agents la ON la.id = v.low_id ",
            $($rest),+
        )
    };
}

/// The displayed columns of these conversations, latest first.
macro_rules! shown {
    ($inner:expr) => {
        concat!(
            "SELECT t.id, c.name AS channel, s.handle AS participant, o.handle AS other, t.subject, t.message_count,
                    coalesce(",
            unread_count!("t"),
            ", 0) AS unread, r.message_id AS read_id, r.offered_id,
                    CASE WHEN t.channel_id IS NULL THEN ",
            newest_letter!("t"),
            " ELSE (SELECT max(m.id) FROM messages m WHERE m.conversation_id = t.id) END AS newest_id
               FROM (",
            $inner,
            ") t
               LEFT JOIN channels c ON c.id = t.channel_id
               LEFT JOIN participants s ON s.id = t.side_id AND t.channel_id IS NULL
               LEFT JOIN participants o ON o.id = CASE WHEN t.low_id = t.side_id THEN t.high_id ELSE t.low_id END
               LEFT JOIN read_cursors r ON r.participant_id = t.side_id AND r.conversation_id = t.id
              ORDER BY t.last_message_at DESC, newest_id DESC"
        )
    };
}

/// Conversations in which the caller has a read cursor: direct ones and channels of which they are
/// a member. Of their agents' conversations, only the direct ones. Direct ones that hold nothing but notifications of
/// mentions are left out.
macro_rules! mine {
    () => {
        concat!(
            "LEFT JOIN channels c ON c.id = v.channel_id
              WHERE v.id IN (SELECT r.conversation_id FROM read_cursors r WHERE r.participant_id = $2
                             UNION
                             SELECT r.conversation_id
                               FROM agents a
                               JOIN read_cursors r ON r.participant_id = a.id
                               JOIN conversations w ON w.id = r.conversation_id
                              WHERE a.owner_id = $3 AND w.low_id IS NOT NULL)
                AND CASE WHEN v.channel_id IS NULL THEN $4 = '' AND ",
            newest_letter!("v"),
            " IS NOT NULL ELSE ",
            visible_channel!(),
            " END"
        )
    };
}

pub(super) const LIST: &str = shown!(sided!(mine!(), " ORDER BY v.last_message_at DESC, v.id DESC LIMIT $5 OFFSET $6"));

pub(super) const COUNT: &str = concat!("SELECT count(*) FROM conversations v ", mine!());

pub(super) const FIND: &str = shown!(sided!(
    "LEFT JOIN agents ha ON ha.id = v.high_id
     LEFT JOIN channels c ON c.id = v.channel_id
     WHERE v.id = $5
       AND ($1 OR CASE WHEN v.channel_id IS NULL
                       THEN $4 = '' AND (v.low_id = $2 OR v.high_id = $2 OR la.owner_id = $3 OR ha.owner_id = $3)
                       ELSE ",
    visible_channel!(),
    " END)"
));

crate::row! {
    pub(in crate::messaging::messages::timeline) struct ConversationRow {
        pub(in crate::messaging::messages::timeline) id: ConversationId,
        pub(in crate::messaging::messages::timeline) channel: Option<String>,
        pub(in crate::messaging::messages::timeline) participant: Option<String>,
        pub(in crate::messaging::messages::timeline) other: Option<String>,
        pub(in crate::messaging::messages::timeline) subject: String,
        pub(in crate::messaging::messages::timeline) message_count: i64,
        pub(in crate::messaging::messages::timeline) unread: i64,
        pub(in crate::messaging::messages::timeline) read_id: Option<MessageId>,
        pub(in crate::messaging::messages::timeline) offered_id: Option<MessageId>,
        pub(in crate::messaging::messages::timeline) newest_id: Option<MessageId>,
    }
}

/// The conversations of a viewer, latest first.
pub(in crate::messaging::messages::timeline) async fn list(
    tx: &mut Tx,
    viewer: &Viewer,
    page: Page,
) -> Result<Vec<ConversationRow>> {
    viewer.bind(tx.query(LIST)).bind(page.limit()).bind(page.offset()).fetch_all().await
}

pub(in crate::messaging::messages::timeline) async fn count(tx: &mut Tx, viewer: &Viewer) -> Result<i64> {
    viewer.bind(tx.query(COUNT)).fetch_value().await
}

/// A conversation, if it is visible to the viewer.
pub(in crate::messaging::messages::timeline) async fn find(
    tx: &mut Tx,
    viewer: &Viewer,
    id: ConversationId,
) -> Result<Option<ConversationRow>> {
    viewer.bind(tx.query(FIND)).bind(id).fetch_optional().await
}

crate::row! {
    pub(in crate::messaging::messages::timeline) struct Newest {
        pub(in crate::messaging::messages::timeline) id: MessageId,
        pub(in crate::messaging::messages::timeline) sender: String,
        pub(in crate::messaging::messages::timeline) beginning: String,
        pub(in crate::messaging::messages::timeline) created_at: Timestamp,
    }
}

/// The newest messages of conversations, by their ids, in no order.
pub(in crate::messaging::messages::timeline) async fn newest(tx: &mut Tx, ids: &[MessageId]) -> Result<Vec<Newest>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT m.id, s.handle AS sender, substr(m.body, 1, 2000) AS beginning, m.created_at
           FROM messages m
           JOIN participants s ON s.id = m.sender_id
          WHERE m.id IN ({})",
        placeholders(1, ids.len())
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}
