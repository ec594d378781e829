//! Updates of an agent.

use svc_model::agents::{Agent, AgentSettings, TriggerMode};
use svc_model::events::{AgentChanged, EventBody};
use svc_model::governance::{Budget, PausedReason};

use super::service::{existing, reach};
use super::store;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::identity::{api_keys, participants};
use crate::ids::ParticipantId;
use crate::store::db::Tx;

/// Updates the given settings of an agent and leaves the rest unchanged. Returns the agent before and after; its row
/// stays locked for this transaction.
pub(crate) async fn update(
    tx: &mut Tx,
    caller: &Caller,
    name: &str,
    settings: &AgentSettings,
) -> Result<(Agent, Agent)> {
    let before = store::held(tx, reach(caller), name).await?;
    let mut agent = before.clone();
    if let Some(display_name) = &settings.display_name {
        participants::set_display_name(tx, ParticipantId(agent.id.0), display_name).await?;
    }
    if let Some(profile) = settings.mcp_profile {
        api_keys::store::set_agent_profile(tx, agent.id, profile).await?;
    }
    let was_reactive = agent.trigger_mode == TriggerMode::Reactive;
    apply(&mut agent, settings.clone(), tx.now());
    store::update(tx, &agent).await?;
    if agent.trigger_mode == TriggerMode::Reactive && !was_reactive {
        store::note_reactive(tx, agent.id).await?;
    }
    let owner = store::owner_of(tx, agent.id).await?;
    let changed = AgentChanged { agent: Some(agent.name.clone()), agent_id: None, owner_id: Some(owner) };
    tx.record(EventBody::AgentUpdated(changed)).await?;
    Ok((before, existing(tx, reach(caller), name).await?))
}

fn apply(agent: &mut Agent, settings: AgentSettings, now: crate::timestamp::Timestamp) {
    let AgentSettings {
        display_name: _,
        mcp_profile: _,
        trigger_mode,
        cooldown_seconds,
        daily_run_budget,
        budget,
        max_trigger_depth,
        k8s_image,
        harness,
        agent_md,
        paused,
        quarantined,
    } = settings;
    set(&mut agent.trigger_mode, trigger_mode);
    set(&mut agent.cooldown_seconds, cooldown_seconds);
    set(&mut agent.daily_run_budget, daily_run_budget);
    set(&mut agent.budget, budget.map(|budget| Some(budget).filter(|budget| !Budget::is_empty(budget))));
    set(&mut agent.max_trigger_depth, max_trigger_depth);
    set(&mut agent.k8s_image, k8s_image.map(|image| Some(image).filter(|image| !image.is_empty())));
    set(&mut agent.harness, harness);
    set(&mut agent.agent_md, agent_md);
    // Pausing a paused agent keeps the original time.
    let since = agent.paused_at.or(Some(now));
    set(&mut agent.paused_at, paused.map(|paused| if paused { since } else { None }));
    set(&mut agent.paused_reason, paused.map(|paused| paused.then_some(PausedReason::Manual)));
    if quarantined == Some(false) {
        agent.quarantined_at = None;
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
