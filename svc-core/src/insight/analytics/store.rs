//! The SQL of analytics.

use std::fmt::Write as _;
use std::sync::LazyLock;

use svc_model::analytics::{AgentRank, ChannelRank};

use super::buckets::Grain;
use super::rollup::Key;
use crate::error::Result;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{AgentId, UserId};
use crate::insight::traces;
use crate::store::db::{Query, Tx};
use crate::timestamp::Timestamp;

/// The senders that a query covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everybody.
    All,
    /// A human and all their agents, deleted ones included.
    Of(UserId),
    /// One agent.
    Only(AgentId),
}

impl Scope {
    pub(super) fn of(caller: &Caller) -> Self {
        match caller.actor() {
            Actor::Root => Self::All,
            Actor::User(user) => Self::Of(user.id),
            Actor::Agent(agent) => Self::Only(agent.id),
        }
    }

    /// SQL condition: a column contains one of their ids; the id is bound at this placeholder.
    fn holds(self, column: &str, placeholder: u8) -> String {
        match self {
            // 0 stands for nobody.
            Self::All => format!("{column} <> 0"),
            Self::Of(_) => format!("{column} IN ({})", human_and_agents(placeholder)),
            Self::Only(_) => format!("{column} = ${placeholder}"),
        }
    }

    /// SQL condition: an agent `a` is one of them.
    fn has_agent(self, placeholder: u8) -> String {
        match self {
            Self::All => "a.id <> 0".to_owned(),
            Self::Of(_) => format!("a.owner_id = ${placeholder}"),
            Self::Only(_) => format!("a.id = ${placeholder}"),
        }
    }

    /// SQL condition: a channel `c` is visible, because it is public or one of them is a member.
    fn sees_channel(self, placeholder: u8) -> String {
        let member = self.holds("m.participant_id", placeholder);
        match self {
            Self::All => "c.archived_at IS NULL".to_owned(),
            Self::Of(_) | Self::Only(_) => format!(
                "c.archived_at IS NULL AND (c.public
                   OR EXISTS (SELECT 1 FROM channel_members m WHERE m.channel_id = c.id AND {member}))"
            ),
        }
    }

    /// Binds the id, if there is one.
    fn bind(self, query: Query<'_>) -> Query<'_> {
        match self {
            Self::All => query,
            Self::Of(owner) => query.bind(owner),
            Self::Only(agent) => query.bind(agent),
        }
    }
}

/// SELECT of the ids of a human and of all their agents.
fn human_and_agents(placeholder: u8) -> String {
    format!(
        "SELECT me.id FROM participants me WHERE me.id = ${placeholder}
          UNION ALL SELECT mine.id FROM agents mine WHERE mine.owner_id = ${placeholder}"
    )
}

const ADD: &str = "
    INSERT INTO message_rollups (sender_id, grain, bucket, channel_id, recipient_id, messages)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (sender_id, grain, bucket, channel_id, recipient_id)
    DO UPDATE SET messages = message_rollups.messages + excluded.messages";

const ADD_TOTAL: &str = "
    INSERT INTO message_totals (sender_id, messages)
    VALUES ($1, $2)
    ON CONFLICT (sender_id)
    DO UPDATE SET messages = message_totals.messages + excluded.messages";

const OLDEST: &str = "
    SELECT min(bucket)
      FROM message_rollups
     WHERE grain = $1";

/// Removes at most one day of five-minute or hourly counts.
const SWEEP: &str = "
    DELETE FROM message_rollups
     WHERE grain = $1
       AND bucket < $2
       AND bucket < (SELECT min(bucket) FROM message_rollups WHERE grain = $1) + 86400000000";

/// Adds to a count.
pub(super) async fn add(tx: &mut Tx, key: Key, messages: i64) -> Result<()> {
    let Key { sender, grain, bucket, channel, recipient } = key;
    let query = tx.query(ADD).bind(sender).bind(grain.as_str()).bind(bucket).bind(channel).bind(recipient);
    query.bind(messages).execute().await?;
    Ok(())
}

/// Adds to the all-time total of a sender.
pub(super) async fn add_total(tx: &mut Tx, sender: i64, messages: i64) -> Result<()> {
    tx.query(ADD_TOTAL).bind(sender).bind(messages).execute().await?;
    Ok(())
}

