//! The conversations of the caller by their latest message, and one conversation with its messages.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::{
    Conversation, ConversationKind, ConversationPage, ConversationView, LastMessage, Timeline, Window,
};

use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, MessageId};
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::store::complete_seen;
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::messaging::messages::{Messages, preview};
use crate::page::{Page, checked_limit};
use crate::store::db::{Query, Tx, placeholders};
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
                    coalesce(t.message_count - r.position - r.own_after, 0) AS unread, r.message_id AS read_id,
                    r.offered_id, (SELECT max(m.id) FROM messages m WHERE m.conversation_id = t.id) AS newest_id
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
/// a member. Of their agents' conversations, only the direct ones.
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
                AND CASE WHEN v.channel_id IS NULL THEN $4 = '' ELSE ",
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
    struct ConversationRow {
        id: ConversationId,
        channel: Option<String>,
        participant: Option<String>,
        other: Option<String>,
        subject: String,
        message_count: i64,
        unread: i64,
        read_id: Option<MessageId>,
        offered_id: Option<MessageId>,
        newest_id: Option<MessageId>,
    }
}

#[boxed_futures]
impl Messages {
    /// The conversations of the caller, for a human also those of their agents, latest first.
    pub async fn conversations(&self, caller: &Caller, page: Page) -> Result<ConversationPage> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), page), |tx, (viewer, page)| {
                Box::pin(async move {
                    let list = viewer.bind(tx.query(LIST)).bind(page.limit()).bind(page.offset());
                    let conversations = show(list.fetch_all().await?, tx).await?;
                    Ok(ConversationPage { conversations, total: viewer.bind(tx.query(COUNT)).fetch_value().await? })
                })
            })
            .await
    }

    /// A conversation visible to the caller, with its newest messages, or those before one of them.
    pub async fn conversation(
        &self,
        caller: &Caller,
        id: ConversationId,
        before: Option<MessageId>,
        limit: Option<i64>,
    ) -> Result<ConversationView> {
        caller.require(Permission::Read)?;
        let limit = checked_limit(limit)?;
        let window = before.map_or(Window::NEWEST, Window::Before);
        let input = (caller.clone(), id, window, limit);
        let (view, read_state, offer) = self
            .db
            .read(input, |tx, (caller, id, window, limit)| Box::pin(view(tx, caller, *id, *window, *limit)))
            .await?;
        match view.conversation.kind {
            ConversationKind::Channel => {
                let newest = view.timeline.messages.last().map(|newest| newest.id);
                self.offer_channel(caller, &read_state, newest).await?;
            }
            ConversationKind::Dm => offer.store(&self.db).await?,
        }
        Ok(view)
    }
}

async fn view(
    tx: &mut Tx,
    caller: &Caller,
    id: ConversationId,
    window: Window,
    limit: u32,
) -> Result<(ConversationView, store::ReadState, Offer)> {
    let viewer = Viewer::of(caller);
    let find: Query<'_> = viewer.bind(tx.query(FIND)).bind(id);
    let row: Option<ConversationRow> = find.fetch_optional().await?;
    let missing = || Error::not_found("conversation");
    let row = row.ok_or_else(missing)?;
    let read_state = store::ReadState { conversation_id: id, read_id: row.read_id, offered_id: row.offered_id };
    let conversation = show(vec![row], tx).await?.pop().ok_or_else(missing)?;
    let slice = store::slice(tx, id, window, limit).await?;
    let offer = Offer::of(caller, &slice.rows);
    let timeline = Timeline {
        messages: complete_seen(tx, &viewer, slice.rows).await?,
        last_read_message_id: read_state.read_id.filter(|id| *id > MessageId(0)),
        has_more_before: slice.more_before,
        has_more_after: slice.more_after,
    };
    Ok((ConversationView { conversation, timeline }, read_state, offer))
}

crate::row! {
    struct Newest {
        id: MessageId,
        sender: String,
        beginning: String,
        created_at: Timestamp,
    }
}

/// Conversations with their newest messages, in the order of the rows.
async fn show(rows: Vec<ConversationRow>, tx: &mut Tx) -> Result<Vec<Conversation>> {
    let ids: Vec<_> = rows.iter().filter_map(|row| row.newest_id).collect();
    let newest = newest(tx, &ids).await?;
    let conversation = |row: ConversationRow| Conversation {
        id: row.id,
        kind: if row.channel.is_some() { ConversationKind::Channel } else { ConversationKind::Dm },
        channel: row.channel,
        participant: row.participant,
        with: row.other,
        subject: row.subject,
        last_message: newest.iter().find(|newest| Some(newest.id) == row.newest_id).map(|newest| LastMessage {
            id: newest.id,
            from: newest.sender.clone(),
            preview: preview(&newest.beginning),
            created_at: newest.created_at,
        }),
        message_count: row.message_count,
        unread: row.unread,
    };
    Ok(rows.into_iter().map(conversation).collect())
}

async fn newest(tx: &mut Tx, ids: &[MessageId]) -> Result<Vec<Newest>> {
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
