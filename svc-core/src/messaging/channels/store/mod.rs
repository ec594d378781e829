//! The SQL of channels.

pub(super) mod members;

use svc_model::channels::{Channel, ChannelFilter};

use super::GENERAL;
use super::change::Change;
use super::membership::{self, ChannelRef, MemberRef};
use super::model::ChannelRow;
use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, ParticipantId, UserId};
use crate::messaging::messages::store::{unread_count, unread_mentions};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::messaging::messages::{conversations, store as messages};
use crate::store::db::{Engine, Tx, placeholders};
use crate::timestamp::Timestamp;

/// The columns of [`ChannelRow`] for a viewer, followed by further SQL.
macro_rules! select_channels {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "SELECT c.id, c.name, c.description, c.topic, c.public, o.handle AS owner, c.member_count,
                    c.workflow_enabled, c.auto_approve, c.stalemate_remind_after, c.stalemate_escalate_after,
                    c.publish_threshold, c.approve_threshold, c.archived_at, c.created_at, c.updated_at,
                    me.participant_id IS NOT NULL AS is_member,
                    coalesce(",
            unread_count!("v"),
            ", 0) AS unread,
                    ",
            unread_mentions!("$2"),
            " AS mentions,
                    (SELECT max(m.id) FROM messages m WHERE m.conversation_id = v.id) AS last_message_id,
                    nullif(r.message_id, 0) AS last_read_message_id
               FROM channels c
               JOIN participants o ON o.id = c.owner_id
               JOIN conversations v ON v.channel_id = c.id
               LEFT JOIN channel_members me ON me.channel_id = c.id AND me.participant_id = $2
               LEFT JOIN read_cursors r ON r.participant_id = me.participant_id AND r.conversation_id = v.id
               LEFT JOIN mention_cursors k ON k.participant_id = $2 AND k.channel_id = c.id ",
            $($rest),+
        )
    };
}

macro_rules! listed {
    () => {
        concat!(
            "WHERE (c.archived_at IS NOT NULL) = $5
               AND ($6 = '' OR replace(c.name, $6, '') <> c.name)
               AND (NOT $7 OR EXISTS (SELECT 1 FROM channel_members own
                                       WHERE own.channel_id = c.id AND own.participant_id = $2))
               AND ",
            visible_channel!()
        )
    };
}

const FIND: &str = select_channels!("WHERE c.name = $5 AND ", visible_channel!());
const LIST: &str = select_channels!(listed!(), " AND ($8 = '' OR c.name > $8) ORDER BY c.name LIMIT $9 OFFSET $10");
const COUNT: &str = concat!("SELECT count(*) FROM channels c ", listed!());

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[("channels.find", FIND), ("channel_members.list", members::LIST)];

/// A channel as its viewer sees it, if it is visible.
pub(super) async fn find(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<Option<Channel>> {
    let row: Option<ChannelRow> = viewer.bind(tx.query(FIND)).bind(name).fetch_optional().await?;
    Ok(row.map(Channel::from))
}

/// A channel as its viewer sees it; not found if it is not visible.
pub(super) async fn get(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<Channel> {
    find(tx, viewer, name).await?.ok_or_else(|| Error::not_found("channel"))
}

pub(super) async fn list(tx: &mut Tx, viewer: &Viewer, filter: &ChannelFilter) -> Result<(Vec<Channel>, i64)> {
    let part = filter.q.as_deref().unwrap_or_default().to_ascii_lowercase();
    let after = filter.after.as_deref().unwrap_or_default();
    let query = viewer.bind(tx.query(LIST)).bind(filter.archived).bind(part.as_str()).bind(filter.joined).bind(after);
    let rows: Vec<ChannelRow> = query.bind(filter.page.limit()).bind(filter.page.offset()).fetch_all().await?;
    let total = viewer.bind(tx.query(COUNT)).bind(filter.archived).bind(part).bind(filter.joined).fetch_value().await?;
    Ok((rows.into_iter().map(Channel::from).collect(), total))
}

/// The names among these that belong to visible channels.
pub(super) async fn seen_among(tx: &mut Tx, viewer: &Viewer, names: &[String]) -> Result<Vec<String>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT c.name FROM channels c WHERE {} AND c.name IN ({})",
        visible_channel!(),
        placeholders(5, names.len())
    );
    let query = names.iter().fold(viewer.bind(tx.query(text)), |query, name| query.bind(name.as_str()));
    let found: Vec<(String,)> = query.fetch_all().await?;
    Ok(found.into_iter().map(|(name,)| name).collect())
}

