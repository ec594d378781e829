//! Marking messages as read.

use std::collections::BTreeMap;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::ConversationKind;
use svc_model::events::{CursorMoved, EventBody};
use svc_model::notifications::Mark;

use super::service::{Notifications, reader};
use super::store::{self, mentions};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::limits;
use crate::messaging::messages::timeline::partner;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;
use crate::store::idempotency::Once;

#[boxed_futures]
impl Notifications {
    /// Moves the read cursors of the caller forward, all of them or none. An id beyond the newest
    /// message means the newest message; an id of another conversation means the newest message
    /// before it.
    pub async fn mark_read(&self, caller: &Caller, marks: Vec<Mark>) -> Result<()> {
        caller.require(Permission::Write)?;
        let participant = reader(caller)?;
        if !(1..=limits::MARKS_MAX).contains(&marks.len()) {
            return Err(Error::invalid("body", format!("must be one object, or a list of 1 to {}", limits::MARKS_MAX)));
        }
        let marks = merged(marks);
        let once = caller.idempotency("notifications.mark", &marks)?;
        self.db
            .write_once(once, (caller.clone(), participant, marks), |tx, (caller, participant, marks)| {
                Box::pin(async move {
                    for mark in marks {
                        match mark.kind {
                            ConversationKind::Channel => read_channel(tx, caller, *participant, mark).await?,
                            ConversationKind::Dm => read_direct(tx, caller, *participant, mark).await?,
                        }
                    }
                    Ok(())
                })
            })
            .await
            .map(Once::into_value)
    }
}

/// The furthest mark of each conversation, in a fixed lock order.
fn merged(marks: Vec<Mark>) -> Vec<Mark> {
    let mut furthest: BTreeMap<(bool, String), Mark> = BTreeMap::new();
    let end = |mark: &Mark| mark.last_message_id.unwrap_or(MessageId(i64::MAX));
    for mark in marks {
        let key = (mark.kind == ConversationKind::Dm, mark.name.to_ascii_lowercase());
        match furthest.get(&key) {
            Some(other) if end(other) >= end(&mark) => {}
            _ => {
                furthest.insert(key, mark);
            }
        }
    }
    furthest.into_values().collect()
}

async fn read_channel(tx: &mut Tx, caller: &Caller, reader: ParticipantId, mark: &Mark) -> Result<()> {
    let key = crate::messaging::channels::allowed(caller, &mark.name)?;
    let channel = store::channel(tx, &Viewer::of(caller), &key).await?.ok_or_else(|| Error::not_found("channel"))?;
    if !channel.is_member && mentions::are_followed(tx, reader, channel.id).await? {
        return read_mentions(tx, reader, &channel, mark).await;
    }
    if !channel.is_member {
        return Err(Error::new(
            ErrorKind::Forbidden,
            "not_a_member",
            "Only members can mark a channel as read. Join it first.",
        ));
    }
    advance(tx, reader, channel.conversation_id, mark, &channel.name).await
}

/// Marks the mentions of a person in a channel of which they are no member.
async fn read_mentions(tx: &mut Tx, reader: ParticipantId, channel: &store::VisibleChannel, mark: &Mark) -> Result<()> {
    let wanted = mark.last_message_id.unwrap_or(MessageId(i64::MAX));
    let Some((message, _)) = store::up_to(tx, channel.conversation_id, wanted).await? else { return Ok(()) };
    if mentions::read(tx, reader, channel.id, message).await? {
        record(tx, reader, channel.conversation_id, mark, (&channel.name, message)).await?;
    }
    Ok(())
}

/// Marks all subjects of a direct conversation as read.
async fn read_direct(tx: &mut Tx, caller: &Caller, reader: ParticipantId, mark: &Mark) -> Result<()> {
    caller.require_direct()?;
    let partner = partner(tx, &mark.name).await?;
    for conversation in store::conversations_of(tx, reader, partner.id).await? {
        advance(tx, reader, conversation, mark, &partner.handle).await?;
    }
    Ok(())
}

async fn advance(
    tx: &mut Tx,
    reader: ParticipantId,
    conversation: ConversationId,
    mark: &Mark,
    name: &str,
) -> Result<()> {
    let Some(cursor) = store::locked_cursor(tx, reader, conversation).await? else { return Ok(()) };
    let wanted = mark.last_message_id.unwrap_or(MessageId(i64::MAX));
    let Some((message, position)) = store::up_to(tx, conversation, wanted).await? else { return Ok(()) };
    if message <= cursor.message_id {
        return Ok(());
    }
    let own_after = own_after(tx, reader, conversation, &cursor, (message, position)).await?;
    if store::advance(tx, reader, conversation, (message, position, own_after)).await? {
        record(tx, reader, conversation, mark, (name, message)).await?;
    }
    Ok(())
}

async fn record(
    tx: &mut Tx,
    reader: ParticipantId,
    conversation: ConversationId,
    mark: &Mark,
    (name, message): (&str, MessageId),
) -> Result<()> {
    let moved = CursorMoved {
        participant_id: reader,
        kind: mark.kind,
        name: name.to_owned(),
        conversation_id: conversation,
        message_id: message,
    };
    tx.record(EventBody::CursorMoved(moved)).await?;
    Ok(())
}

/// The number of own messages after the new position. The shorter side is counted: the messages
/// just read, or those left.
async fn own_after(
    tx: &mut Tx,
    reader: ParticipantId,
    conversation: ConversationId,
    cursor: &store::Cursor,
    (message, position): (MessageId, i64),
) -> Result<i64> {
    if cursor.own_after == 0 {
        return Ok(0);
    }
    let (read, left) = (position - cursor.position, cursor.message_count - position);
    if left <= read {
        return store::own_between(tx, conversation, (message, MessageId(i64::MAX)), reader).await;
    }
    let passed = store::own_between(tx, conversation, (cursor.message_id, message), reader).await?;
    Ok(cursor.own_after - passed)
}
