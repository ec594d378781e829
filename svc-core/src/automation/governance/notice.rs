//! What owners are told, and the audit entries and events beside it.

use serde_json::json;
use svc_model::audit::AuditEvent;
use svc_model::events::{AgentChanged, EventBody, LoopChanged};
use svc_model::governance::{LoopKind, PausedReason, Resource};

use super::store::{Governed, LoopRow};
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Caller, Visit};
use crate::ids::{ParticipantId, UserId};
use crate::limits;
use crate::messaging::messages::{self, Statement};
use crate::store::db::Tx;
use crate::surface::Surface;

/// A change of an agent that its owner is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Quarantined,
    Released,
    Paused(PausedReason),
    Resumed,
    BudgetWarned,
}

impl Change {
    fn word(self) -> &'static str {
        match self {
            Self::Quarantined => "quarantined",
            Self::Released => "released",
            Self::Paused(_) => "paused",
            Self::Resumed => "resumed",
            Self::BudgetWarned => "budget_warned",
        }
    }

    fn event(self, changed: AgentChanged) -> EventBody {
        match self {
            Self::Quarantined => EventBody::AgentQuarantined(changed),
            Self::Released => EventBody::AgentReleased(changed),
            Self::Paused(_) => EventBody::AgentPaused(changed),
            Self::Resumed => EventBody::AgentResumed(changed),
            Self::BudgetWarned => EventBody::AgentBudgetWarned(changed),
        }
    }
}

/// Records a change of an agent: in the log, and in the audit log. It was made by a caller, or by the hub.
pub(super) async fn record(tx: &mut Tx, agent: &Governed, change: Change, by: Option<&Caller>) -> Result<()> {
    let entry = match by {
        Some(caller) => NewEntry::by(AuditEvent::AgentStateChanged, caller),
        None => NewEntry::new(AuditEvent::AgentStateChanged, &Visit::through(Surface::Worker)),
    };
    let mut entry =
        entry.about(agent.owner_id, &agent.owner).detail("agent", agent.name.as_str()).detail("action", change.word());
    if let Change::Paused(reason) = change {
        entry = entry.detail("reason", reason.as_str());
    }
    audit::record(tx, &entry).await?;
    let changed =
        AgentChanged { agent: Some(agent.name.clone()), agent_id: Some(agent.id), owner_id: Some(agent.owner_id) };
    tx.record(change.event(changed)).await?;
    Ok(())
}

/// Tells the owner that an agent was quarantined.
pub(super) async fn quarantined(tx: &mut Tx, agent: &Governed, score: f64) -> Result<()> {
    let (name, least) = (&agent.name, limits::REPUTATION_QUARANTINE);
    let words = format!(
        "@{name} was quarantined, because its reputation fell to {score:.2}; the least is {least}. It gets no new runs. \
         Its last failures are in GET /api/agents/{name}/reputation. Lift the quarantine when it is mended: earlier \
         entries no longer count then."
    );
    let metadata = json!({ "governance": { "agent": name, "kind": "quarantined", "score": score } });
    tell(tx, agent.owner_id, words, metadata).await
}

/// Tells the owner that most of a budget is used.
pub(super) async fn warned(tx: &mut Tx, agent: &Governed, (resource, percent): (Resource, i64)) -> Result<()> {
    let (name, what) = (&agent.name, noun(resource));
    let words = format!(
        "@{name} has used {percent} % of its budget of {what}. At 100 % it is paused until the period turns, the limit \
         is raised or you resume it."
    );
    let metadata =
        json!({ "governance": { "agent": name, "kind": "budget_warned", "resource": resource, "percent": percent } });
    tell(tx, agent.owner_id, words, metadata).await
}

/// Tells the owner that a budget is used up.
pub(super) async fn used_up(tx: &mut Tx, agent: &Governed, (resource, percent): (Resource, i64)) -> Result<()> {
    let (name, what) = (&agent.name, noun(resource));
    let words = format!(
        "@{name} is paused, because its budget of {what} is used up ({percent} %). It goes on when the period turns. \
         Raise the limit to let it go on earlier, or resume it: that adds the limits once more for this period."
    );
    let metadata =
        json!({ "governance": { "agent": name, "kind": "budget_used_up", "resource": resource, "percent": percent } });
    tell(tx, agent.owner_id, words, metadata).await
}

fn noun(resource: Resource) -> &'static str {
    match resource {
        Resource::Usd => "money",
        Resource::Tokens => "tokens",
        Resource::Runs | Resource::DailyRuns => "runs",
    }
}

/// Records that a loop was held or lifted.
pub(super) async fn record_loop(tx: &mut Tx, held: &LoopRow, is_held: bool, by: Option<&Caller>) -> Result<()> {
    let entry = match by {
        Some(caller) => NewEntry::by(AuditEvent::LoopChanged, caller),
        None => {
            NewEntry::new(AuditEvent::LoopChanged, &Visit::through(Surface::Worker)).about(held.owner_id, &held.owner)
        }
    };
    let entry = entry
        .detail("loop", held.id.0)
        .detail("action", if is_held { "held" } else { "lifted" })
        .detail("kind", held.kind.as_str())
        .detail("agent", held.agent.as_str())
        .detail("other", held.other.as_deref());
    audit::record(tx, &entry).await?;
    let changed = LoopChanged {
        loop_id: held.id,
        kind: held.kind,
        agent_id: held.agent_id,
        agent: held.agent.clone(),
        owner_id: held.owner_id,
        other_id: held.other_id,
        other: held.other.clone(),
        other_owner_id: held.other_owner_id,
    };
    tx.record(if is_held { EventBody::LoopHeld(changed) } else { EventBody::LoopLifted(changed) }).await?;
    Ok(())
}

/// Tells the owners of both agents that a loop is held, and what was seen.
pub(super) async fn loop_held(tx: &mut Tx, held: &LoopRow) -> Result<()> {
    let (id, count, agent) = (held.id, held.count, &held.agent);
    let minutes = limits::LOOP_WINDOW.as_secs() / 60;
    let saw = match (held.kind, &held.other) {
        (LoopKind::Exchange, Some(other)) => {
            format!("@{agent} and @{other} answered each other {count} times within {minutes} minutes without a human.")
        }
        (LoopKind::Repetition, Some(other)) => {
            let compared = limits::LOOP_COMPARED;
            format!("{count} of the last {compared} messages between @{agent} and @{other} say almost the same.")
        }
        (_, Some(other)) => format!("One of @{agent} and @{other} sent the other {count} messages in a minute."),
        (_, None) => format!("@{agent} sent {count} messages in a minute in one conversation."),
    };
    let what = match &held.other {
        Some(_) => "Messages between these two start no runs and are not sent to webhooks",
        None => "Its messages there start no runs and are not sent to webhooks",
    };
    let words = format!(
        "This looks like a loop: {saw} {what} until {}. Everything else goes on. Lift it earlier with POST \
         /api/loops/{id}/lift.",
        held.until
    );
    let metadata = json!({ "governance": {
        "kind": "loop", "loop_id": id, "loop": held.kind, "agent": agent, "other": held.other, "count": count,
    } });
    let owners = [Some(held.owner_id), held.other_owner_id.filter(|owner| *owner != held.owner_id)];
    for owner in owners.into_iter().flatten() {
        tell(tx, owner, words.clone(), metadata.clone()).await?;
    }
    Ok(())
}

async fn tell(tx: &mut Tx, owner: UserId, words: String, metadata: serde_json::Value) -> Result<()> {
    messages::notify(tx, ParticipantId(owner.0), &Statement::default().say(words), metadata).await?;
    Ok(())
}