/// A channel row to insert.
pub(super) struct NewRow<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) topic: &'a str,
    pub(super) public: bool,
    pub(super) owner: ParticipantId,
}

/// Inserts a channel and its conversation; `None` if the name is taken.
pub(super) async fn insert(tx: &mut Tx, new: &NewRow<'_>) -> Result<Option<ChannelRef>> {
    let now = tx.now();
    let inserted: Option<(ChannelId,)> = tx
        .query(
            "INSERT INTO channels (name, description, topic, public, owner_id, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $6)
             ON CONFLICT DO NOTHING
             RETURNING id",
        )
        .bind(new.name)
        .bind(new.description)
        .bind(new.topic)
        .bind(new.public)
        .bind(new.owner)
        .bind(now)
        .fetch_optional()
        .await?;
    let Some((id,)) = inserted else { return Ok(None) };
    let conversation = conversations::of_channel(tx, id).await?;
    Ok(Some(ChannelRef { id, conversation, name: new.name.to_owned(), public: new.public }))
}

/// Creates the channel that everybody can read and join.
pub(crate) async fn create_general(tx: &mut Tx, owner: ParticipantId) -> Result<()> {
    let new = NewRow { name: GENERAL, description: "For everybody.", topic: "", public: true, owner };
    let channel_ref = insert(tx, &new).await?.ok_or_else(|| Error::internal("an empty store has this channel"))?;
    let owner = messages::party_by_id(tx, owner).await?;
    membership::add(tx, &channel_ref, &MemberRef::from(&owner)).await?;
    Ok(())
}

