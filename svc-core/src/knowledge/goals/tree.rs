//! Proposing a task tree: all of it is stored, or nothing.
//!
//! A later tree replaces the tasks that nobody has begun. Tasks that were begun are kept, with the tasks above them. A node
//! with the title of a kept task is that task: it stays as it is, and the children of the node are added to it.

use std::collections::{BTreeMap, BTreeSet};

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::{GoalDetail, GoalStatus, GoalTaskStatus, Plan, PlannedTask, TaskNode, TimelineKind, title_key};

use super::create::{own_agent, require_open};
use super::decide::{Ready, tell_ready};
use super::end::is_autonomous;
use super::notice::Waits;
use super::record::{self, About};
use super::service::{Goals, Scope, held};
use super::store::{self, GoalRow, NewEntry, Placed, TaskRow};
use super::{channel, notice};
use crate::error::{Error, FieldError, Result};
use crate::identity::auth::Caller;
use crate::ids::{AgentId, GoalId, GoalTaskId};
use crate::limits;
use crate::store::db::Tx;

#[boxed_futures]
impl Goals {
    /// Stores a task tree: all of it or nothing. The first one makes a draft active; a later one replaces the tasks that
    /// nobody has begun, and keeps the rest.
    pub async fn propose_tree(&self, caller: &Caller, id: GoalId, tree: Vec<TaskNode>) -> Result<GoalDetail> {
        let scope = Scope::of(caller, Permission::Write)?;
        let plan = Plan::checked(tree)?;
        let once = caller.idempotency("goals.propose_tree", &(id, &plan))?;
        let input = (caller.clone(), scope, id, plan);
        self.db
            .write_once(once, input, |tx, (caller, scope, id, plan)| Box::pin(propose(tx, caller, scope, *id, plan)))
            .await?;
        self.get(caller, id).await
    }
}

async fn propose(tx: &mut Tx, caller: &Caller, scope: &Scope, id: GoalId, plan: &Plan) -> Result<()> {
    let goal = held(tx, scope, id).await?;
    require_open(&goal)?;
    let standing = store::tasks(tx, id).await?;
    let kept = Kept::of(&standing);
    let (assignees, verifiers) = resolve(tx, &goal, plan).await?;
    check(&goal, &kept, plan)?;
    for task in standing.iter().filter(|task| task.status.is_unbegun() && !kept.ids.contains(&task.id)) {
        store::delete_task(tx, task.id).await?;
    }
    let replaced = standing.len() - store::tasks(tx, id).await?.len();
    let (count, mut position) = store::extent(tx, id).await?;
    if count + i64::try_from(plan.tasks.len()).unwrap_or(i64::MAX) > limits::GOAL_TASKS_EVER {
        let message = format!("A goal has at most {} tasks, with cancelled ones.", limits::GOAL_TASKS_EVER);
        return Err(Error::conflict("too_many_tasks", message));
    }
    let status =
        if is_autonomous(tx, caller, &goal).await? { GoalTaskStatus::Approved } else { GoalTaskStatus::Proposed };
    let mut ids = Vec::with_capacity(plan.tasks.len());
    let mut added = Vec::new();
    for (index, planned) in plan.tasks.iter().enumerate() {
        if let Some(known) = kept.find(planned) {
            ids.push(known.id);
            continue;
        }
        position += 1;
        let parent = planned.parent.map(|parent| ids[parent]);
        let at = Placed { parent, position, assignee: assignees[index], verifier: verifiers[index], status };
        let new = store::insert_task(tx, &goal, planned, &at).await?;
        added.push(new);
        ids.push(new);
    }
    depend(tx, &kept, plan, &ids).await?;
    finish(tx, scope, &goal, Outcome { added, replaced, status }).await
}

/// The tasks that a proposal added, with their status, and the number of those that it replaced.
struct Outcome {
    added: Vec<GoalTaskId>,
    replaced: usize,
    status: GoalTaskStatus,
}

