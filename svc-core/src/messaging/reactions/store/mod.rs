//! The SQL of reactions.

pub(super) mod stalemate;

use std::collections::HashMap;

use serde_json::Value;
use svc_model::participants::ParticipantKind;
use svc_model::reactions::{Reaction, ReactionKind, WorkflowState};

use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId, UserId};
use crate::messaging::messages::store::{MessageRow, select_messages};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::page::Page;
use crate::store::db::{Engine, Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    struct ReactionRow {
        message_id: MessageId,
        handle: String,
        kind: ParticipantKind,
        reaction: ReactionKind,
        metadata: Value,
        created_at: Timestamp,
    }
}

crate::row! {
    /// A message with the fields of its channel that matter for reactions.
    pub(super) struct Subject {
        pub(super) id: MessageId,
        pub(super) conversation_id: ConversationId,
        pub(super) channel_id: Option<ChannelId>,
        pub(super) channel: Option<String>,
        pub(super) public: Option<bool>,
        pub(super) archived_at: Option<Timestamp>,
        pub(super) channel_owner_id: Option<ParticipantId>,
        /// The human of the agent that owns the channel.
        pub(super) channel_owner_human: Option<UserId>,
        pub(super) workflow_enabled: Option<bool>,
        pub(super) auto_approve: Option<bool>,
        pub(super) publish_threshold: Option<u32>,
        pub(super) approve_threshold: Option<u32>,
        pub(super) sender_id: ParticipantId,
        pub(super) sender: String,
        pub(super) sender_kind: ParticipantKind,
        pub(super) sender_owner_id: Option<UserId>,
        pub(super) recipient_id: Option<ParticipantId>,
        pub(super) recipient_owner_id: Option<UserId>,
        pub(super) metadata: Value,
        pub(super) workflow_state: Option<WorkflowState>,
        pub(super) deleted_at: Option<Timestamp>,
    }
}

impl Subject {
    /// Whether the channel of the message has a workflow.
    pub(super) fn in_workflow(&self) -> bool {
        self.workflow_enabled == Some(true)
    }
}

const SUBJECT: &str = "
    SELECT m.id, m.conversation_id, m.channel_id, c.name AS channel, c.public, c.archived_at,
           c.owner_id AS channel_owner_id, a.owner_id AS channel_owner_human, c.workflow_enabled, c.auto_approve,
           c.publish_threshold, c.approve_threshold, m.sender_id, s.handle AS sender, s.kind AS sender_kind,
           m.sender_owner_id, m.recipient_id, m.recipient_owner_id, m.metadata, m.workflow_state,
           m.deleted_at
      FROM messages m
      JOIN participants s ON s.id = m.sender_id
      LEFT JOIN channels c ON c.id = m.channel_id
      LEFT JOIN agents a ON a.id = c.owner_id
     WHERE m.id = $1";

/// The current message and its channel.
pub(super) async fn subject(tx: &mut Tx, id: MessageId) -> Result<Subject> {
    tx.query(SUBJECT).bind(id).fetch_optional().await?.ok_or_else(|| Error::not_found("message"))
}