/// The start of the oldest bucket.
pub(super) async fn oldest(tx: &mut Tx, grain: Grain) -> Result<Option<Timestamp>> {
    tx.query(OLDEST).bind(grain.as_str()).fetch_value().await
}

/// Removes the oldest day of counts from before this time.
pub(super) async fn sweep(tx: &mut Tx, grain: Grain, before: Timestamp) -> Result<u64> {
    tx.query(SWEEP).bind(grain.as_str()).bind(before).execute().await
}

/// Grouped by an expression, because otherwise SQLite would scan all buckets to get them in order.
fn over_time(column: &str, scope: Scope) -> String {
    format!(
        "SELECT r.bucket + 0 AS bucket, CAST(sum(r.messages) AS BIGINT) AS messages
           FROM message_rollups r
          WHERE r.grain = $1 AND r.bucket >= $2 AND {}
          GROUP BY r.bucket + 0",
        scope.holds(column, 3)
    )
}

/// Sent messages by bucket.
pub(super) async fn sent(tx: &mut Tx, scope: Scope, grain: Grain, since: Timestamp) -> Result<Vec<(Timestamp, i64)>> {
    let query = tx.query(over_time("r.sender_id", scope)).bind(grain.as_str()).bind(since);
    scope.bind(query).fetch_all().await
}

/// Received direct messages by bucket.
pub(super) async fn received(
    tx: &mut Tx,
    scope: Scope,
    grain: Grain,
    since: Timestamp,
) -> Result<Vec<(Timestamp, i64)>> {
    let query = tx.query(over_time("r.recipient_id", scope)).bind(grain.as_str()).bind(since);
    scope.bind(query).fetch_all().await
}

fn lately_text(scope: Scope) -> String {
    format!(
        "SELECT CAST(coalesce(sum(CASE WHEN r.bucket >= $1 THEN r.messages ELSE 0 END), 0) AS BIGINT) AS today,
                CAST(coalesce(sum(r.messages), 0) AS BIGINT) AS week
           FROM message_rollups r
          WHERE r.grain = 'day' AND r.bucket >= $2 AND {}",
        scope.holds("r.sender_id", 3)
    )
}

/// Messages sent today and this week.
pub(super) async fn lately(tx: &mut Tx, scope: Scope, today: Timestamp, week: Timestamp) -> Result<(i64, i64)> {
    let query = tx.query(lately_text(scope)).bind(today).bind(week);
    scope.bind(query).fetch_one().await
}

fn total_text(scope: Scope) -> String {
    match scope {
        // One lookup per sender, because PostgreSQL would otherwise read all totals.
        Scope::Of(_) => format!(
            "SELECT CAST(coalesce(sum((SELECT t.messages FROM message_totals t WHERE t.sender_id = who.id)), 0)
                    AS BIGINT)
               FROM ({}) who",
            human_and_agents(1)
        ),
        Scope::All | Scope::Only(_) => format!(
            "SELECT CAST(coalesce(sum(t.messages), 0) AS BIGINT) FROM message_totals t WHERE {}",
            scope.holds("t.sender_id", 1)
        ),
    }
}

/// All messages sent.
pub(super) async fn total(tx: &mut Tx, scope: Scope) -> Result<i64> {
    scope.bind(tx.query(total_text(scope))).fetch_value().await
}

fn top_agents_text(scope: Scope) -> String {
    format!(
        "SELECT p.handle AS name, p.display_name, CAST(sum(r.messages) AS BIGINT) AS messages
           FROM agents a
           JOIN participants p ON p.id = a.id
           JOIN message_rollups r ON r.sender_id = a.id
          WHERE r.grain = $1 AND r.bucket >= $2 AND p.deleted_at IS NULL AND {}
          GROUP BY p.handle, p.display_name
          ORDER BY sum(r.messages) DESC, p.handle
          LIMIT $3",
        scope.has_agent(4)
    )
}

