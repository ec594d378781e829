//! The SQL of live events.

use std::iter;

use svc_model::live::UnreadNews;

use super::view::{FeedViewer, View, ViewerKind};
use crate::error::Result;
use crate::ids::{ApiKeyId, ChannelId, ConversationId, EventSeq, GrantId, ParticipantId, SessionId, UserId};
use crate::messaging::messages::store::{unread_count, unread_mentions};
use crate::messaging::notifications::mention_copies;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// Channels of which a participant is a member, and those of which one of their agents is.
const MEMBERSHIPS: &str = "
    SELECT cm.channel_id, CAST(1 AS BIGINT) AS own
      FROM channel_members cm
     WHERE cm.participant_id = $1
     UNION ALL
    SELECT cm.channel_id, CAST(0 AS BIGINT)
      FROM agents a
      JOIN channel_members cm ON cm.participant_id = a.id
     WHERE a.owner_id = $2";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[("live.memberships", MEMBERSHIPS)];

/// Loads the view of a viewer, for a feed at `position` of a log that ended at `head`.
pub(super) async fn view(tx: &mut Tx, viewer: &FeedViewer, position: EventSeq, head: EventSeq) -> Result<View> {
    let (me, owner) = match &viewer.actor {
        ViewerKind::Root => return Ok(View { viewer: viewer.clone(), member: Vec::new(), hidden: Vec::new(), head }),
        ViewerKind::Human(user) => (ParticipantId(user.0), *user),
        // An agent has no agents.
        ViewerKind::Agent { id, .. } => (*id, UserId(0)),
    };
    let rows: Vec<(ChannelId, i64)> = tx.query(MEMBERSHIPS).bind(me).bind(owner).fetch_all().await?;
    let mut member: Vec<(ChannelId, bool)> = rows.into_iter().map(|(channel, own)| (channel, own == 1)).collect();
    // Each channel once, the caller's own membership first.
    member.sort_unstable_by_key(|(channel, own)| (*channel, !own));
    member.dedup_by_key(|(channel, _)| *channel);
    member.shrink_to_fit();
    // Only events written before need them.
    let mut hidden = if position < head { private_channels(tx).await? } else { Vec::new() };
    hidden.retain(|channel| member.binary_search_by_key(channel, |(id, _)| *id).is_err());
    Ok(View { viewer: viewer.clone(), member, hidden, head })
}

