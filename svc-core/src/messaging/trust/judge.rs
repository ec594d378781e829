//! Adjusting trust after human reactions, and requiring trust for agent actions.

use serde_json::Value;

use svc_model::events::{EventBody, TrustChanged};

use super::rule::{self, Verdict};
use super::store;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::{AgentId, MessageId, ParticipantId, UserId};
use crate::limits;
use crate::store::db::Tx;

/// A human's reactions to a message of an agent, before and after a change.
pub(crate) struct Judgement<'a> {
    pub(crate) message: MessageId,
    pub(crate) human: ParticipantId,
    pub(crate) agent: AgentId,
    pub(crate) agent_name: &'a str,
    pub(crate) owner: Option<UserId>,
    /// The metadata of the message.
    pub(crate) metadata: &'a Value,
    pub(crate) before: Option<Verdict>,
    pub(crate) after: Option<Verdict>,
}

/// Adjusts the trust, in the transaction that changes a reaction; the message is already locked.
pub(crate) async fn judge(tx: &mut Tx, judgement: &Judgement<'_>) -> Result<()> {
    let Judgement { message, human, agent, agent_name, owner, metadata, before, after } = *judgement;
    if before == after {
        return Ok(());
    }
    let existing = store::adjustment(tx, message, human).await?;
    let action_type = existing.as_ref().map_or_else(|| rule::action_type(metadata), |(action_type, _)| action_type);
    let applied = existing.as_ref().map_or(0, |(_, delta)| *delta);
    let (score, adjustments) = store::take(tx, agent, action_type).await?;
    let (score, delta) = rule::adjusted(score, applied, after);
    let adjustments = adjustments - i64::from(existing.is_some()) + i64::from(after.is_some());
    store::set(tx, agent, action_type, score, adjustments).await?;
    if after.is_some() {
        store::keep_adjustment(tx, message, human, agent, (action_type, delta)).await?;
    } else {
        store::remove_adjustment(tx, message, human).await?;
    }
    let score = shown(score);
    let changed = TrustChanged {
        agent_id: agent,
        agent: agent_name.to_owned(),
        owner_id: owner,
        action_type: action_type.to_owned(),
        score,
    };
    tx.record(EventBody::TrustChanged(changed)).await?;
    Ok(())
}

/// Fails unless the trust in an agent for an action reaches the threshold.
pub(crate) async fn require(tx: &mut Tx, agent: AgentId, action_type: &str, threshold: u32) -> Result<()> {
    let score = store::score(tx, agent, action_type).await?.unwrap_or(beginning());
    if score >= threshold {
        return Ok(());
    }
    let (score, threshold) = (rule::number(score), rule::number(threshold));
    Err(Error::new(
        ErrorKind::Forbidden,
        "trust_too_low",
        format!(
            "Your trust for {action_type} is {score}, but this channel requires {threshold}. Let a human do this, or \
             earn their approval first."
        ),
    )
    .with_detail("action", action_type)
    .with_detail("score", score)
    .with_detail("required", threshold))
}

fn beginning() -> u32 {
    u32::try_from(limits::TRUST_BEGINNING).unwrap_or(0)
}

fn shown(score: i64) -> f64 {
    rule::number(u32::try_from(score).unwrap_or(0))
}
