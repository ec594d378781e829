//! The SQL of scheduled messages.

use serde_json::{Value, json};
use svc_model::messages::NewMessage;
use svc_model::participants::ParticipantKind;
use svc_model::scheduled::{NewScheduledMessage, ScheduledFilter, ScheduledMessage, ScheduledStatus};
use svc_model::users::Role;

use crate::error::{Error, Result};
use crate::identity::auth::Credential;
use crate::ids::{ApiKeyId, GrantId, MessageId, ParticipantId, ScheduledMessageId, UserId};
use crate::limits;
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// A scheduled message.
    #[derive(Debug)]
    pub(super) struct ScheduledRow {
        pub(super) id: ScheduledMessageId,
        pub(super) author_id: ParticipantId,
        pub(super) author: String,
        pub(super) author_kind: ParticipantKind,
        pub(super) owner_id: UserId,
        pub(super) recipient: Option<String>,
        pub(super) channel: Option<String>,
        pub(super) subject: String,
        pub(super) body: String,
        pub(super) priority: u32,
        pub(super) metadata: Value,
        pub(super) reply_to: Option<MessageId>,
        pub(super) depth: u32,
        pub(super) send_at: Timestamp,
        pub(super) status: ScheduledStatus,
        pub(super) message_id: Option<MessageId>,
        pub(super) error_code: Option<String>,
        pub(super) error: Option<String>,
        pub(super) created_at: Timestamp,
        pub(super) updated_at: Timestamp,
    }
}

crate::row! {
    /// The author of a scheduled message.
    pub(super) struct AuthorRow {
        pub(super) author_id: ParticipantId,
        pub(super) handle: String,
        /// The owner of an agent.
        pub(super) agent_owner: Option<UserId>,
        pub(super) owner_id: UserId,
        pub(super) owner_name: String,
        pub(super) role: Role,
        pub(super) depth: u32,
        /// Whether the account or the agent has ended.
        pub(super) ended: bool,
        /// Whether the key or the grant has ended.
        pub(super) credential_ended: bool,
    }
}

/// Whose scheduled messages are read: those of an owner with all agents, or of one author.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader {
    pub(super) owner: UserId,
    pub(super) author: Option<ParticipantId>,
}

/// A row to insert.
pub(super) struct NewRow<'a> {
    pub(super) author: ParticipantId,
    pub(super) owner: UserId,
    pub(super) credential: &'a Credential,
    pub(super) recipient: Option<&'a str>,
    pub(super) channel: Option<&'a str>,
    pub(super) depth: u32,
    pub(super) new: &'a NewScheduledMessage,
}

/// A change of a scheduled message.
pub(super) struct Change<'a> {
    pub(super) body: &'a str,
    pub(super) send_at: Timestamp,
    pub(super) credential: &'a Credential,
    pub(super) depth: u32,
    /// Whether it waits afterwards.
    pub(super) waits: bool,
}

/// The key or the grant without which a message is not sent.
fn ends_with(credential: &Credential) -> (Option<ApiKeyId>, Option<GrantId>) {
    match credential {
        Credential::ManagedKey(limits) => (Some(limits.id), None),
        Credential::OAuth { grant, .. } => (None, Some(*grant)),
        Credential::Process | Credential::Session(_) | Credential::AgentKey(_) | Credential::Run(_) => (None, None),
    }
}

macro_rules! select_scheduled {
    ($rest:literal) => {
        concat!(
            "SELECT s.id, s.author_id, p.handle AS author, p.kind AS author_kind, s.owner_id, s.recipient, s.channel,
                    s.subject, s.body, s.priority, s.metadata, s.reply_to, s.depth, s.send_at, s.status, s.message_id,
                    s.error_code, s.error, s.created_at, s.updated_at
               FROM scheduled_messages s
               JOIN participants p ON p.id = s.author_id ",
            $rest
        )
    };
}

const BY_ID: &str = select_scheduled!("WHERE s.id = $1");
// The author is 0 for all of an owner.
const FIND: &str = select_scheduled!("WHERE s.id = $1 AND s.owner_id = $2 AND ($3 = 0 OR s.author_id = $3)");
const LIST: &str = select_scheduled!(
    "WHERE s.owner_id = $1 AND ($2 = 0 OR s.author_id = $2) AND ($3 = '' OR s.status = $3) AND s.id < $4
     ORDER BY s.id DESC
     LIMIT $5"
);
const COUNT_WAITING: &str = "SELECT count(*) FROM scheduled_messages WHERE owner_id = $1 AND status = 'waiting'";
const DUE: &str =
    "SELECT id FROM scheduled_messages WHERE status = 'waiting' AND send_at <= $1 ORDER BY send_at LIMIT $2";