/// The agents that sent the most messages.
pub(super) async fn top_agents(
    tx: &mut Tx,
    scope: Scope,
    grain: Grain,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<AgentRank>> {
    let query = tx.query(top_agents_text(scope)).bind(grain.as_str()).bind(since).bind(limit);
    scope.bind(query).fetch_all().await
}

fn top_channels_text(scope: Scope, allowed: usize) -> String {
    let taken = if scope == Scope::All { 3 } else { 4 };
    format!(
        "SELECT c.name, CAST(sum(r.messages) AS BIGINT) AS messages
           FROM message_rollups r
           JOIN channels c ON c.id = r.channel_id
          WHERE r.grain = $1 AND r.bucket >= $2 AND r.channel_id <> 0 AND {}{}
          GROUP BY c.name
          ORDER BY sum(r.messages) DESC, c.name
          LIMIT $3",
        scope.sees_channel(4),
        among(allowed, taken)
    )
}

/// SQL condition: a channel has one of these names, bound after the placeholders already taken;
/// empty if there are no names.
fn among(names: usize, taken: usize) -> String {
    let mut text = String::new();
    for placeholder in taken + 1..=taken + names {
        let before = if text.is_empty() { " AND c.name IN (" } else { ", " };
        // Writing to a string does not fail.
        write!(text, "{before}${placeholder}").ok();
    }
    if names > 0 {
        text.push(')');
    }
    text
}

/// The visible channels with the most messages.
pub(super) async fn top_channels(
    tx: &mut Tx,
    scope: Scope,
    allowed: &[String],
    (grain, since): (Grain, Timestamp),
    limit: u32,
) -> Result<Vec<ChannelRank>> {
    let query = tx.query(top_channels_text(scope, allowed.len())).bind(grain.as_str()).bind(since).bind(limit);
    allowed.iter().fold(scope.bind(query), |query, name| query.bind(name.as_str())).fetch_all().await
}

/// The number of visible channels.
pub(super) async fn channels(tx: &mut Tx, scope: Scope, allowed: &[String]) -> Result<i64> {
    let taken = usize::from(scope != Scope::All);
    let text =
        format!("SELECT count(*) FROM channels c WHERE {}{}", scope.sees_channel(1), among(allowed.len(), taken));
    let query = scope.bind(tx.query(text));
    allowed.iter().fold(query, |query, name| query.bind(name.as_str())).fetch_value().await
}

/// The number of agents.
pub(super) async fn agents(tx: &mut Tx, scope: Scope) -> Result<i64> {
    let text = format!(
        "SELECT count(*)
           FROM agents a
           JOIN participants p ON p.id = a.id
          WHERE p.deleted_at IS NULL AND {}",
        scope.has_agent(1)
    );
    scope.bind(tx.query(text)).fetch_value().await
}

/// The number of agents that were active since this time.
pub(super) async fn active_agents(
    tx: &mut Tx,
    scope: Scope,
    trace_scope: &traces::TraceScope,
    since: Timestamp,
) -> Result<i64> {
    match (scope, trace_scope) {
        (Scope::Of(owner), _) => traces::store::active_agents_of(tx, owner, since).await,
        (_, traces::TraceScope::Agent { owner, name }) => traces::store::is_active(tx, *owner, name, since).await,
        _ => traces::store::active_agents(tx, since).await,
    }
}

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    static LISTED: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let scopes = [("owner", Scope::Of(UserId(1))), ("agent", Scope::Only(AgentId(1)))];
        let mut listed = vec![("analytics.top_channels all".to_owned(), top_channels_text(Scope::All, 0))];
        for (who, scope) in scopes {
            listed.push((format!("analytics.sent {who}"), over_time("r.sender_id", scope)));
            listed.push((format!("analytics.received {who}"), over_time("r.recipient_id", scope)));
            listed.push((format!("analytics.lately {who}"), lately_text(scope)));
            listed.push((format!("analytics.total {who}"), total_text(scope)));
            listed.push((format!("analytics.top_agents {who}"), top_agents_text(scope)));
            listed.push((format!("analytics.top_channels {who}"), top_channels_text(scope, 0)));
        }
        listed
    });
    let fixed = [("analytics.oldest", OLDEST), ("analytics.sweep", SWEEP)];
    fixed.into_iter().chain(LISTED.iter().map(|(name, text)| (name.as_str(), text.as_str()))).collect()
}