pub(super) async fn archive(tx: &mut Tx, id: ChannelId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE channels SET archived_at = $2, updated_at = $2 WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Locks the conversation of a channel, which a send locks until its message is stored.
pub(super) async fn hold(tx: &mut Tx, name: &str) -> Result<()> {
    // SQLite has a single writer, so nothing else can be sending.
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    tx.query(
        "UPDATE conversations SET created_at = created_at
          WHERE channel_id = (SELECT id FROM channels WHERE name = $1)",
    )
    .bind(name)
    .execute()
    .await?;
    Ok(())
}

crate::row! {
    /// A channel with what a post needs to know.
    pub(crate) struct PostingChannel {
        pub(crate) id: ChannelId,
        pub(crate) name: String,
        pub(crate) public: bool,
        pub(crate) archived_at: Option<Timestamp>,
        pub(crate) workflow_enabled: bool,
        pub(crate) auto_approve: bool,
        pub(crate) conversation_id: ConversationId,
        pub(crate) is_member: bool,
    }
}

/// The channel of a name, and whether a participant is a member.
pub(super) async fn posting_channel(
    tx: &mut Tx,
    name: &str,
    participant: ParticipantId,
) -> Result<Option<PostingChannel>> {
    tx.query(
        "SELECT c.id, c.name, c.public, c.archived_at, c.workflow_enabled, c.auto_approve, v.id AS conversation_id,
                EXISTS (SELECT 1 FROM channel_members cm
                         WHERE cm.channel_id = c.id AND cm.participant_id = $2) AS is_member
           FROM channels c
           JOIN conversations v ON v.channel_id = c.id
          WHERE c.name = $1",
    )
    .bind(name)
    .bind(participant)
    .fetch_optional()
    .await
}

crate::row! {
    /// A visible channel, locked for this transaction.
    pub(super) struct LockedChannel {
        pub(super) id: ChannelId,
        pub(super) name: String,
        pub(super) public: bool,
        pub(super) archived_at: Option<Timestamp>,
        pub(super) owner_id: ParticipantId,
        /// The human of the agent that owns the channel.
        pub(super) owner_human: Option<UserId>,
        pub(super) conversation_id: ConversationId,
        pub(super) is_member: bool,
    }
}

const LOCKED_CHANNEL: &str = concat!(
    "SELECT c.id, c.name, c.public, c.archived_at, c.owner_id, a.owner_id AS owner_human, v.id AS conversation_id,
            EXISTS (SELECT 1 FROM channel_members me
                     WHERE me.channel_id = c.id AND me.participant_id = $2) AS is_member
       FROM channels c
       JOIN conversations v ON v.channel_id = c.id
       LEFT JOIN agents a ON a.id = c.owner_id
      WHERE c.name = $5 AND ",
    visible_channel!()
);

/// A channel, if it is visible to the viewer. The caller has locked it with [`hold`].
pub(super) async fn locked(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<Option<LockedChannel>> {
    viewer.bind(tx.query(LOCKED_CHANNEL)).bind(name).fetch_optional().await
}

/// Whether an open channel of this name is visible to the viewer.
pub(super) async fn is_open_and_visible(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<bool> {
    let text =
        concat!("SELECT count(*) FROM channels c WHERE c.name = $5 AND c.archived_at IS NULL AND ", visible_channel!());
    let found: i64 = viewer.bind(tx.query(text)).bind(name).fetch_value().await?;
    Ok(found == 1)
}

/// Changes the fields of a channel that are set.
pub(super) async fn update(tx: &mut Tx, id: ChannelId, change: &Change, owner: Option<ParticipantId>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE channels
            SET description = coalesce($2, description), topic = coalesce($3, topic), public = coalesce($4, public),
                owner_id = coalesce($5, owner_id), workflow_enabled = coalesce($6, workflow_enabled),
                auto_approve = coalesce($7, auto_approve),
                stalemate_remind_after = coalesce($8, stalemate_remind_after),
                stalemate_escalate_after = coalesce($9, stalemate_escalate_after),
                publish_threshold = coalesce($10, publish_threshold),
                approve_threshold = coalesce($11, approve_threshold), updated_at = $12
          WHERE id = $1",
    )
    .bind(id)
    .bind(change.texts.description.as_deref())
    .bind(change.texts.topic.as_deref())
    .bind(change.public)
    .bind(owner)
    .bind(change.workflow_enabled)
    .bind(change.auto_approve)
    .bind(change.remind_after)
    .bind(change.escalate_after)
    .bind(change.publish_threshold)
    .bind(change.approve_threshold)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

crate::row! {
    struct ChannelRefRow {
        id: ChannelId,
        conversation: ConversationId,
        name: String,
        public: bool,
    }
}

impl From<ChannelRefRow> for ChannelRef {
    fn from(row: ChannelRefRow) -> Self {
        Self { id: row.id, conversation: row.conversation, name: row.name, public: row.public }
    }
}

const OWNED: &str = "
    SELECT c.id, v.id AS conversation, c.name, c.public
      FROM channels c
      JOIN conversations v ON v.channel_id = c.id
     WHERE c.owner_id = $1
     ORDER BY c.id";

const JOINED: &str = "
    SELECT c.id, v.id AS conversation, c.name, c.public
      FROM channel_members cm
      JOIN channels c ON c.id = cm.channel_id
      JOIN conversations v ON v.channel_id = c.id
     WHERE cm.participant_id = $1
     ORDER BY c.id";

/// The channels that a participant owns, ordered by id.
pub(super) async fn owned_by(tx: &mut Tx, participant: ParticipantId) -> Result<Vec<ChannelRef>> {
    channel_refs(tx, OWNED, participant).await
}

/// The channels of which a participant is a member, ordered by id.
pub(super) async fn joined_by(tx: &mut Tx, participant: ParticipantId) -> Result<Vec<ChannelRef>> {
    channel_refs(tx, JOINED, participant).await
}

async fn channel_refs(tx: &mut Tx, text: &'static str, participant: ParticipantId) -> Result<Vec<ChannelRef>> {
    let rows: Vec<ChannelRefRow> = tx.query(text).bind(participant).fetch_all().await?;
    Ok(rows.into_iter().map(ChannelRef::from).collect())
}

pub(super) async fn set_owner(tx: &mut Tx, id: ChannelId, owner: ParticipantId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE channels SET owner_id = $2, updated_at = $3 WHERE id = $1")
        .bind(id)
        .bind(owner)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// The oldest active admin, without this participant.
pub(super) async fn oldest_admin(tx: &mut Tx, without: ParticipantId) -> Result<Option<ParticipantId>> {
    let admin: Option<(ParticipantId,)> = tx
        .query(
            "SELECT u.id
               FROM users u
               JOIN participants p ON p.id = u.id
              WHERE u.role = 'admin' AND u.disabled_at IS NULL AND p.deleted_at IS NULL AND u.id <> $1
              ORDER BY u.id
              LIMIT 1",
        )
        .bind(without)
        .fetch_optional()
        .await?;
    Ok(admin.map(|(id,)| id))
}
