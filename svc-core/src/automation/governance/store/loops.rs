//! The SQL of loops.

use svc_model::governance::{Loop, LoopKind};

use crate::error::Result;
use crate::ids::{AgentId, ConversationId, LoopId, ParticipantId, UserId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The two agents of a loop, or the one that floods a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Pair {
    pub(crate) agent: AgentId,
    pub(crate) other: Option<AgentId>,
}

impl Pair {
    /// Two agents, the smaller id first.
    pub(crate) fn of(one: AgentId, other: AgentId) -> Self {
        Self { agent: one.min(other), other: Some(one.max(other)) }
    }

    /// An agent alone.
    pub(crate) fn alone(agent: AgentId) -> Self {
        Self { agent, other: None }
    }
}

/// A loop to be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NewLoop {
    pub(crate) kind: LoopKind,
    pub(crate) pair: Pair,
    pub(crate) conversation: ConversationId,
    pub(crate) count: u32,
}

/// Holds a loop. Returns `None` when one of the same agents is held already.
pub(crate) async fn insert_loop(tx: &mut Tx, new: &NewLoop) -> Result<Option<LoopId>> {
    let now = tx.now();
    end_expired(tx, new).await?;
    let inserted = tx
        .query(
            "INSERT INTO loops (kind, agent_id, other_id, conversation_id, count, held_at, until)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT DO NOTHING
             RETURNING id",
        )
        .bind(new.kind)
        .bind(new.pair.agent)
        .bind(new.pair.other)
        .bind(new.conversation)
        .bind(new.count)
        .bind(now)
        .bind(now.plus(limits::LOOP_HOLD));
    Ok(inserted.fetch_optional::<(LoopId,)>().await?.map(|(id,)| id))
}

/// Ends loops of the same agents whose time is over, so that another one can be held.
async fn end_expired(tx: &mut Tx, new: &NewLoop) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE loops SET lifted_at = until
          WHERE lifted_at IS NULL AND agent_id = $1 AND until <= $4
            AND (other_id = $2 OR (other_id IS NULL AND $2 IS NULL AND conversation_id = $3))",
    )
    .bind(new.pair.agent)
    .bind(new.pair.other)
    .bind(new.conversation)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) const HELD: &str = "
    SELECT until
      FROM loops
     WHERE lifted_at IS NULL AND until > $1 AND agent_id = $2
       AND (other_id = $3 OR (other_id IS NULL AND $3 IS NULL AND conversation_id = $4))
     LIMIT 1";

/// Until when a loop of these agents is held, if there is one.
pub(crate) async fn held_until(tx: &mut Tx, pair: Pair, conversation: ConversationId) -> Result<Option<Timestamp>> {
    let now = tx.now();
    let found = tx.query(HELD).bind(now).bind(pair.agent).bind(pair.other).bind(conversation);
    Ok(found.fetch_optional::<(Timestamp,)>().await?.map(|(until,)| until))
}

pub(super) const LAST_END: &str = "
    SELECT max(coalesce(lifted_at, until))
      FROM loops
     WHERE agent_id = $1 AND (other_id = $2 OR (other_id IS NULL AND $2 IS NULL AND conversation_id = $3))";

/// When the last loop of these agents ended, or will.
pub(crate) async fn last_end(tx: &mut Tx, pair: Pair, conversation: ConversationId) -> Result<Option<Timestamp>> {
    tx.query(LAST_END).bind(pair.agent).bind(pair.other).bind(conversation).fetch_value().await
}

/// Selects loops as they are shown at the time `$1`. One whose time is over is lifted, whoever has noticed.
macro_rules! select_loops {
    ($rest:literal) => {
        concat!(
            "SELECT l.id, l.kind, p.handle AS agent, q.handle AS other, l.conversation_id, l.count, l.held_at, l.until,
                    coalesce(l.lifted_at, CASE WHEN l.until <= $1 THEN l.until END) AS lifted_at,
                    h.handle AS lifted_by
               FROM loops l
               JOIN participants p ON p.id = l.agent_id
               LEFT JOIN participants q ON q.id = l.other_id
               LEFT JOIN participants h ON h.id = l.lifted_by
              WHERE ",
            $rest
        )
    };
}

/// The loops that a caller can access: those of the agents of a user, of one agent, or all.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LoopScope {
    All,
    Owner(UserId),
    Agent(AgentId),
}

