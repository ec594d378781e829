//! The SQL of messages. This file reads and inserts them; the others hold one topic each.

pub(super) mod browse;
pub(super) mod changes;
pub(super) mod claims;
pub(crate) mod conversations;
mod counts;
pub(super) mod cursors;
pub(super) mod inbox;
pub(super) mod leases;
pub(super) mod offers;
mod parties;
pub(super) mod receipts;
pub(super) mod retention;
pub(super) mod undelivered;
pub(super) mod work;

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use svc_model::messages::{Message, MessageStatus};
use svc_model::participants::ParticipantKind;
use svc_model::reactions::WorkflowState;

use super::post::{Destination, Post};
use super::viewer::{Viewer, visible_message};
use crate::column::Bind;
use crate::error::{Error, Result};
use crate::ids::{AgentId, ChannelId, ConversationId, MessageId, ParticipantId};
use crate::limits;
use crate::messaging::search::tsvector;
use crate::messaging::{attachments, emoji, reactions};
use crate::page::Page;
use crate::store::db::{Engine, Rows, Tx, placeholders};
use crate::timestamp::Timestamp;

pub(crate) use counts::{in_conversation, newest_letter, unread_count, unread_mentions};
pub(super) use parties::readers_among;
pub(crate) use parties::{known, party, party_by_id};

crate::row! {
    /// A message row, before its files and reactions are added.
    #[derive(Debug)]
    pub(crate) struct MessageRow {
        pub(crate) id: MessageId,
        pub(crate) conversation_id: ConversationId,
        pub(crate) channel: Option<String>,
        pub(crate) channel_id: Option<ChannelId>,
        pub(crate) sender_id: ParticipantId,
        pub(crate) sender: String,
        pub(crate) sender_kind: ParticipantKind,
        pub(crate) recipient_id: Option<ParticipantId>,
        pub(crate) recipient: Option<String>,
        pub(crate) subject: String,
        pub(crate) body: String,
        pub(crate) priority: u32,
        pub(crate) status: MessageStatus,
        pub(crate) metadata: Value,
        pub(crate) reply_to: Option<MessageId>,
        pub(crate) reply_count: u32,
        pub(crate) attachment_count: u32,
        pub(crate) reaction_count: u32,
        pub(crate) emoji_count: u32,
        pub(crate) workflow_state: Option<WorkflowState>,
        pub(crate) escalated_at: Option<Timestamp>,
        pub(crate) claimed_by: Option<String>,
        pub(crate) lease_expires_at: Option<Timestamp>,
        pub(crate) depth: u32,
        pub(crate) traceparent: Option<String>,
        pub(crate) offered_at: Option<Timestamp>,
        pub(crate) version: u32,
        pub(crate) edited_at: Option<Timestamp>,
        pub(crate) edited_since_claim: bool,
        pub(crate) deleted_at: Option<Timestamp>,
        pub(crate) deleted_by: Option<String>,
        pub(crate) created_at: Timestamp,
        pub(crate) updated_at: Timestamp,
    }
}

/// The columns of [`MessageRow`] from `messages m` with its channel `c`, followed by further SQL.
macro_rules! select_messages {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "SELECT m.id, m.conversation_id, c.name AS channel, m.channel_id, m.sender_id, s.handle AS sender,
                    s.kind AS sender_kind, m.recipient_id, r.handle AS recipient, m.subject, m.body, m.priority,
                    m.status, m.metadata, m.reply_to, m.reply_count, m.attachment_count, m.reaction_count, m.emoji_count,
                    CASE WHEN c.workflow_enabled THEN m.workflow_state END AS workflow_state,
                    CASE WHEN c.workflow_enabled THEN m.escalated_at END AS escalated_at,
                    h.handle AS claimed_by, m.lease_expires_at, m.depth, m.traceparent, m.offered_at,
                    m.version, m.edited_at,
                    coalesce(m.status = 'processing' AND m.edited_at > m.claimed_at, FALSE) AS edited_since_claim,
                    m.deleted_at, d.handle AS deleted_by, m.created_at, m.updated_at
               FROM messages m
               JOIN participants s ON s.id = m.sender_id
               LEFT JOIN participants r ON r.id = m.recipient_id
               LEFT JOIN participants h ON h.id = m.claimed_by
               LEFT JOIN participants d ON d.id = m.deleted_by
               LEFT JOIN channels c ON c.id = m.channel_id ",
            $($rest),+
        )
    };
}
pub(crate) use select_messages;

const FIND: &str = select_messages!("WHERE m.id = $5 AND ", visible_message!());

const IS_VISIBLE: &str = concat!(
    "SELECT m.id
       FROM messages m
       LEFT JOIN channels c ON c.id = m.channel_id
      WHERE m.id = $5 AND ",
    visible_message!()
);

