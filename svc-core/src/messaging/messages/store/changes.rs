//! The SQL of edited and deleted messages, and of their earlier texts.

use serde_json::{Value, json};
use svc_model::messages::MessageVersion;

use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId, UserId};
use crate::messaging::search::tsvector;
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// A message that is to be changed, with what decides who may.
    #[derive(Debug, Clone)]
    pub(in crate::messaging::messages) struct Target {
        pub(in crate::messaging::messages) id: MessageId,
        pub(in crate::messaging::messages) conversation_id: ConversationId,
        pub(in crate::messaging::messages) channel_id: Option<ChannelId>,
        pub(in crate::messaging::messages) channel: Option<String>,
        pub(in crate::messaging::messages) public: Option<bool>,
        pub(in crate::messaging::messages) archived_at: Option<Timestamp>,
        pub(in crate::messaging::messages) channel_owner_id: Option<ParticipantId>,
        /// The human of the agent that owns the channel.
        pub(in crate::messaging::messages) channel_owner_human: Option<UserId>,
        pub(in crate::messaging::messages) sender_id: ParticipantId,
        pub(in crate::messaging::messages) sender: String,
        pub(in crate::messaging::messages) sender_owner_id: Option<UserId>,
        pub(in crate::messaging::messages) recipient_id: Option<ParticipantId>,
        pub(in crate::messaging::messages) recipient_owner_id: Option<UserId>,
        pub(in crate::messaging::messages) subject: String,
        pub(in crate::messaging::messages) body: String,
        pub(in crate::messaging::messages) metadata: Value,
        pub(in crate::messaging::messages) reply_to: Option<MessageId>,
        pub(in crate::messaging::messages) mention_of: Option<MessageId>,
        pub(in crate::messaging::messages) claimed_by: Option<String>,
        pub(in crate::messaging::messages) version: u32,
        pub(in crate::messaging::messages) deleted_at: Option<Timestamp>,
        pub(in crate::messaging::messages) created_at: Timestamp,
    }
}

macro_rules! select_targets {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "SELECT m.id, m.conversation_id, m.channel_id, c.name AS channel, c.public, c.archived_at,
                    c.owner_id AS channel_owner_id, a.owner_id AS channel_owner_human, m.sender_id,
                    s.handle AS sender, m.sender_owner_id, m.recipient_id, m.recipient_owner_id, m.subject, m.body,
                    m.metadata, m.reply_to, m.mention_of, h.handle AS claimed_by, m.version, m.deleted_at,
                    m.created_at
               FROM messages m
               JOIN participants s ON s.id = m.sender_id
               LEFT JOIN channels c ON c.id = m.channel_id
               LEFT JOIN agents a ON a.id = c.owner_id
               LEFT JOIN participants h ON h.id = m.claimed_by ",
            $($rest),+
        )
    };
}

const TARGET: &str = select_targets!("WHERE m.id = $1");

const COPIES: &str = select_targets!(
    "WHERE m.mention_of = $1 AND m.mention_of IS NOT NULL AND m.deleted_at IS NULL
     ORDER BY m.id"
);

/// The copies whose recipients may read the channel: it is public, or they are members.
const READABLE_COPIES: &str = select_targets!(
    "WHERE m.mention_of = $1 AND m.mention_of IS NOT NULL AND m.deleted_at IS NULL
       AND EXISTS (SELECT 1 FROM channels o
                    WHERE o.id = m.mention_channel_id
                      AND (o.public OR EXISTS (SELECT 1 FROM channel_members me
                                                WHERE me.channel_id = o.id AND me.participant_id = m.recipient_id)))
     ORDER BY m.id"
);

const EARLIER: &str = "
    SELECT version, body, created_at
      FROM message_versions
     WHERE message_id = $1
     ORDER BY version";

pub(super) const LISTED: &[(&str, &str)] =
    &[("changes.target", TARGET), ("changes.copies", COPIES), ("changes.earlier", EARLIER)];

/// A message, regardless of visibility.
pub(in crate::messaging::messages) async fn target(tx: &mut Tx, id: MessageId) -> Result<Target> {
    tx.query(TARGET).bind(id).fetch_optional().await?.ok_or_else(|| Error::not_found("message"))
}

/// The direct messages that notified of the mentions in a message, ordered by id.
pub(in crate::messaging::messages) async fn copies(tx: &mut Tx, of: MessageId) -> Result<Vec<Target>> {
    tx.query(COPIES).bind(of).fetch_all().await
}

/// The [`copies`] of those who may still read the channel.
pub(in crate::messaging::messages) async fn readable_copies(tx: &mut Tx, of: MessageId) -> Result<Vec<Target>> {
    tx.query(READABLE_COPIES).bind(of).fetch_all().await
}