const OF_ALL: &str = select_loops!(
    "($2 IS NULL OR (l.lifted_at IS NULL AND l.until > $1) = $2) AND $3 = 0 AND ($4 IS NULL OR l.id = $4)
      ORDER BY l.id DESC LIMIT $5"
);
const OF_OWNER: &str = select_loops!(
    "($2 IS NULL OR (l.lifted_at IS NULL AND l.until > $1) = $2) AND ($4 IS NULL OR l.id = $4)
     AND l.id IN (SELECT x.id FROM agents a JOIN loops x ON x.agent_id = a.id WHERE a.owner_id = $3
                  UNION SELECT y.id FROM agents b JOIN loops y ON y.other_id = b.id WHERE b.owner_id = $3)
      ORDER BY l.id DESC LIMIT $5"
);
const OF_AGENT: &str = select_loops!(
    "($2 IS NULL OR (l.lifted_at IS NULL AND l.until > $1) = $2) AND ($4 IS NULL OR l.id = $4)
     AND l.id IN (SELECT x.id FROM loops x WHERE x.agent_id = $3 UNION SELECT y.id FROM loops y WHERE y.other_id = $3)
      ORDER BY l.id DESC LIMIT $5"
);

/// The loops that a caller can access, newest first.
pub(crate) async fn loops(tx: &mut Tx, scope: LoopScope, held: Option<bool>, id: Option<LoopId>) -> Result<Vec<Loop>> {
    let now = tx.now();
    let (text, whose) = match scope {
        LoopScope::All => (OF_ALL, 0),
        LoopScope::Owner(user) => (OF_OWNER, user.0),
        LoopScope::Agent(agent) => (OF_AGENT, agent.0),
    };
    tx.query(text).bind(now).bind(held).bind(whose).bind(id).bind(limits::LOOPS_LISTED).fetch_all().await
}

/// Lifts a loop. Returns whether it was held.
pub(crate) async fn lift(tx: &mut Tx, id: LoopId, by: Option<ParticipantId>) -> Result<bool> {
    let now = tx.now();
    let lifted = tx
        .query("UPDATE loops SET lifted_at = $2, lifted_by = $3 WHERE id = $1 AND lifted_at IS NULL AND until > $2")
        .bind(id)
        .bind(now)
        .bind(by);
    Ok(lifted.execute().await? == 1)
}

crate::row! {
    /// A loop with the ids of those whom it concerns.
    #[derive(Debug, Clone)]
    pub(crate) struct LoopRow {
        pub(crate) id: LoopId,
        pub(crate) kind: LoopKind,
        pub(crate) agent_id: AgentId,
        pub(crate) agent: String,
        pub(crate) owner_id: UserId,
        pub(crate) owner: String,
        pub(crate) other_id: Option<AgentId>,
        pub(crate) other: Option<String>,
        pub(crate) other_owner_id: Option<UserId>,
        pub(crate) count: u32,
        pub(crate) until: Timestamp,
    }
}

/// A loop with those whom it concerns.
pub(crate) async fn concerned(tx: &mut Tx, id: LoopId) -> Result<LoopRow> {
    tx.query(
        "SELECT l.id, l.kind, l.agent_id, p.handle AS agent, a.owner_id, o.handle AS owner, l.other_id,
                q.handle AS other, b.owner_id AS other_owner_id, l.count, l.until
           FROM loops l
           JOIN participants p ON p.id = l.agent_id
           JOIN agents a ON a.id = l.agent_id
           JOIN participants o ON o.id = a.owner_id
           LEFT JOIN participants q ON q.id = l.other_id
           LEFT JOIN agents b ON b.id = l.other_id
          WHERE l.id = $1",
    )
    .bind(id)
    .fetch_one()
    .await
}

pub(super) const DUE: &str = "SELECT id FROM loops WHERE lifted_at IS NULL AND until <= $1 ORDER BY until LIMIT $2";

/// Loops whose time is over.
pub(crate) async fn due(tx: &mut Tx, limit: u32) -> Result<Vec<LoopId>> {
    let now = tx.now();
    let found: Vec<(LoopId,)> = tx.query(DUE).bind(now).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Records that the time of a loop is over. Returns `false` when it was lifted before.
pub(crate) async fn expire(tx: &mut Tx, id: LoopId) -> Result<bool> {
    let expired = tx.query("UPDATE loops SET lifted_at = until WHERE id = $1 AND lifted_at IS NULL").bind(id);
    Ok(expired.execute().await? == 1)
}

/// Lifts the loops of an agent that is being deleted.
pub(crate) async fn lift_of_agent(tx: &mut Tx, agent: AgentId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE loops SET lifted_at = $2 WHERE lifted_at IS NULL AND (agent_id = $1 OR other_id = $1)")
        .bind(agent)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Removes loops that were lifted long ago. Returns their number.
pub(crate) async fn sweep_loops(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(
        "DELETE FROM loops
          WHERE id IN (SELECT id FROM loops WHERE lifted_at IS NOT NULL AND lifted_at < $1 ORDER BY lifted_at LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}

/// The number of loops that are held.
pub(crate) async fn held_count(tx: &mut Tx) -> Result<i64> {
    let now = tx.now();
    tx.query("SELECT count(*) FROM loops WHERE lifted_at IS NULL AND until > $1").bind(now).fetch_value().await
}