/// An agent is nobody's owner. `$only` is for PostgreSQL, which expects an array to be short; it would read the whole
/// table for the rows of a join.
macro_rules! visible_to_agents {
    ($rows:literal, $only:literal) => {
        concat!(
            "WITH asked (agent_id, message_id) AS (VALUES ",
            $rows,
            ")
             SELECT asked.agent_id, asked.message_id
               FROM asked
               JOIN messages m ON m.id = asked.message_id
               LEFT JOIN channels c ON c.id = m.channel_id
              WHERE m.deleted_at IS NULL",
            $only,
            " AND ",
            visible_message!("FALSE", "asked.agent_id", "0", "''")
        )
    };
}

const REPLIES: &str = select_messages!(
    "WHERE m.reply_to = $5 AND m.deleted_at IS NULL AND ",
    visible_message!(),
    " ORDER BY m.id LIMIT $6 OFFSET $7"
);

const COUNT_REPLIES: &str = concat!(
    "SELECT count(*)
       FROM messages m
       LEFT JOIN channels c ON c.id = m.channel_id
      WHERE m.reply_to = $5 AND m.deleted_at IS NULL AND ",
    visible_message!()
);

const THREAD: &str =
    select_messages!("WHERE m.root_id = $5 AND ", visible_message!(), " ORDER BY m.id LIMIT $6 OFFSET $7");

const COUNT_THREAD: &str = concat!(
    "SELECT count(*)
       FROM messages m
       LEFT JOIN channels c ON c.id = m.channel_id
      WHERE m.root_id = $5 AND ",
    visible_message!()
);

const LISTED: &[(&str, &str)] = &[
    ("messages.find", FIND),
    ("messages.is_visible", IS_VISIBLE),
    ("messages.visible_to_agents", visible_to_agents!("($1, $2)", "")),
    ("messages.replies", REPLIES),
    ("messages.count_replies", COUNT_REPLIES),
    ("messages.thread", THREAD),
    ("messages.count_thread", COUNT_THREAD),
];

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [
        LISTED,
        changes::LISTED,
        claims::LISTED,
        conversations::LISTED,
        cursors::LISTED,
        inbox::LISTED,
        leases::LISTED,
        receipts::LISTED,
        retention::LISTED,
        undelivered::LISTED,
        work::LISTED,
    ]
    .concat()
}