const OLD: &str = "
    SELECT id FROM scheduled_messages WHERE status <> 'waiting' AND updated_at <= $1 ORDER BY updated_at LIMIT $2";
const AUTHOR: &str = "
    SELECT s.author_id, p.handle, a.owner_id AS agent_owner, s.owner_id, o.handle AS owner_name, u.role, s.depth,
           (u.disabled_at IS NOT NULL OR o.deleted_at IS NOT NULL OR p.deleted_at IS NOT NULL) AS ended,
           ((s.api_key_id IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM api_keys k
                              WHERE k.id = s.api_key_id AND k.revoked_at IS NULL
                                AND (k.expires_at IS NULL OR k.expires_at > $2)))
            OR (s.grant_id IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM oauth_grants g
                                 WHERE g.id = s.grant_id AND g.revoked_at IS NULL AND g.expires_at > $2)))
             AS credential_ended
      FROM scheduled_messages s
      JOIN participants p ON p.id = s.author_id
      JOIN participants o ON o.id = s.owner_id
      JOIN users u ON u.id = s.owner_id
      LEFT JOIN agents a ON a.id = s.author_id
     WHERE s.id = $1";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("scheduled.by_id", BY_ID),
    ("scheduled.find", FIND),
    ("scheduled.list", LIST),
    ("scheduled.count_waiting", COUNT_WAITING),
    ("scheduled.due", DUE),
    ("scheduled.old", OLD),
    ("scheduled.author", AUTHOR),
];

impl ScheduledRow {
    /// The message as it is sent.
    pub(super) fn message(&self) -> NewMessage {
        NewMessage {
            to: self.recipient.clone(),
            channel: self.channel.clone(),
            body: self.body.clone(),
            subject: Some(self.subject.clone()).filter(|subject| !subject.is_empty()),
            priority: Some(self.priority),
            reply_to: self.reply_to,
            metadata: Some(self.metadata.clone()),
            ..NewMessage::default()
        }
    }
}