/// Locks the message for this transaction; concurrent reactions wait.
pub(super) async fn hold(tx: &mut Tx, id: MessageId) -> Result<()> {
    // SQLite has a single writer, so nobody else can be reacting.
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    tx.query("UPDATE messages SET reaction_count = reaction_count WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

crate::row! {
    /// A reaction without its metadata.
    #[derive(Clone)]
    pub(super) struct Mark {
        pub(super) participant_id: ParticipantId,
        pub(super) handle: String,
        /// The human of an agent.
        pub(super) human: Option<UserId>,
        pub(super) reaction: ReactionKind,
    }
}

const MARKS: &str = "
    SELECT r.participant_id, p.handle, a.owner_id AS human, r.reaction
      FROM reactions r
      JOIN participants p ON p.id = r.participant_id
      LEFT JOIN agents a ON a.id = r.participant_id
     WHERE r.message_id = $1
     ORDER BY r.id";

/// The reactions on a message.
pub(super) async fn marks(tx: &mut Tx, id: MessageId) -> Result<Vec<Mark>> {
    tx.query(MARKS).bind(id).fetch_all().await
}

/// Inserts a reaction. Returns whether it was new.
pub(super) async fn insert(
    tx: &mut Tx,
    id: MessageId,
    by: ParticipantId,
    reaction: ReactionKind,
    metadata: &Value,
) -> Result<bool> {
    let now = tx.now();
    let added = tx
        .query(
            "INSERT INTO reactions (message_id, participant_id, reaction, metadata, created_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING",
        )
        .bind(id)
        .bind(by)
        .bind(reaction)
        .bind(metadata.clone())
        .bind(now)
        .execute()
        .await?;
    Ok(added == 1)
}

pub(super) async fn delete(tx: &mut Tx, id: MessageId, by: ParticipantId, reaction: ReactionKind) -> Result<()> {
    tx.query("DELETE FROM reactions WHERE message_id = $1 AND participant_id = $2 AND reaction = $3")
        .bind(id)
        .bind(by)
        .bind(reaction)
        .execute()
        .await?;
    Ok(())
}

/// Sets the number of reactions on a message.
pub(super) async fn set_count(tx: &mut Tx, id: MessageId, count: usize) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE messages SET reaction_count = $2, updated_at = $3 WHERE id = $1")
        .bind(id)
        .bind(i64::try_from(count).unwrap_or(i64::MAX))
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Sets a new workflow state as of now and resets its reminders.
pub(super) async fn set_state(tx: &mut Tx, id: MessageId, state: WorkflowState) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE messages
            SET workflow_state = $2, workflow_changed_at = $3, reminded_at = NULL, escalated_at = NULL
          WHERE id = $1",
    )
    .bind(id)
    .bind(state)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The visible channels with a workflow; `$6` is a name, or empty for all.
macro_rules! workflow_channels {
    () => {
        concat!(
            "(SELECT c.id FROM channels c WHERE c.workflow_enabled AND ($6 = '' OR c.name = $6) AND ",
            visible_channel!(),
            ")"
        )
    };
}

// The page is selected from the index alone; only its rows are read.
const BY_STATE: &str = select_messages!(
    "WHERE m.id IN (SELECT w.id FROM messages w WHERE w.workflow_state = $5 AND w.channel_id IN ",
    workflow_channels!(),
    " AND w.id < $7 ORDER BY w.id DESC LIMIT $8 OFFSET $9) ORDER BY m.id DESC"
);

const COUNT_BY_STATE: &str =
    concat!("SELECT count(*) FROM messages w WHERE w.workflow_state = $5 AND w.channel_id IN ", workflow_channels!());

pub(super) async fn by_state(
    tx: &mut Tx,
    viewer: &Viewer,
    state: WorkflowState,
    channel: Option<&str>,
    (before, page): (Option<MessageId>, Page),
) -> Result<Vec<MessageRow>> {
    let query = viewer.bind(tx.query(BY_STATE)).bind(state).bind(channel.unwrap_or_default());
    let before = before.unwrap_or(MessageId(i64::MAX));
    query.bind(before).bind(page.limit()).bind(page.offset()).fetch_all().await
}

pub(super) async fn count_by_state(
    tx: &mut Tx,
    viewer: &Viewer,
    state: WorkflowState,
    channel: Option<&str>,
) -> Result<i64> {
    viewer.bind(tx.query(COUNT_BY_STATE)).bind(state).bind(channel.unwrap_or_default()).fetch_value().await
}

/// Whether a channel of this name is visible to the viewer.
pub(super) async fn sees_channel(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<bool> {
    let text = concat!("SELECT count(*) FROM channels c WHERE c.name = $5 AND ", visible_channel!());
    let found: i64 = viewer.bind(tx.query(text)).bind(name).fetch_value().await?;
    Ok(found == 1)
}

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("reactions.subject", SUBJECT),
    ("reactions.marks", MARKS),
    ("reactions.by_state", BY_STATE),
    ("reactions.count_by_state", COUNT_BY_STATE),
    ("reactions.reminders", stalemate::DUE_REMINDERS),
    ("reactions.escalations", stalemate::DUE_ESCALATIONS),
];

/// The reactions on each of these messages, oldest first.
pub(crate) async fn of_messages(tx: &mut Tx, ids: &[MessageId]) -> Result<HashMap<MessageId, Vec<Reaction>>> {
    let mut found: HashMap<MessageId, Vec<Reaction>> = HashMap::with_capacity(ids.len());
    if ids.is_empty() {
        return Ok(found);
    }
    let text = format!(
        "SELECT r.message_id, p.handle, p.kind, r.reaction, r.metadata, r.created_at
           FROM reactions r
           JOIN participants p ON p.id = r.participant_id
          WHERE r.message_id IN ({})
          ORDER BY r.id",
        placeholders(1, ids.len())
    );
    let rows: Vec<ReactionRow> = ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await?;
    for row in rows {
        found.entry(row.message_id).or_default().push(reaction(row));
    }
    Ok(found)
}

/// The reactions on one message, oldest first.
pub(super) async fn of_message(tx: &mut Tx, id: MessageId) -> Result<Vec<Reaction>> {
    Ok(of_messages(tx, &[id]).await?.remove(&id).unwrap_or_default())
}

fn reaction(row: ReactionRow) -> Reaction {
    let ReactionRow { message_id: _, handle, kind, reaction, metadata, created_at } = row;
    Reaction { by: handle, by_kind: kind, reaction, metadata, created_at }
}
