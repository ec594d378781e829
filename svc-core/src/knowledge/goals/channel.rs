//! The private channel of a goal.

use serde_json::json;

use super::store::{self, GoalRow};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::messaging::channels;
use crate::messaging::messages::{self, Statement};
use crate::store::db::Tx;

/// The name of the channel of a goal with this slug.
pub(super) fn name(slug: &str) -> String {
    format!("goal-{slug}")
}

/// Makes the coordinator, the assignees and the claimants members of the channel, and no other agent of the owner.
pub(super) async fn follow(tx: &mut Tx, goal: &GoalRow) -> Result<()> {
    let Some(channel) = &goal.channel else { return Ok(()) };
    let agents = store::agents(tx, goal.id).await?;
    channels::set_agents(tx, channel, goal.owner_id, &agents).await
}

/// Posts a statement of the hub in the channel of a goal, unless it is archived.
pub(super) async fn announce(tx: &mut Tx, goal: &GoalRow, statement: &Statement) -> Result<()> {
    let Some(channel) = goal.channel.as_deref().filter(|_| !goal.is_archived) else { return Ok(()) };
    let system = messages::system(tx).await?;
    let room = channels::for_posting(tx, &Caller::root(), &system, channel).await?;
    let metadata = json!({ "goal": { "id": goal.id, "slug": goal.slug } });
    messages::announce(tx, &system, &room, statement, metadata).await?;
    Ok(())
}