impl From<ScheduledRow> for ScheduledMessage {
    fn from(row: ScheduledRow) -> Self {
        Self {
            id: row.id,
            from: row.author,
            from_kind: row.author_kind,
            to: row.recipient,
            channel: row.channel,
            subject: row.subject,
            body: row.body,
            priority: row.priority,
            metadata: row.metadata,
            reply_to: row.reply_to,
            send_at: row.send_at,
            status: row.status,
            message_id: row.message_id,
            error_code: row.error_code,
            error: row.error,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl Reader {
    /// The author as a number of statements; 0 for all.
    fn author(self) -> ParticipantId {
        self.author.unwrap_or(ParticipantId(0))
    }
}

/// A scheduled message of a reader; otherwise not found.
pub(super) async fn find(tx: &mut Tx, reader: Reader, id: ScheduledMessageId) -> Result<ScheduledRow> {
    let found = tx.query(FIND).bind(id).bind(reader.owner).bind(reader.author()).fetch_optional();
    found.await?.ok_or_else(|| Error::not_found("scheduled message"))
}

pub(super) async fn by_id(tx: &mut Tx, id: ScheduledMessageId) -> Result<Option<ScheduledRow>> {
    tx.query(BY_ID).bind(id).fetch_optional().await
}

/// Up to `limit` scheduled messages, the one that was scheduled last first.
pub(super) async fn list(
    tx: &mut Tx,
    reader: Reader,
    filter: &ScheduledFilter,
    limit: u32,
) -> Result<Vec<ScheduledRow>> {
    let status = filter.status.map_or("", ScheduledStatus::as_str);
    let before = filter.before.unwrap_or(ScheduledMessageId(i64::MAX));
    let query = tx.query(LIST).bind(reader.owner).bind(reader.author()).bind(status);
    query.bind(before).bind(limit).fetch_all().await
}

pub(super) async fn count_waiting(tx: &mut Tx, owner: UserId) -> Result<i64> {
    tx.query(COUNT_WAITING).bind(owner).fetch_value().await
}

/// The author of a scheduled message, and whether they may still send.
pub(super) async fn author(tx: &mut Tx, id: ScheduledMessageId) -> Result<Option<AuthorRow>> {
    let now = tx.now();
    tx.query(AUTHOR).bind(id).bind(now).fetch_optional().await
}

/// Messages whose time has come, the earliest first.
pub(super) async fn due(tx: &mut Tx, batch: u32) -> Result<Vec<ScheduledMessageId>> {
    let now = tx.now();
    let found: Vec<(ScheduledMessageId,)> = tx.query(DUE).bind(now).bind(batch).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Locks a scheduled message for this transaction.
pub(super) async fn hold(tx: &mut Tx, id: ScheduledMessageId) -> Result<()> {
    // SQLite has a single writer.
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    tx.query("UPDATE scheduled_messages SET status = status WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

pub(super) async fn insert(tx: &mut Tx, row: &NewRow<'_>) -> Result<ScheduledMessageId> {
    let now = tx.now();
    let NewScheduledMessage { body, subject, priority, metadata, reply_to, send_at, .. } = row.new;
    let (key, grant) = ends_with(row.credential);
    tx.query(
        "INSERT INTO scheduled_messages
            (author_id, owner_id, api_key_id, grant_id, recipient, channel, subject, body, priority, metadata, reply_to,
             depth, send_at, status, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'waiting', $14, $14)",
    )
    .bind(row.author)
    .bind(row.owner)
    .bind(key)
    .bind(grant)
    .bind(row.recipient.map(ToOwned::to_owned))
    .bind(row.channel.map(ToOwned::to_owned))
    .bind(subject.as_deref().unwrap_or_default().trim())
    .bind(body.as_str())
    .bind(priority.unwrap_or(limits::PRIORITY_DEFAULT))
    .bind(metadata.clone().unwrap_or_else(|| json!({})))
    .bind(*reply_to)
    .bind(row.depth)
    .bind(*send_at)
    .bind(now)
    .insert("id")
    .await
}

/// Replaces text, time, credential and depth. One that waits has no error.
pub(super) async fn update(tx: &mut Tx, id: ScheduledMessageId, change: &Change<'_>) -> Result<()> {
    let now = tx.now();
    let (key, grant) = ends_with(change.credential);
    let text = if change.waits {
        "UPDATE scheduled_messages
            SET body = $2, send_at = $3, api_key_id = $4, grant_id = $5, updated_at = $6, depth = $7,
                status = 'waiting', error_code = NULL, error = NULL
          WHERE id = $1"
    } else {
        "UPDATE scheduled_messages
            SET body = $2, send_at = $3, api_key_id = $4, grant_id = $5, updated_at = $6, depth = $7
          WHERE id = $1"
    };
    let query = tx.query(text).bind(id).bind(change.body).bind(change.send_at).bind(key).bind(grant);
    query.bind(now).bind(change.depth).execute().await?;
    Ok(())
}

/// Marks it as sent. Its text is in the message.
pub(super) async fn set_sent(tx: &mut Tx, id: ScheduledMessageId, message: MessageId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE scheduled_messages
            SET status = 'sent', message_id = $2, subject = '', body = '', metadata = $3, error_code = NULL, error = NULL,
                updated_at = $4
          WHERE id = $1",
    )
    .bind(id)
    .bind(message)
    .bind(json!({}))
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn set_failed(tx: &mut Tx, id: ScheduledMessageId, code: &str, reason: &str) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE scheduled_messages SET status = 'failed', error_code = $2, error = $3, updated_at = $4 WHERE id = $1",
    )
    .bind(id)
    .bind(code)
    .bind(reason)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn delete(tx: &mut Tx, id: ScheduledMessageId) -> Result<()> {
    tx.query("DELETE FROM scheduled_messages WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Removes everything that a participant has scheduled.
pub(crate) async fn remove_all_of(tx: &mut Tx, author: ParticipantId) -> Result<()> {
    tx.query("DELETE FROM scheduled_messages WHERE author_id = $1").bind(author).execute().await?;
    Ok(())
}

/// Whether there are sent or refused ones that are old enough to be removed.
pub(super) async fn has_old(tx: &mut Tx) -> Result<bool> {
    let before = tx.now().minus(limits::SCHEDULED_RETENTION);
    let found: Vec<(ScheduledMessageId,)> = tx.query(OLD).bind(before).bind(1_u32).fetch_all().await?;
    Ok(!found.is_empty())
}

/// Removes old ones that were sent or refused. Returns their number.
pub(super) async fn remove_old(tx: &mut Tx, batch: u32) -> Result<u64> {
    let before = tx.now().minus(limits::SCHEDULED_RETENTION);
    let text = format!("DELETE FROM scheduled_messages WHERE id IN ({OLD})");
    tx.query(text).bind(before).bind(batch).execute().await
}
