//! Goals and tasks as they are shown.

use std::collections::BTreeMap;

use svc_model::goals::{GoalDetail, GoalTask};

use super::store::{self, GoalRow};
use crate::error::{Error, Result};
use crate::ids::{GoalTaskId, UserId};
use crate::store::db::Tx;

/// A goal with everything that is known of it.
pub(super) async fn detail(tx: &mut Tx, goal: GoalRow) -> Result<GoalDetail> {
    let tasks = tree(tx, &goal).await?;
    let rollup = store::rollup(tx, goal.id).await?;
    let billing = store::billing(tx, goal.id).await?;
    let proposals = store::proposals(tx, goal.id).await?;
    let (timeline, timeline_truncated) = store::timeline(tx, &goal).await?;
    Ok(GoalDetail {
        goal: goal.shown(),
        tasks,
        rollup,
        billing,
        spawned_agents: proposals.iter().rev().filter_map(store::ProposalRow::spawned).collect(),
        proposals: proposals.into_iter().map(store::ProposalRow::shown).collect(),
        timeline,
        timeline_truncated,
    })
}

/// The roots of the tree of a goal.
async fn tree(tx: &mut Tx, goal: &GoalRow) -> Result<Vec<GoalTask>> {
    let depends_on = store::dependencies(tx, goal.id).await?;
    let mut below: BTreeMap<Option<GoalTaskId>, Vec<GoalTask>> = BTreeMap::new();
    for task in store::tasks(tx, goal.id).await? {
        let others = depends_on.get(&task.id).map(Vec::as_slice).unwrap_or_default();
        below.entry(task.parent_id).or_default().push(task.shown(others));
    }
    Ok(grown(&mut below, None))
}

fn grown(below: &mut BTreeMap<Option<GoalTaskId>, Vec<GoalTask>>, parent: Option<GoalTaskId>) -> Vec<GoalTask> {
    let mut tasks = below.remove(&parent).unwrap_or_default();
    for task in &mut tasks {
        task.children = grown(below, Some(task.id));
    }
    tasks
}

/// A task without its children.
pub(super) async fn task(tx: &mut Tx, owner: Option<UserId>, id: GoalTaskId) -> Result<GoalTask> {
    let row = store::task(tx, owner, id).await?.ok_or_else(|| Error::not_found("task"))?;
    let depends_on = store::dependencies(tx, row.goal_id).await?;
    let others = depends_on.get(&id).map(Vec::as_slice).unwrap_or_default();
    Ok(row.shown(others))
}