/// The earlier texts of a message, the oldest first.
pub(in crate::messaging::messages) async fn earlier(tx: &mut Tx, id: MessageId) -> Result<Vec<MessageVersion>> {
    tx.query(EARLIER).bind(id).fetch_all().await
}

const EDIT: &str =
    "UPDATE messages SET body = $2, version = version + 1, edited_at = $3, updated_at = $3 WHERE id = $1";
/// PostgreSQL keeps the search words in a column.
const EDIT_WITH_WORDS: &str = "
    UPDATE messages
       SET body = $2, version = version + 1, edited_at = $3, updated_at = $3, words = CAST($4 AS tsvector)
     WHERE id = $1";

/// Replaces the text of a message and keeps the one before.
pub(in crate::messaging::messages) async fn edit(tx: &mut Tx, target: &Target, body: &str) -> Result<()> {
    tx.query(
        "INSERT INTO message_versions (message_id, version, body, created_at)
         SELECT id, version, body, coalesce(edited_at, created_at) FROM messages WHERE id = $1",
    )
    .bind(target.id)
    .execute()
    .await?;
    let now = tx.now();
    // The direct copy that notifies of a mention is not indexed; its original is.
    if tx.engine() == Engine::Postgres && target.mention_of.is_none() {
        let words = tsvector(&target.subject, body);
        tx.query(EDIT_WITH_WORDS).bind(target.id).bind(body).bind(now).bind(words).execute().await?;
    } else {
        tx.query(EDIT).bind(target.id).bind(body).bind(now).execute().await?;
    }
    Ok(())
}

/// UPDATE that leaves the tombstone of a message: `$1` is the message, `$2` empty metadata, `$3` now, `$4` the reason
/// for its recipient, `$5` who deleted it. An unfinished direct message has failed, so that nobody claims it.
macro_rules! bury {
    ($more:literal) => {
        concat!(
            "UPDATE messages
                SET body = '', metadata = $2, deleted_at = $3, deleted_by = $5, updated_at = $3,
                    failure = CASE WHEN recipient_id IS NOT NULL AND status IN ('pending', 'processing')
                                   THEN $4 ELSE failure END,
                    finished_at = CASE WHEN recipient_id IS NOT NULL AND status IN ('pending', 'processing')
                                       THEN $3 ELSE finished_at END,
                    undelivered_at = CASE WHEN recipient_id IS NOT NULL AND undelivered_at IS NULL
                                          THEN $3 ELSE undelivered_at END,
                    status = CASE WHEN recipient_id IS NOT NULL AND status IN ('pending', 'processing')
                                  THEN 'failed' ELSE status END,
                    claim_token = NULL, claimed_by = NULL, lease_expires_at = NULL, attachment_count = 0,
                    reaction_count = 0, emoji_count = 0, workflow_state = NULL, workflow_changed_at = NULL,
                    reminded_at = NULL, escalated_at = NULL",
            $more,
            " WHERE id = $1"
        )
    };
}

/// The rows that go with a deleted message. Contents of files go later, when nothing refers to them. Adjustments of
/// trust stay: whoever was judged cannot delete the judgement.
const DEPENDENTS: [&str; 8] = [
    "DELETE FROM message_versions WHERE message_id = $1",
    "DELETE FROM message_attachments WHERE message_id = $1",
    "DELETE FROM reactions WHERE message_id = $1",
    "DELETE FROM message_emoji WHERE message_id = $1",
    "DELETE FROM pins WHERE message_id = $1",
    "DELETE FROM saved_messages WHERE message_id = $1",
    "DELETE FROM dead_letters WHERE message_id = $1",
    "DELETE FROM webhook_bodies WHERE message_id = $1",
];

/// Leaves the tombstone of a message.
pub(in crate::messaging::messages) async fn bury(
    tx: &mut Tx,
    id: MessageId,
    by: ParticipantId,
    reason: &str,
) -> Result<()> {
    let now = tx.now();
    let text = match tx.engine() {
        Engine::Sqlite => bury!(""),
        Engine::Postgres => bury!(", words = CAST('' AS tsvector)"),
    };
    tx.query(text).bind(id).bind(json!({})).bind(now).bind(reason).bind(by).execute().await?;
    for text in DEPENDENTS {
        tx.query(text).bind(id).execute().await?;
    }
    Ok(())
}

/// Counts one reply less, if it is in the conversation of its parent.
pub(in crate::messaging::messages) async fn uncount_reply(
    tx: &mut Tx,
    parent: MessageId,
    conversation: ConversationId,
) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE messages SET reply_count = reply_count - 1, updated_at = $2
          WHERE id = $1 AND conversation_id = $3 AND reply_count > 0",
    )
    .bind(parent)
    .bind(now)
    .bind(conversation)
    .execute()
    .await?;
    Ok(())
}