macro_rules! insert_message {
    ($more_columns:literal, $more_values:literal) => {
        concat!(
            "INSERT INTO messages
                (conversation_id, position, channel_id, sender_id, recipient_id, sender_owner_id, recipient_owner_id,
                 subject, body, priority, status, metadata, reply_to, root_id, reply_count, depth, mention_of,
                 mention_channel_id, attachment_count, reaction_count, workflow_state, workflow_changed_at, attempts,
                 created_at, updated_at, traceparent",
            $more_columns,
            ")
             VALUES ($1, (SELECT message_count FROM conversations WHERE id = $1), $2, $3, $4, $5, $6, $7,
                     $8, $9, 'pending', $10, $11, $12, 0, $13, $14, $15,
                     $16, 0, $17, $18, 0, $19, $19, $20",
            $more_values,
            ")"
        )
    };
}

const INSERT: &str = insert_message!("", "");
/// PostgreSQL keeps the search words in a column; on SQLite an index follows the messages.
const INSERT_WITH_WORDS: &str = insert_message!(", words", ", CAST($21 AS tsvector)");

/// Inserts the row; the conversation is already locked.
pub(super) async fn insert(tx: &mut Tx, post: &Post<'_>) -> Result<MessageId> {
    let now = tx.now();
    let (channel, to, subject, mention, state) = match &post.destination {
        Destination::Direct { to, subject, mention_of } => (None, Some(to), subject.as_str(), *mention_of, None),
        Destination::Channel { id, state, .. } => (Some(*id), None, "", None, *state),
    };
    let engine = tx.engine();
    let text = if engine == Engine::Postgres { INSERT_WITH_WORDS } else { INSERT };
    let query = tx
        .query(text)
        .bind(post.conversation)
        .bind(channel)
        .bind(post.from.id)
        .bind(to.map(|to| to.id))
        .bind(post.from.owner)
        .bind(to.and_then(|to| to.owner))
        .bind(subject)
        .bind(post.body)
        .bind(post.priority)
        .bind(post.metadata.clone())
        .bind(post.reply.map(|reply| reply.to))
        .bind(post.reply.map(|reply| reply.root))
        .bind(post.depth)
        .bind(mention.map(|(_, message)| message))
        .bind(mention.map(|(channel, _)| channel))
        .bind(i64::try_from(post.attachments.len()).unwrap_or(i64::MAX))
        .bind(state)
        .bind(state.map(|_| now))
        .bind(now)
        .bind(post.traceparent);
    match engine {
        Engine::Sqlite => query.insert("id").await,
        // The direct copy that notifies of a mention is not indexed; its original is.
        Engine::Postgres if mention.is_some() => query.bind("").insert("id").await,
        Engine::Postgres => query.bind(tsvector(subject, post.body)).insert("id").await,
    }
}

/// Counts one more reply, if it is in the conversation of its parent.
pub(super) async fn count_reply(tx: &mut Tx, parent: MessageId, conversation: ConversationId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE messages SET reply_count = reply_count + 1, updated_at = $2 WHERE id = $1 AND conversation_id = $3",
    )
    .bind(parent)
    .bind(now)
    .bind(conversation)
    .execute()
    .await?;
    Ok(())
}

/// A message, if it is visible to the viewer.
pub(crate) async fn find(tx: &mut Tx, viewer: &Viewer, id: MessageId) -> Result<Option<MessageRow>> {
    viewer.bind(tx.query(FIND)).bind(id).fetch_optional().await
}

/// Whether a message exists and is visible to the viewer.
pub(crate) async fn is_visible(tx: &mut Tx, viewer: &Viewer, id: MessageId) -> Result<bool> {
    Ok(viewer.bind(tx.query(IS_VISIBLE)).bind(id).fetch_optional::<(MessageId,)>().await?.is_some())
}

/// The pairs among these whose message exists, is not deleted and is visible to the agent, as with its own key.
pub(crate) async fn visible_to_agents(
    tx: &mut Tx,
    asked: &[(AgentId, MessageId)],
) -> Result<HashSet<(AgentId, MessageId)>> {
    let rows: Rows<2> = asked.iter().map(|(agent, message)| [agent.into_bound(), message.into_bound()]).collect();
    if rows.is_empty() {
        return Ok(HashSet::new());
    }
    let values = rows.placeholders(1);
    let text = match tx.engine() {
        Engine::Sqlite => format!(visible_to_agents!("{values}", ""), values = values),
        Engine::Postgres => format!(
            visible_to_agents!("{values}", " AND m.id = ANY (ARRAY(SELECT asked.message_id FROM asked))"),
            values = values
        ),
    };
    Ok(rows.bind(tx.query(text)).fetch_all().await?.into_iter().collect())
}

/// A message; not found if it is not visible to the viewer.
pub(crate) async fn visible(tx: &mut Tx, viewer: &Viewer, id: MessageId) -> Result<MessageRow> {
    find(tx, viewer, id).await?.ok_or_else(|| Error::not_found("message"))
}

/// The first message of the thread that a message belongs to.
pub(super) async fn root_of(tx: &mut Tx, id: MessageId) -> Result<MessageId> {
    tx.query("SELECT coalesce(root_id, id) FROM messages WHERE id = $1").bind(id).fetch_value().await
}

pub(super) async fn replies(
    tx: &mut Tx,
    viewer: &Viewer,
    parent: MessageId,
    limit: i64,
    offset: i64,
) -> Result<Vec<MessageRow>> {
    viewer.bind(tx.query(REPLIES)).bind(parent).bind(limit).bind(offset).fetch_all().await
}

pub(super) async fn count_replies(tx: &mut Tx, viewer: &Viewer, parent: MessageId) -> Result<i64> {
    viewer.bind(tx.query(COUNT_REPLIES)).bind(parent).fetch_value().await
}

pub(super) async fn thread(tx: &mut Tx, viewer: &Viewer, root: MessageId, page: Page) -> Result<Vec<MessageRow>> {
    viewer.bind(tx.query(THREAD)).bind(root).bind(page.limit()).bind(page.offset()).fetch_all().await
}

pub(super) async fn count_thread(tx: &mut Tx, viewer: &Viewer, root: MessageId) -> Result<i64> {
    viewer.bind(tx.query(COUNT_THREAD)).bind(root).fetch_value().await
}

/// The existing messages of these ids, regardless of visibility, in no order.
pub(crate) async fn by_ids(tx: &mut Tx, ids: &[MessageId]) -> Result<Vec<MessageRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("{}WHERE m.id IN ({})", select_messages!(""), placeholders(1, ids.len()));
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// The ids among these that are visible to the viewer.
pub(super) async fn seen_among(tx: &mut Tx, viewer: &Viewer, ids: &[MessageId]) -> Result<Vec<MessageId>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT m.id FROM messages m LEFT JOIN channels c ON c.id = m.channel_id WHERE {} AND m.id IN ({})",
        visible_message!(),
        placeholders(5, ids.len())
    );
    let found: Vec<(MessageId,)> =
        ids.iter().fold(viewer.bind(tx.query(text)), |query, id| query.bind(*id)).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The ids among these whose messages are addressed to this participant and were never handed out.
