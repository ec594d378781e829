//! Goals when agents and accounts are deleted.

use svc_model::goals::GoalStatus;

use super::channel;
use super::claim::release;
use super::end::move_to;
use super::record::{self, About, HUB};
use super::service::held;
use super::store;
use crate::error::Result;
use crate::ids::{AgentId, UserId};
use crate::store::db::Tx;

const AGENT_DELETED: &str = "the agent was deleted";
const OWNER_DELETED: &str = "the account of the owner was deleted";

/// Takes an agent that is deleted out of all goals: its tasks can be claimed again, by anybody.
pub(crate) async fn release_all_of(tx: &mut Tx, agent: AgentId) -> Result<()> {
    for id in store::of_agent(tx, agent).await? {
        let goal = held(tx, &HUB, id).await?;
        for task in store::tasks(tx, id).await? {
            let claim = store::active_claim(tx, task.id).await?;
            if claim.is_some_and(|claim| claim.agent_id == agent) {
                release(tx, &goal, &task, AGENT_DELETED).await?;
            }
        }
        store::forget_agent(tx, id, agent).await?;
        let goal = record::reread(tx, id).await?;
        channel::follow(tx, &goal).await?;
        record::changed(tx, &HUB, &goal, About::default()).await?;
    }
    Ok(())
}

/// Cancels the goals of a human whose account is deleted.
pub(crate) async fn end_all_of(tx: &mut Tx, owner: UserId) -> Result<()> {
    for id in store::open_of(tx, owner).await? {
        let goal = held(tx, &HUB, id).await?;
        store::set_completion(tx, id, Some(OWNER_DELETED), None).await?;
        move_to(tx, &HUB, &goal, GoalStatus::Cancelled, Some(OWNER_DELETED)).await?;
    }
    Ok(())
}