/// Makes a draft active, and records and tells what was proposed.
async fn finish(tx: &mut Tx, scope: &Scope, goal: &GoalRow, outcome: Outcome) -> Result<()> {
    let Outcome { added, replaced, status } = outcome;
    let count = added.len();
    let text = if replaced == 0 {
        format!("{count} tasks proposed")
    } else {
        format!("{count} tasks proposed, {replaced} replaced")
    };
    let entry = NewEntry { by: scope.by, to: Some(status.as_str()), text: Some(&text), ..NewEntry::default() };
    store::insert_entry(tx, goal.id, TimelineKind::Tree, &entry).await?;
    store::touch(tx, goal.id).await?;
    let mut goal = record::reread(tx, goal.id).await?;
    channel::follow(tx, &goal).await?;
    if goal.status == GoalStatus::Draft {
        goal = record::move_goal(tx, scope, &goal, GoalStatus::Active, None).await?;
    } else {
        record::changed(tx, scope, &goal, About { is_move: true, ..About::default() }).await?;
    }
    if added.is_empty() {
        return Ok(());
    }
    match status {
        GoalTaskStatus::Proposed if scope.name.as_deref() != Some(&goal.owner) => {
            let by = scope.name.as_deref().unwrap_or("the operator");
            let words = format!("@{by} proposes {count} tasks. Approve them on the page of the goal.");
            notice::owner_decides(tx, &goal, Waits::Tasks(&added), &notice::about(&goal, &words)).await
        }
        GoalTaskStatus::Proposed => Ok(()),
        _ => tell_ready(tx, &goal, Ready::Among(&added)).await,
    }
}

/// The tasks of a goal that a new tree keeps.
struct Kept<'a> {
    ids: BTreeSet<GoalTaskId>,
    by_title: BTreeMap<&'a str, &'a TaskRow>,
    by_id: BTreeMap<GoalTaskId, &'a TaskRow>,
}

impl<'a> Kept<'a> {
    fn of(standing: &'a [TaskRow]) -> Self {
        let all: BTreeMap<_, _> = standing.iter().map(|task| (task.id, task)).collect();
        let mut ids = BTreeSet::new();
        for task in standing {
            let is_begun = match task.status {
                GoalTaskStatus::Cancelled => task.spent_usd > 0 || task.spent_tokens > 0,
                status => !status.is_unbegun(),
            };
            let mut next = is_begun.then_some(task.id);
            while let Some(id) = next {
                next = if ids.insert(id) { all.get(&id).and_then(|task| task.parent_id) } else { None };
            }
        }
        let is_named = |task: &&TaskRow| ids.contains(&task.id) && task.status != GoalTaskStatus::Cancelled;
        let by_title = standing.iter().filter(is_named).map(|task| (task.title_key.as_str(), task)).collect();
        let by_id = standing.iter().filter(|task| ids.contains(&task.id)).map(|task| (task.id, task)).collect();
        Self { ids, by_title, by_id }
    }

    fn find(&self, planned: &PlannedTask) -> Option<&'a TaskRow> {
        self.by_title.get(title_key(&planned.node.title).as_str()).copied()
    }

    fn depth(&self, id: GoalTaskId) -> usize {
        let mut depth = 0;
        let mut next = Some(id);
        while let Some(id) = next {
            depth += 1;
            next = self.by_id.get(&id).and_then(|task| task.parent_id);
        }
        depth
    }
}

