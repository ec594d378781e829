//! The SQL of the members of a channel.

use svc_model::channels::Member;

use crate::error::Result;
use crate::ids::{ChannelId, ParticipantId, UserId};
use crate::messaging::channels::membership::{ChannelRef, MemberRef};
use crate::messaging::notifications::store::mentions;
use crate::page::Page;
use crate::store::db::Tx;

pub(super) const LIST: &str = "
    SELECT p.handle AS name, p.display_name, p.kind, p.id = c.owner_id AS is_owner, cm.joined_at
      FROM channel_members cm
      JOIN participants p ON p.id = cm.participant_id
      JOIN channels c ON c.id = cm.channel_id
     WHERE cm.channel_id = $1
     ORDER BY p.handle_key
     LIMIT $2 OFFSET $3";

pub(in crate::messaging::channels) async fn list(tx: &mut Tx, channel: ChannelId, page: Page) -> Result<Vec<Member>> {
    tx.query(LIST).bind(channel).bind(page.limit()).bind(page.offset()).fetch_all().await
}

/// A member of a channel by its lowercase handle.
pub(in crate::messaging::channels) async fn find(
    tx: &mut Tx,
    channel: ChannelId,
    handle_key: &str,
) -> Result<Option<MemberRef>> {
    tx.query(
        "SELECT p.id, p.handle, coalesce(a.owner_id, p.id) AS human
           FROM participants p
           JOIN channel_members cm ON cm.participant_id = p.id AND cm.channel_id = $1
           LEFT JOIN agents a ON a.id = p.id
          WHERE p.handle_key = $2",
    )
    .bind(channel)
    .bind(handle_key)
    .fetch_optional()
    .await
}

pub(crate) async fn is_member(tx: &mut Tx, channel: ChannelId, participant: ParticipantId) -> Result<bool> {
    let found: i64 = tx
        .query("SELECT count(*) FROM channel_members WHERE channel_id = $1 AND participant_id = $2")
        .bind(channel)
        .bind(participant)
        .fetch_value()
        .await?;
    Ok(found == 1)
}

/// A member of a channel as it is listed.
pub(in crate::messaging::channels) async fn get(
    tx: &mut Tx,
    channel: ChannelId,
    participant: ParticipantId,
) -> Result<Member> {
    tx.query(
        "SELECT p.handle AS name, p.display_name, p.kind, p.id = c.owner_id AS is_owner, cm.joined_at
           FROM channel_members cm
           JOIN participants p ON p.id = cm.participant_id
           JOIN channels c ON c.id = cm.channel_id
          WHERE cm.channel_id = $1 AND cm.participant_id = $2",
    )
    .bind(channel)
    .bind(participant)
    .fetch_one()
    .await
}

/// The agents of a human among the members, without the owner of the channel, ordered by id.
pub(in crate::messaging::channels) async fn agents_of(
    tx: &mut Tx,
    channel: ChannelId,
    human: UserId,
) -> Result<Vec<MemberRef>> {
    tx.query(
        "SELECT p.id, p.handle, a.owner_id AS human
           FROM channel_members cm
           JOIN channels c ON c.id = cm.channel_id
           JOIN participants p ON p.id = cm.participant_id
           JOIN agents a ON a.id = cm.participant_id
          WHERE cm.channel_id = $1 AND a.owner_id = $2 AND cm.participant_id <> c.owner_id
          ORDER BY p.id",
    )
    .bind(channel)
    .bind(human)
    .fetch_all()
    .await
}

/// A member and, for a human, all their agents among the members, ordered by id.
pub(in crate::messaging::channels) async fn with_agents_of(
    tx: &mut Tx,
    channel: ChannelId,
    member: ParticipantId,
    human: Option<ParticipantId>,
) -> Result<Vec<MemberRef>> {
    tx.query(
        "SELECT p.id, p.handle, coalesce(a.owner_id, p.id) AS human
               FROM channel_members cm
               JOIN participants p ON p.id = cm.participant_id
               LEFT JOIN agents a ON a.id = cm.participant_id
              WHERE cm.channel_id = $1 AND (cm.participant_id = $2 OR a.owner_id = $3)
              ORDER BY p.id",
    )
    .bind(channel)
    .bind(member)
    .bind(human)
    .fetch_all()
    .await
}

/// The human with the longest membership, without the leaver.
pub(in crate::messaging::channels) async fn longest_human(
    tx: &mut Tx,
    channel: ChannelId,
    leaver: ParticipantId,
) -> Result<Option<ParticipantId>> {
    let found = tx
        .query(
            "SELECT cm.participant_id
               FROM channel_members cm
               JOIN participants p ON p.id = cm.participant_id
              WHERE cm.channel_id = $1 AND cm.participant_id <> $2 AND p.kind = 'human' AND p.deleted_at IS NULL
              ORDER BY cm.joined_at, cm.participant_id
              LIMIT 1",
        )
        .bind(channel)
        .bind(leaver)
        .fetch_optional()
        .await?;
    Ok(found.map(|(id,)| id))
}

/// Makes a participant a member and counts it. Returns whether it was no member before.
pub(in crate::messaging::channels) async fn insert(
    tx: &mut Tx,
    channel: ChannelId,
    participant: ParticipantId,
) -> Result<bool> {
    let now = tx.now();
    let added = tx
        .query(
            "INSERT INTO channel_members (channel_id, participant_id, joined_at)
             VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .bind(channel)
        .bind(participant)
        .bind(now)
        .execute()
        .await?;
    if added == 0 {
        return Ok(false);
    }
    tx.query("UPDATE channels SET member_count = member_count + 1 WHERE id = $1").bind(channel).execute().await?;
    Ok(true)
}

/// Ends a membership, counts it and removes its read cursor and, for a person, the mentions. Returns whether there was one.
pub(in crate::messaging::channels) async fn delete(
    tx: &mut Tx,
    channel: &ChannelRef,
    participant: ParticipantId,
) -> Result<bool> {
    let left = tx
        .query("DELETE FROM channel_members WHERE channel_id = $1 AND participant_id = $2")
        .bind(channel.id)
        .bind(participant)
        .execute()
        .await?;
    if left == 0 {
        return Ok(false);
    }
    tx.query("UPDATE channels SET member_count = member_count - 1 WHERE id = $1").bind(channel.id).execute().await?;
    tx.query("DELETE FROM read_cursors WHERE participant_id = $1 AND conversation_id = $2")
        .bind(participant)
        .bind(channel.conversation)
        .execute()
        .await?;
    mentions::leave(tx, participant, channel.id, channel.conversation).await?;
    Ok(true)
}

/// Locks a participant. Returns whether it is not deleted.
pub(in crate::messaging::channels) async fn lock_participant(tx: &mut Tx, id: ParticipantId) -> Result<bool> {
    let present = tx
        .query("UPDATE participants SET display_name = display_name WHERE id = $1 AND deleted_at IS NULL")
        .bind(id)
        .execute()
        .await?;
    Ok(present == 1)
}
