//! Budgets of goals: a warning at 80 %, and a goal that is stuck at 100 %.

use svc_model::goals::{GoalStatus, TimelineKind};

use super::record::{self, HUB};
use super::store::{self, GoalRow, NewEntry};
use super::{channel, notice};
use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;

/// Why a goal is stuck whose budget is used up.
pub(super) const STUCK: &str = "budget";

/// How much of its budget a goal has used, in percent: of money or of tokens, whichever is more. `None` without limits.
pub(super) fn used_percent(goal: &GoalRow) -> Option<i64> {
    let percent = |spent: i64, limit: Option<i64>| match limit? {
        0 => Some(if spent > 0 { 100 } else { 0 }),
        limit => Some((i128::from(spent) * 100 / i128::from(limit)).try_into().unwrap_or(i64::MAX)),
    };
    percent(goal.spent_usd, goal.budget_usd).max(percent(goal.spent_tokens, goal.budget_tokens))
}

/// Warns the owner and the channel of a goal once at 80 %, and makes it stuck at 100 %. The goal is locked.
pub(super) async fn evaluate(tx: &mut Tx, goal: &GoalRow) -> Result<()> {
    let Some(percent) = used_percent(goal).filter(|percent| *percent >= limits::BUDGET_WARNING_PERCENT) else {
        return Ok(());
    };
    if percent >= 100 {
        return exhaust(tx, goal).await;
    }
    if goal.status.is_final() || !store::note_warning(tx, goal.id).await? {
        return Ok(());
    }
    alert(tx, goal, &format!("{percent} % of the budget is used.")).await
}

async fn exhaust(tx: &mut Tx, goal: &GoalRow) -> Result<()> {
    if !matches!(goal.status, GoalStatus::Draft | GoalStatus::Active) {
        return Ok(());
    }
    // A warning after the end would be of no use.
    store::note_warning(tx, goal.id).await?;
    let goal = record::move_goal(tx, &HUB, goal, GoalStatus::Stuck, Some(STUCK)).await?;
    alert(tx, &goal, "its budget is used up, so its tasks cannot be claimed. Raise the budget to go on.").await
}

async fn alert(tx: &mut Tx, goal: &GoalRow, words: &str) -> Result<()> {
    let entry = NewEntry { text: Some(words), ..NewEntry::default() };
    store::insert_entry(tx, goal.id, TimelineKind::Alert, &entry).await?;
    let statement = notice::about(goal, words);
    notice::budget(tx, goal, &statement).await?;
    channel::announce(tx, goal, &statement).await
}
