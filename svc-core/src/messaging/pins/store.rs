//! The SQL of pins.

use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId, PinId, UserId};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// A pin without its message.
    pub(super) struct PinRow {
        pub(super) id: PinId,
        pub(super) message_id: MessageId,
        pub(super) pinned_by: String,
        pub(super) pinned_at: Timestamp,
    }
}

crate::row! {
    /// A message with what decides who may pin it, and who learns of it.
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
        pub(super) mention_of: Option<MessageId>,
        pub(super) deleted_at: Option<Timestamp>,
    }
}

impl Subject {
    /// The message with a mention of a person, if this one only tells them of it: no conversation shows it. A human is
    /// their own owner.
    pub(super) fn notifies_person_of(&self) -> Option<MessageId> {
        let is_to_person = self.recipient_id.map(|id| id.0) == self.recipient_owner_id.map(|id| id.0);
        self.mention_of.filter(|_| is_to_person)
    }
}

macro_rules! select_pins {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.message_id, b.handle AS pinned_by, p.pinned_at
               FROM pins p
               JOIN participants b ON b.id = p.pinned_by ",
            $rest
        )
    };
}

const OF_MESSAGE: &str = select_pins!("WHERE p.message_id = $1");
const OF_CONVERSATION: &str = select_pins!("WHERE p.conversation_id = $1 AND p.id < $2 ORDER BY p.id DESC LIMIT $3");
/// The conversations of a pair, about all subjects.
const OF_PAIR: &str = select_pins!(
    "WHERE p.conversation_id IN (SELECT v.id FROM conversations v
                                  WHERE v.low_id = $1 AND v.high_id = $2 AND v.low_id IS NOT NULL)
       AND p.id < $3
     ORDER BY p.id DESC
     LIMIT $4"
);
const COUNT: &str = "SELECT count(*) FROM pins WHERE conversation_id = $1";

const SUBJECT: &str = "
    SELECT m.id, m.conversation_id, m.channel_id, c.name AS channel, c.public, c.archived_at, m.sender_id,
           m.sender_owner_id, m.recipient_id, m.recipient_owner_id, m.mention_of, m.deleted_at
      FROM messages m
      LEFT JOIN channels c ON c.id = m.channel_id
     WHERE m.id = $1";

const CONVERSATION_OF: &str = concat!(
    "SELECT v.id
       FROM channels c
       JOIN conversations v ON v.channel_id = c.id
      WHERE c.name = $5 AND ",
    visible_channel!()
);

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("pins.of_message", OF_MESSAGE),
    ("pins.of_conversation", OF_CONVERSATION),
    ("pins.of_pair", OF_PAIR),
    ("pins.count", COUNT),
    ("pins.subject", SUBJECT),
    ("pins.conversation_of", CONVERSATION_OF),
];

/// The conversation of a channel; not found if the channel is not visible.
pub(super) async fn conversation_of(tx: &mut Tx, viewer: &Viewer, channel: &str) -> Result<ConversationId> {
    let found: Option<(ConversationId,)> =
        viewer.bind(tx.query(CONVERSATION_OF)).bind(channel).fetch_optional().await?;
    found.map(|(id,)| id).ok_or_else(|| Error::not_found("channel"))
}

pub(super) async fn of_conversation(
    tx: &mut Tx,
    conversation: ConversationId,
    before: PinId,
    limit: u32,
) -> Result<Vec<PinRow>> {
    tx.query(OF_CONVERSATION).bind(conversation).bind(before).bind(limit).fetch_all().await
}

/// The pins of all conversations of two participants, the smaller id first.
pub(super) async fn of_pair(
    tx: &mut Tx,
    (low, high): (ParticipantId, ParticipantId),
    before: PinId,
    limit: u32,
) -> Result<Vec<PinRow>> {
    tx.query(OF_PAIR).bind(low).bind(high).bind(before).bind(limit).fetch_all().await
}

pub(super) async fn of_message(tx: &mut Tx, message: MessageId) -> Result<Option<PinRow>> {
    tx.query(OF_MESSAGE).bind(message).fetch_optional().await
}

/// The current message and its channel.
pub(super) async fn subject(tx: &mut Tx, id: MessageId) -> Result<Subject> {
    tx.query(SUBJECT).bind(id).fetch_optional().await?.ok_or_else(|| Error::not_found("message"))
}

/// Locks the conversation and then the message for this transaction, so that pins are counted and a deletion waits.
pub(super) async fn hold(tx: &mut Tx, subject: &Subject) -> Result<()> {
    // SQLite has a single writer.
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    let conversation = tx.query("UPDATE conversations SET message_count = message_count WHERE id = $1");
    conversation.bind(subject.conversation_id).execute().await?;
    tx.query("UPDATE messages SET reaction_count = reaction_count WHERE id = $1").bind(subject.id).execute().await?;
    Ok(())
}

pub(super) async fn count(tx: &mut Tx, conversation: ConversationId) -> Result<i64> {
    tx.query(COUNT).bind(conversation).fetch_value().await
}

pub(super) async fn insert(tx: &mut Tx, subject: &Subject, by: ParticipantId) -> Result<()> {
    let now = tx.now();
    tx.query("INSERT INTO pins (message_id, conversation_id, pinned_by, pinned_at) VALUES ($1, $2, $3, $4)")
        .bind(subject.id)
        .bind(subject.conversation_id)
        .bind(by)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Removes the pin of a message. Returns whether there was one.
pub(super) async fn remove(tx: &mut Tx, message: MessageId) -> Result<bool> {
    Ok(tx.query("DELETE FROM pins WHERE message_id = $1").bind(message).execute().await? == 1)
}