pub(super) async fn never_offered(tx: &mut Tx, to: ParticipantId, ids: &[MessageId]) -> Result<Vec<MessageId>> {
    let text = format!(
        "SELECT m.id FROM messages m WHERE m.recipient_id = $1 AND m.offered_at IS NULL AND m.id IN ({})",
        placeholders(2, ids.len())
    );
    let found: Vec<(MessageId,)> =
        ids.iter().fold(tx.query(text).bind(to), |query, id| query.bind(*id)).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Messages with their files and reactions, in the order of the rows.
pub(crate) async fn complete(tx: &mut Tx, rows: Vec<MessageRow>) -> Result<Vec<Message>> {
    let with = |count: fn(&MessageRow) -> u32| -> Vec<MessageId> {
        rows.iter().filter(|row| count(row) > 0).map(|row| row.id).collect()
    };
    let (with_files, with_marks) = (with(|row| row.attachment_count), with(|row| row.reaction_count));
    let mut attached = attachments::of_messages(tx, &with_files).await?;
    let mut reactions = reactions::store::of_messages(tx, &with_marks).await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let (files, marks) = (attached.remove(&row.id), reactions.remove(&row.id));
            Message {
                id: row.id,
                conversation_id: row.conversation_id,
                channel: row.channel,
                channel_id: row.channel_id,
                from: row.sender,
                from_kind: row.sender_kind,
                to: row.recipient,
                subject: row.subject,
                body: row.body,
                priority: row.priority,
                status: row.status,
                metadata: row.metadata,
                reply_to: row.reply_to,
                reply_count: row.reply_count,
                attachments: files.unwrap_or_default(),
                reactions: marks.unwrap_or_default(),
                emoji: Vec::new(),
                workflow_state: row.workflow_state,
                escalated_at: row.escalated_at,
                claimed_by: row.claimed_by,
                lease_expires_at: row.lease_expires_at,
                depth: row.depth,
                traceparent: row.traceparent,
                version: row.version,
                edited_at: row.edited_at,
                edited_since_claim: row.edited_since_claim,
                deleted_at: row.deleted_at,
                deleted_by: row.deleted_by,
                created_at: row.created_at,
                updated_at: row.updated_at,
            }
        })
        .collect())
}

/// Messages for a viewer, with their emoji: replies that are visible in other conversations are counted too. The
/// count in a row covers its own conversation only, because the visibility of the others differs by
/// viewer.
pub(crate) async fn complete_seen(tx: &mut Tx, viewer: &Viewer, rows: Vec<MessageRow>) -> Result<Vec<Message>> {
    let ids: Vec<MessageId> = rows.iter().map(|row| row.id).collect();
    let elsewhere: HashMap<MessageId, u32> = answered_elsewhere(tx, viewer, &ids).await?.into_iter().collect();
    let chosen: Vec<MessageId> =
        rows.iter().filter(|row| row.emoji_count > 0 && row.deleted_at.is_none()).map(|row| row.id).collect();
    let mut emoji = emoji::store::of_messages(tx, viewer.participant(), &chosen).await?;
    let mut messages = complete(tx, rows).await?;
    for message in &mut messages {
        message.emoji = emoji.remove(&message.id).unwrap_or_default();
        let more = elsewhere.get(&message.id).copied().unwrap_or_default();
        message.reply_count = message.reply_count.saturating_add(more);
    }
    Ok(messages)
}

/// The number of visible replies in other conversations, for messages that have some. Only the
/// newest replies are examined, so that no message makes a page slow.
async fn answered_elsewhere(tx: &mut Tx, viewer: &Viewer, ids: &[MessageId]) -> Result<Vec<(MessageId, u32)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT m.reply_to, count(*)
           FROM messages parent
           JOIN messages m ON m.reply_to = parent.id AND m.conversation_id <> parent.conversation_id
           LEFT JOIN channels c ON c.id = m.channel_id
          WHERE {visible} AND parent.id IN ({list}) AND m.deleted_at IS NULL
            AND m.id >= coalesce((SELECT answer.id FROM messages answer WHERE answer.reply_to = parent.id
                                   ORDER BY answer.id DESC LIMIT 1 OFFSET {most}), 0)
          GROUP BY m.reply_to",
        visible = visible_message!(),
        list = placeholders(5, ids.len()),
        most = limits::REPLIES_LOOKED_AT - 1,
    );
    ids.iter().fold(viewer.bind(tx.query(text)), |query, id| query.bind(*id)).fetch_all().await
}

/// A message with its files and reactions.
pub(crate) async fn complete_one(tx: &mut Tx, viewer: &Viewer, row: MessageRow) -> Result<Message> {
    complete_seen(tx, viewer, vec![row]).await?.pop().ok_or_else(|| Error::internal("the message was not loaded"))
}
