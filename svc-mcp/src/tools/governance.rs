//! What the agent may still spend, and its reputation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::Timestamp;
use svc_core::auth::Actor;
use svc_core::governance::{BudgetUse, CountUse, MoneyUse, PausedReason, ReputationFilter};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::error::Refusal;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("get_budget", Effect::Reads, "Your budget left, and your reputation.", get_budget)
            .for_agents()
            .answers::<Standing>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A limit and its use.
#[derive(Serialize, JsonSchema)]
struct Use {
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<f64>,
    spent: f64,
    reserved: f64,
}

impl From<MoneyUse> for Use {
    fn from(used: MoneyUse) -> Self {
        Self { limit: used.limit, spent: used.spent, reserved: used.reserved }
    }
}

impl From<CountUse> for Use {
    #[expect(clippy::cast_precision_loss, reason = "limits are far below the precision of the number")]
    fn from(used: CountUse) -> Self {
        Self { limit: used.limit.map(|limit| limit as f64), spent: used.spent as f64, reserved: used.reserved as f64 }
    }
}

#[derive(Serialize, JsonSchema)]
struct Standing {
    period: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    ends_at: Option<Timestamp>,
    usd: Use,
    tokens: Use,
    runs: Use,
    runs_today: Use,
    /// why the hub does not run you
    #[serde(skip_serializing_if = "Option::is_none")]
    paused: Option<&'static str>,
    /// 0 to 1; below 0.3 you are quarantined
    reputation: f64,
    quarantined: bool,
}

async fn get_budget(call: Call, _: Nothing) -> Outcome {
    let Actor::Agent(agent) = call.caller.actor() else {
        return Err(Refusal::new("agent_required", "This key is a person's: use the key of an agent."));
    };
    let governance = call.hub.governance();
    let BudgetUse { period, ends_at, usd, tokens, runs, daily_runs, paused_reason, .. } =
        governance.budget(&call.caller, &agent.name).await?;
    let filter = ReputationFilter { limit: Some(1), ..ReputationFilter::default() };
    let reputation = governance.reputation(&call.caller, &agent.name, filter).await?;
    Answer::of(&Standing {
        period: period.as_str(),
        ends_at,
        usd: usd.into(),
        tokens: tokens.into(),
        runs: runs.into(),
        runs_today: daily_runs.into(),
        paused: paused_reason.map(PausedReason::as_str),
        reputation: reputation.score,
        quarantined: reputation.quarantined_at.is_some(),
    })
}
