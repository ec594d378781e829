//! The SQL of trust.

use svc_model::participants::ParticipantKind;

use crate::error::Result;
use crate::ids::{AgentId, MessageId, ParticipantId, UserId};
use crate::limits;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    pub(super) struct ScoreRow {
        pub(super) action_type: String,
        pub(super) score: u32,
        pub(super) adjustments: i64,
        pub(super) updated_at: Timestamp,
    }
}

const SCORES: &str = "
    SELECT action_type, score, adjustments, updated_at
      FROM trust_scores
     WHERE agent_id = $1
     ORDER BY action_type";

const SCORE: &str = "SELECT score FROM trust_scores WHERE agent_id = $1 AND action_type = $2";

const ADJUSTMENT: &str = "
    SELECT action_type, delta
      FROM trust_adjustments
     WHERE message_id = $1 AND participant_id = $2";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] =
    &[("trust.scores", SCORES), ("trust.score", SCORE), ("trust.adjustment", ADJUSTMENT)];

/// All scores of an agent, ordered by action type.
pub(super) async fn scores(tx: &mut Tx, agent: AgentId) -> Result<Vec<ScoreRow>> {
    tx.query(SCORES).bind(agent).fetch_all().await
}

/// The score of an agent for one action type.
pub(super) async fn score(tx: &mut Tx, agent: AgentId, action_type: &str) -> Result<Option<u32>> {
    let found: Option<(u32,)> = tx.query(SCORE).bind(agent).bind(action_type).fetch_optional().await?;
    Ok(found.map(|(score,)| score))
}

/// Locks a score for this transaction; creates it if it does not exist.
pub(super) async fn take(tx: &mut Tx, agent: AgentId, action_type: &str) -> Result<(i64, i64)> {
    let now = tx.now();
    tx.query(
        "INSERT INTO trust_scores (agent_id, action_type, score, adjustments, updated_at)
         VALUES ($1, $2, $3, 0, $4)
         ON CONFLICT (agent_id, action_type) DO UPDATE SET score = trust_scores.score
         RETURNING score, adjustments",
    )
    .bind(agent)
    .bind(action_type)
    .bind(limits::TRUST_BEGINNING)
    .bind(now)
    .fetch_one()
    .await
}

pub(super) async fn set(tx: &mut Tx, agent: AgentId, action_type: &str, score: i64, adjustments: i64) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE trust_scores SET score = $3, adjustments = $4, updated_at = $5 WHERE agent_id = $1 AND action_type = $2",
    )
    .bind(agent)
    .bind(action_type)
    .bind(score)
    .bind(adjustments)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The adjustment of one human for one message: action type and delta.
pub(super) async fn adjustment(tx: &mut Tx, message: MessageId, human: ParticipantId) -> Result<Option<(String, i64)>> {
    tx.query(ADJUSTMENT).bind(message).bind(human).fetch_optional().await
}

/// Stores an adjustment.
pub(super) async fn keep_adjustment(
    tx: &mut Tx,
    message: MessageId,
    human: ParticipantId,
    agent: AgentId,
    (action_type, delta): (&str, i64),
) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO trust_adjustments (message_id, participant_id, agent_id, action_type, delta, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (message_id, participant_id) DO UPDATE
            SET delta = excluded.delta, created_at = excluded.created_at",
    )
    .bind(message)
    .bind(human)
    .bind(agent)
    .bind(action_type)
    .bind(delta)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn remove_adjustment(tx: &mut Tx, message: MessageId, human: ParticipantId) -> Result<()> {
    tx.query("DELETE FROM trust_adjustments WHERE message_id = $1 AND participant_id = $2")
        .bind(message)
        .bind(human)
        .execute()
        .await?;
    Ok(())
}

crate::row! {
    pub(super) struct ParticipantRow {
        pub(super) handle: String,
        pub(super) kind: ParticipantKind,
        pub(super) owner_id: Option<UserId>,
        pub(super) score: Option<u32>,
    }
}

/// Handles per query.
const BATCH: usize = 200;

/// The participants with these lowercase handles, and the trust in the agents among them.
pub(super) async fn participants(tx: &mut Tx, keys: &[String]) -> Result<Vec<ParticipantRow>> {
    let mut found = Vec::with_capacity(keys.len());
    for keys in keys.chunks(BATCH) {
        let text = format!(
            "SELECT p.handle, p.kind,
                    CASE WHEN p.kind = 'human' THEN p.id ELSE a.owner_id END AS owner_id, t.score
               FROM participants p
               LEFT JOIN agents a ON a.id = p.id
               LEFT JOIN trust_scores t ON t.agent_id = p.id AND t.action_type = 'publish'
              WHERE p.handle_key IN ({})",
            placeholders(1, keys.len())
        );
        let query = keys.iter().fold(tx.query(text), |query, key| query.bind(key.as_str()));
        found.extend(query.fetch_all::<ParticipantRow>().await?);
    }
    Ok(found)
}
