//! The SQL of emoji under messages.

use std::collections::HashMap;

use svc_model::emoji::EmojiCount;
use svc_model::events::Audience;

use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId, UserId};
use crate::limits;
use crate::store::db::{Engine, Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    /// A message with what decides whether its emoji may change, and who is told.
    pub(super) struct Subject {
        pub(super) id: MessageId,
        pub(super) conversation_id: ConversationId,
        pub(super) channel_id: Option<ChannelId>,
        pub(super) channel: Option<String>,
        pub(super) public: Option<bool>,
        pub(super) archived_at: Option<Timestamp>,
        pub(super) sender_id: ParticipantId,
        pub(super) sender_owner_id: Option<UserId>,
        pub(super) recipient_id: Option<ParticipantId>,
        pub(super) recipient_owner_id: Option<UserId>,
        pub(super) deleted_at: Option<Timestamp>,
    }
}

impl Subject {
    pub(super) fn audience(&self) -> Audience {
        Audience {
            channel_id: self.channel_id,
            channel: self.channel.clone(),
            public: self.public.unwrap_or(false),
            sender_id: Some(self.sender_id),
            sender_owner_id: self.sender_owner_id,
            recipient_id: self.recipient_id,
            recipient_owner_id: self.recipient_owner_id,
        }
    }
}

crate::row! {
    /// One of the first participants who chose an emoji, with the facts of the emoji.
    struct ChoiceRow {
        message_id: MessageId,
        emoji: String,
        chosen: u32,
        mine: u32,
        handle: String,
    }
}

const SUBJECT: &str = "
    SELECT m.id, m.conversation_id, m.channel_id, c.name AS channel, c.public, c.archived_at, m.sender_id,
           m.sender_owner_id, m.recipient_id, m.recipient_owner_id, m.deleted_at
      FROM messages m
      LEFT JOIN channels c ON c.id = m.channel_id
     WHERE m.id = $1";

const HAS: &str = "SELECT count(*) FROM message_emoji WHERE message_id = $1 AND emoji = $2 AND participant_id = $3";
const COUNT_OF: &str = "SELECT count(*) FROM message_emoji WHERE message_id = $1 AND participant_id = $2";
const VARIETY: &str = "SELECT count(DISTINCT emoji), count(DISTINCT CASE WHEN emoji = $2 THEN emoji END)
      FROM message_emoji
     WHERE message_id = $1";
const CHOOSERS: &str = "SELECT count(*) FROM message_emoji WHERE message_id = $1 AND emoji = $2";

/// The emoji of messages, each with its first participants: `$1` is the participant whose own ones are marked, `$2` the
/// number of participants who are named.
macro_rules! of_messages {
    ($ids:literal) => {
        concat!(
            "SELECT r.message_id, r.emoji, r.chosen, r.mine,
                    (SELECT p.handle FROM participants p WHERE p.id = r.participant_id) AS handle
               FROM (SELECT e.message_id, e.emoji, e.participant_id,
                            count(*) OVER one AS chosen,
                            count(CASE WHEN e.participant_id = $1 THEN 1 END) OVER one AS mine,
                            min(e.id) OVER one AS first_id,
                            row_number() OVER (PARTITION BY e.message_id, e.emoji ORDER BY e.id) AS place
                       FROM message_emoji e
                      WHERE e.message_id IN (",
            $ids,
            ")
                     WINDOW one AS (PARTITION BY e.message_id, e.emoji)) r
              WHERE r.place <= $2
              ORDER BY r.message_id, r.first_id, r.place"
        )
    };
}

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("emoji.subject", SUBJECT),
    ("emoji.has", HAS),
    ("emoji.count_of", COUNT_OF),
    ("emoji.variety", VARIETY),
    ("emoji.choosers", CHOOSERS),
    ("emoji.of_messages", of_messages!("$3, $4")),
];