async fn private_channels(tx: &mut Tx) -> Result<Vec<ChannelId>> {
    let rows: Vec<(ChannelId,)> =
        tx.query("SELECT id FROM channels WHERE public = $1 ORDER BY id").bind(false).fetch_all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// A participant and one of its conversations.
pub(super) type Pair = (ParticipantId, ConversationId);

crate::row! {
    struct UnreadRow {
        participant_id: ParticipantId,
        conversation_id: ConversationId,
        name: String,
        unread: i64,
        mentions: i64,
        mention_copies: i64,
    }
}

/// The unread counts of each of these. All direct conversations of two participants are counted
/// together.
pub(super) async fn unread(tx: &mut Tx, pairs: &[Pair]) -> Result<Vec<(Pair, UnreadNews)>> {
    // Rounding up the length of the list gives few distinct statements, which the engines keep
    // prepared.
    let length = pairs.len().next_power_of_two();
    let nobody = iter::repeat((ParticipantId(0), ConversationId(0)));
    let asked: Vec<Pair> = pairs.iter().copied().chain(nobody).take(length).collect();
    let mut found = Vec::new();
    for (kind, rest) in [("channel", CHANNELS), ("dm", DIRECT)] {
        let text = format!("WITH asked (participant_id, conversation_id) AS (VALUES {}) {rest}", values(asked.len()));
        let query = asked.iter().fold(tx.query(text), |query, (who, what)| query.bind(*who).bind(*what));
        let rows: Vec<UnreadRow> = query.fetch_all().await?;
        found.extend(rows.into_iter().map(|row| {
            let unread = UnreadNews {
                kind: kind.to_owned(),
                name: row.name,
                unread: row.unread.max(0),
                mentions: row.mentions,
                mention_copies: row.mention_copies,
            };
            ((row.participant_id, row.conversation_id), unread)
        }));
    }
    Ok(found)
}

/// Channels of which they are members, and public ones in which a person was mentioned who is no member.
const CHANNELS: &str = concat!(
    "
    SELECT a.participant_id, a.conversation_id, c.name, coalesce(",
    unread_count!("v"),
    ", 0) AS unread, ",
    unread_mentions!("a.participant_id"),
    " AS mentions,
           CAST(0 AS BIGINT) AS mention_copies
      FROM asked a
      JOIN conversations v ON v.id = a.conversation_id
      JOIN channels c ON c.id = v.channel_id
      LEFT JOIN channel_members cm ON cm.channel_id = v.channel_id AND cm.participant_id = a.participant_id
      LEFT JOIN read_cursors r ON r.participant_id = cm.participant_id AND r.conversation_id = a.conversation_id
      LEFT JOIN mention_cursors k ON k.participant_id = a.participant_id AND k.channel_id = c.id
     WHERE cm.participant_id IS NOT NULL OR (k.participant_id IS NOT NULL AND c.public)"
);

const DIRECT: &str = concat!(
    "
    SELECT a.participant_id, a.conversation_id, p.handle AS name,
           CAST(sum(",
    unread_count!("v"),
    ") AS BIGINT) AS unread,
           CAST(0 AS BIGINT) AS mentions, ",
    mention_copies!("a.participant_id", "a.low_id", "a.high_id"),
    " AS mention_copies
      FROM (SELECT asked.participant_id, min(asked.conversation_id) AS conversation_id, s.low_id, s.high_id
              FROM asked
              JOIN conversations s ON s.id = asked.conversation_id
             WHERE s.low_id IS NOT NULL
             GROUP BY asked.participant_id, s.low_id, s.high_id) a
      JOIN conversations v ON v.low_id = a.low_id AND v.high_id = a.high_id
      JOIN read_cursors r ON r.participant_id = a.participant_id AND r.conversation_id = v.id
      JOIN participants p ON p.id = a.low_id + a.high_id - a.participant_id
     GROUP BY a.participant_id, a.conversation_id, a.low_id, a.high_id, p.handle"
);

/// `($1, $2), ($3, $4), …`.
fn values(count: usize) -> String {
    let pairs: Vec<_> = (0..count).map(|index| format!("(${}, ${})", 2 * index + 1, 2 * index + 2)).collect();
    pairs.join(", ")
}

const SESSION: &str = "
    SELECT count(*)
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      JOIN participants p ON p.id = s.user_id
     WHERE s.id = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL AND p.deleted_at IS NULL";

/// Whether a session has not ended and its user can log in.
pub(super) async fn session_holds(tx: &mut Tx, id: SessionId) -> Result<bool> {
    let now = tx.now();
    let good: i64 = tx.query(SESSION).bind(id).bind(now).fetch_value().await?;
    Ok(good > 0)
}

const KEY: &str = "
    SELECT count(*)
      FROM api_keys k
      JOIN users u ON u.id = k.owner_id
      JOIN participants o ON o.id = k.owner_id
      LEFT JOIN participants a ON a.id = k.agent_id
     WHERE k.id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)
       AND u.disabled_at IS NULL AND o.deleted_at IS NULL AND a.deleted_at IS NULL";

/// Whether a key has not ended and its owner and agent are active.
pub(super) async fn key_holds(tx: &mut Tx, id: ApiKeyId) -> Result<bool> {
    let now = tx.now();
    let good: i64 = tx.query(KEY).bind(id).bind(now).fetch_value().await?;
    Ok(good > 0)
}

/// The tokens of a grant are distinguished by their expiry.
const ACCESS: &str = "
    SELECT count(*)
      FROM oauth_tokens t
      JOIN oauth_grants g ON g.id = t.grant_id
      JOIN users u ON u.id = g.user_id
      JOIN participants o ON o.id = g.user_id
      JOIN participants a ON a.id = g.agent_id
     WHERE t.grant_id = $1 AND t.kind = 'access' AND t.expires_at = $2 AND t.expires_at > $3
       AND t.revoked_at IS NULL AND g.revoked_at IS NULL
       AND u.disabled_at IS NULL AND o.deleted_at IS NULL AND a.deleted_at IS NULL";

/// Whether an access token has not ended and its user and agent are active.
pub(super) async fn access_holds(tx: &mut Tx, grant: GrantId, expires_at: Timestamp) -> Result<bool> {
    let now = tx.now();
    let good: i64 = tx.query(ACCESS).bind(grant).bind(expires_at).bind(now).fetch_value().await?;
    Ok(good > 0)
}