/// The agents that a plan names. All that are not agents of the owner are reported at once.
async fn resolve(tx: &mut Tx, goal: &GoalRow, plan: &Plan) -> Result<(Vec<Option<AgentId>>, Vec<Option<AgentId>>)> {
    let mut known: BTreeMap<String, Option<AgentId>> = BTreeMap::new();
    let (mut assignees, mut verifiers, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for task in &plan.tasks {
        let verifier = task.node.verifier.as_ref().and_then(|verifier| verifier.by.as_deref());
        for (field, name, list) in
            [("assignee", task.node.assignee.as_deref(), &mut assignees), ("verifier.by", verifier, &mut verifiers)]
        {
            let Some(name) = name else {
                list.push(None);
                continue;
            };
            let field = format!("{}.{field}", task.path);
            let found = match known.get(name) {
                Some(Some(id)) => Ok(*id),
                _ => own_agent(tx, goal.owner_id, &field, name).await,
            };
            match found {
                Ok(id) => {
                    known.insert(name.to_owned(), Some(id));
                    list.push(Some(id));
                }
                Err(error) if !error.fields().is_empty() => {
                    faults.extend_from_slice(error.fields());
                    list.push(None);
                }
                Err(error) => return Err(error),
            }
        }
    }
    if faults.is_empty() { Ok((assignees, verifiers)) } else { Err(Error::invalid_fields(faults)) }
}

/// Checks a plan against the goal and the tasks that are kept: depth, number, dependencies and budgets.
fn check(goal: &GoalRow, kept: &Kept<'_>, plan: &Plan) -> Result<()> {
    let mut faults = Vec::new();
    let titles: BTreeSet<_> = plan.tasks.iter().map(|task| title_key(&task.node.title)).collect();
    let mut depths: Vec<usize> = Vec::with_capacity(plan.tasks.len());
    for task in &plan.tasks {
        let depth = match kept.find(task) {
            Some(known) => kept.depth(known.id),
            None => task.parent.map_or(1, |parent| depths[parent] + 1),
        };
        depths.push(depth);
        if depth > limits::GOAL_TREE_DEPTH {
            let message = format!("is too deep: a tree has at most {} levels", limits::GOAL_TREE_DEPTH);
            faults.push(FieldError { field: task.path.clone(), message });
        }
        for (index, title) in task.node.depends_on.iter().flatten().enumerate() {
            let key = title_key(title);
            if !titles.contains(&key) && !kept.by_title.contains_key(key.as_str()) {
                let message = "is not the title of a task of this goal".to_owned();
                faults.push(FieldError { field: format!("{}.depends_on[{index}]", task.path), message });
            }
        }
    }
    let new = plan.tasks.iter().filter(|task| kept.find(task).is_none()).count();
    if kept.by_title.len() + new > limits::GOAL_TASKS_MAX {
        let message =
            format!("has too many tasks: a goal has at most {} with those that were begun", limits::GOAL_TASKS_MAX);
        faults.push(FieldError { field: "tree".into(), message });
    }
    faults.extend(budgets(goal, kept, plan));
    if faults.is_empty() { Ok(()) } else { Err(Error::invalid_fields(faults)) }
}

/// Budgets of new tasks that, with those of kept ones, exceed the budget of the goal or of a kept task above them.
fn budgets(goal: &GoalRow, kept: &Kept<'_>, plan: &Plan) -> Vec<FieldError> {
    // The sums below the goal itself, `None`, and below each kept task.
    let mut sums: BTreeMap<Option<GoalTaskId>, (i64, i64)> = BTreeMap::new();
    let mut add = |parent, usd: Option<i64>, tokens: Option<i64>| {
        let sum = sums.entry(parent).or_default();
        *sum = (sum.0.saturating_add(usd.unwrap_or(0)), sum.1.saturating_add(tokens.unwrap_or(0)));
        *sum
    };
    for task in kept.by_title.values() {
        add(task.parent_id, task.budget_usd, task.budget_tokens);
    }
    let mut faults = Vec::new();
    for task in plan.tasks.iter().filter(|task| kept.find(task).is_none()) {
        let above = task.parent.map(|parent| kept.find(&plan.tasks[parent]));
        let (parent, usd, tokens) = match above {
            None => (None, goal.budget_usd, goal.budget_tokens),
            Some(Some(known)) => (Some(known.id), known.budget_usd, known.budget_tokens),
            // Budgets below a new task were checked with the plan.
            Some(None) => continue,
        };
        let sum = add(parent, task.budget().micros(), task.node.budget_tokens);
        let whose = if parent.is_none() { "the goal" } else { "the task above it" };
        for (field, sum, limit) in [("budget_usd", sum.0, usd), ("budget_tokens", sum.1, tokens)] {
            if limit.is_some_and(|limit| sum > limit) {
                let message = format!("exceeds, with the budgets beside it, that of {whose}");
                faults.push(FieldError { field: format!("{}.{field}", task.path), message });
            }
        }
    }
    faults
}

/// Stores the dependencies of the new tasks.
async fn depend(tx: &mut Tx, kept: &Kept<'_>, plan: &Plan, ids: &[GoalTaskId]) -> Result<()> {
    let positions: BTreeMap<_, _> =
        plan.tasks.iter().zip(ids).map(|(task, id)| (title_key(&task.node.title), *id)).collect();
    for (task, id) in plan.tasks.iter().zip(ids).filter(|(task, _)| kept.find(task).is_none()) {
        for title in task.node.depends_on.iter().flatten() {
            let key = title_key(title);
            let on = positions.get(&key).copied().or_else(|| kept.by_title.get(key.as_str()).map(|task| task.id));
            if let Some(on) = on {
                store::insert_dependency(tx, *id, on).await?;
            }
        }
    }
    Ok(())
}