/// The current message and its channel.
pub(super) async fn subject(tx: &mut Tx, id: MessageId) -> Result<Subject> {
    tx.query(SUBJECT).bind(id).fetch_optional().await?.ok_or_else(|| Error::not_found("message"))
}

/// Locks the message for this transaction; concurrent changes of its emoji wait.
pub(super) async fn hold(tx: &mut Tx, id: MessageId) -> Result<()> {
    // SQLite has a single writer.
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    tx.query("UPDATE messages SET emoji_count = emoji_count WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Whether a participant chose an emoji for a message.
pub(super) async fn has(tx: &mut Tx, id: MessageId, by: ParticipantId, emoji: &str) -> Result<bool> {
    let found: i64 = tx.query(HAS).bind(id).bind(emoji).bind(by).fetch_value().await?;
    Ok(found > 0)
}

/// The number of emoji that a participant chose for a message.
pub(super) async fn count_of(tx: &mut Tx, id: MessageId, by: ParticipantId) -> Result<usize> {
    let found: i64 = tx.query(COUNT_OF).bind(id).bind(by).fetch_value().await?;
    Ok(usize::try_from(found).unwrap_or(usize::MAX))
}

/// The number of different emoji under a message, and whether this one is among them.
pub(super) async fn variety(tx: &mut Tx, id: MessageId, emoji: &str) -> Result<(usize, bool)> {
    let (different, same): (i64, i64) = tx.query(VARIETY).bind(id).bind(emoji).fetch_one().await?;
    Ok((usize::try_from(different).unwrap_or(usize::MAX), same > 0))
}

/// The number of participants who chose an emoji for a message.
pub(super) async fn choosers(tx: &mut Tx, id: MessageId, emoji: &str) -> Result<u32> {
    tx.query(CHOOSERS).bind(id).bind(emoji).fetch_value().await
}

pub(super) async fn insert(tx: &mut Tx, id: MessageId, by: ParticipantId, emoji: &str) -> Result<()> {
    let now = tx.now();
    tx.query("INSERT INTO message_emoji (message_id, participant_id, emoji, created_at) VALUES ($1, $2, $3, $4)")
        .bind(id)
        .bind(by)
        .bind(emoji)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Deletes an emoji of a participant. Returns whether it was there.
pub(super) async fn delete(tx: &mut Tx, id: MessageId, by: ParticipantId, emoji: &str) -> Result<bool> {
    let deleted = tx
        .query("DELETE FROM message_emoji WHERE message_id = $1 AND emoji = $2 AND participant_id = $3")
        .bind(id)
        .bind(emoji)
        .bind(by)
        .execute()
        .await?;
    Ok(deleted > 0)
}

/// Sets the number of emoji under a message to that of its rows.
pub(super) async fn set_count(tx: &mut Tx, id: MessageId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE messages
            SET emoji_count = (SELECT count(*) FROM message_emoji e WHERE e.message_id = $1), updated_at = $2
          WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The emoji under each of these messages, the first one first, for a participant.
pub(crate) async fn of_messages(
    tx: &mut Tx,
    viewer: ParticipantId,
    ids: &[MessageId],
) -> Result<HashMap<MessageId, Vec<EmojiCount>>> {
    let mut found: HashMap<MessageId, Vec<EmojiCount>> = HashMap::with_capacity(ids.len());
    if ids.is_empty() {
        return Ok(found);
    }
    let text = format!(of_messages!("{}"), placeholders(3, ids.len()));
    let query = tx.query(text).bind(viewer).bind(limits::EMOJI_NAMES);
    let rows: Vec<ChoiceRow> = ids.iter().fold(query, |query, id| query.bind(*id)).fetch_all().await?;
    for ChoiceRow { message_id, emoji, chosen, mine, handle } in rows {
        let under = found.entry(message_id).or_default();
        match under.last_mut().filter(|last| last.emoji == emoji) {
            Some(last) => last.names.push(handle),
            None => under.push(EmojiCount { emoji, count: chosen, mine: mine > 0, names: vec![handle] }),
        }
    }
    Ok(found)
}
