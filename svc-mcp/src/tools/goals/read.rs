//! `get_goal`: one goal within a token budget, or the list of goals.
//!
//! Invariants: the goal itself is always shown; what does not fit is counted in `omitted`. Tasks take most of the room,
//! then proposals, agents and billing, then the newest entries of the timeline; room that is left goes to more tasks.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::goals::{
    Autonomy, BillingLine, Goal, GoalDetail, GoalFilter, GoalStatus, GoalTask, SpawnedAgent, TaskRollup, TimelineEntry,
};
use svc_core::ids::{GoalId, GoalTaskId, MessageId, RunId};
use svc_core::{Timestamp, limits};

use super::ShownProposal;
use super::shown::{Cost, ShownGoal, ShownTask, cut, flat, plain};
use crate::answers;
use crate::budget::Budget;
use crate::catalogue::{Answer, Call, Outcome};
use crate::paging::{PageCursor, offset};

/// Tokens reserved for the JSON around the parts.
const FRAME: u32 = 60;
/// Minimum size of a truncated description, in tokens.
const LEAST_TEXT: usize = 40;
/// Part of the room that tasks take before the other parts.
const TASKS_PERCENT: usize = 60;
/// Maximum size of each text of a task that waits for a verification, in tokens.
const TASK_TEXT: usize = 200;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetGoal {
    /// goal
    #[serde(default)]
    #[schemars(range(min = 1))]
    goal_id: Option<i64>,
}

/// A goal with its parts, or a list of goals.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct GoalAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<Vec<GoalLine>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<ShownGoal>,
    /// A parent before its children.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<ShownTask>,
    /// Cost by billing code, the largest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    billing: Vec<Billed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spawned_agents: Vec<Spawned>,
    /// The newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proposals: Vec<ShownProposal>,
    /// The oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timeline: Vec<Moved>,
    /// Whether the timeline has older entries than those that are counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    older: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<Omitted>,
    /// Cursor to read on in the tasks or goals.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

/// The number of omitted items of each part.
#[derive(Default, PartialEq, Eq, Serialize, JsonSchema)]
struct Omitted {
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<usize>,
    /// In characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tasks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billing: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spawned_agents: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proposals: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeline: Option<usize>,
}

impl Omitted {
    fn or_none(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}

/// A goal in a list.
#[derive(Serialize, JsonSchema)]
struct GoalLine {
    #[schemars(with = "answers::Id")]
    goal_id: GoalId,
    slug: String,
    title: String,
    #[schemars(with = "answers::GoalStatus")]
    status: GoalStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinator: Option<String>,
    spent: Cost,
}

impl From<Goal> for GoalLine {
    fn from(goal: Goal) -> Self {
        Self {
            goal_id: goal.id,
            slug: goal.slug,
            title: plain(&goal.title),
            status: goal.status,
            stuck_reason: goal.stuck_reason.as_deref().map(plain),
            coordinator: goal.coordinator,
            spent: goal.spent.into(),
        }
    }
}

/// The cost that is billed to one code.
#[derive(Serialize, JsonSchema)]
struct Billed {
    /// Absent for the cost without a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    usd: f64,
    tokens: i64,
}

impl From<BillingLine> for Billed {
    fn from(BillingLine { code, usd, tokens }: BillingLine) -> Self {
        Self { code: code.as_deref().map(plain), usd, tokens }
    }
}

/// An agent that was approved for the goal.
#[derive(Serialize, JsonSchema)]
struct Spawned {
    name: String,
    purpose: String,
    proposal: i64,
    proposer: String,
    depth: u32,
    #[schemars(with = "answers::Autonomy")]
    autonomy: Autonomy,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    deleted: bool,
}

impl From<SpawnedAgent> for Spawned {
    fn from(agent: SpawnedAgent) -> Self {
        Self {
            name: agent.name,
            purpose: plain(&agent.purpose),
            proposal: agent.proposal,
            proposer: agent.proposer,
            depth: agent.depth,
            autonomy: agent.autonomy,
            deleted: agent.deleted,
        }
    }
}

/// An entry of the timeline.
#[derive(Serialize, JsonSchema)]
struct Moved {
    kind: &'static str,
    #[schemars(with = "answers::Moment")]
    at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    task_id: Option<GoalTaskId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    run_id: Option<RunId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    message_id: Option<MessageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl From<TimelineEntry> for Moved {
    fn from(entry: TimelineEntry) -> Self {
        Self {
            kind: entry.kind.as_str(),
            at: entry.at,
            by: entry.by,
            task_id: entry.task_id,
            subject: entry.subject.as_deref().map(plain),
            from: entry.from,
            to: entry.to,
            usd: entry.usd,
            tokens: entry.tokens,
            run_id: entry.run_id,
            message_id: entry.message_id,
            text: entry.text.as_deref().map(plain),
        }
    }
}

pub(super) async fn get_goal(call: Call, args: GetGoal) -> Outcome {
    let Some(id) = args.goal_id else { return list(&call).await };
    let from = usize::try_from(offset(call.cursor.as_deref())?).unwrap_or(usize::MAX);
    let detail = call.hub.goals().get(&call.caller, GoalId(id)).await?;
    Answer::of(&fit(detail, from, call.max_tokens))
}

/// The goals of the caller's owner.
async fn list(call: &Call) -> Outcome {
    let place = PageCursor::parse(call.cursor.as_deref())?;
    let limit = Some(i64::from(limits::PAGE_DEFAULT));
    let filter = GoalFilter { status: None, owner: None, cursor: place.page.clone(), limit };
    let page = call.hub.goals().list(&call.caller, filter).await?;
    let lines = page.goals.into_iter().map(GoalLine::from).collect();
    let (goals, rest) = place.fit(call.max_tokens, lines, page.next_cursor);
    let left = rest.omitted.and_then(|left| usize::try_from(left).ok());
    let omitted = Omitted { goals: left, ..Omitted::default() }.or_none();
    Answer::of(&GoalAnswer { goals: Some(goals), omitted, cursor: rest.cursor, ..GoalAnswer::default() })
}

/// As many of these items as fit, and the number of the others.
fn some<T: Serialize>(budget: &mut Budget, items: impl IntoIterator<Item = T>) -> (Vec<T>, Option<usize>) {
    let mut items = items.into_iter();
    let mut taken = Vec::new();
    let mut left = 0;
    for item in items.by_ref() {
        if !budget.pay(&item) {
            left = 1;
            break;
        }
        taken.push(item);
    }
    left += items.count();
    (taken, Some(left).filter(|left| *left > 0))
}

/// The parts of a goal that fit; its tasks from a position on.
fn fit(detail: GoalDetail, from: usize, max_tokens: u32) -> GoalAnswer {
    let GoalDetail { goal, tasks, rollup, billing, spawned_agents, proposals, timeline, timeline_truncated } = detail;
    let mut omitted = Omitted::default();
    let mut budget = Budget::of(max_tokens.saturating_sub(FRAME));
    let mut description = plain(&goal.description);
    let mut shown = ShownGoal::from(goal);
    if from == 0 && !description.is_empty() {
        let left = cut(&mut description, (budget.left() / 4).max(LEAST_TEXT));
        omitted.description = Some(left).filter(|left| *left > 0);
        shown.description = Some(description);
    }
    if !budget.pay(&shown) {
        budget = Budget::of(0);
    }
    let mut lines = Lines::new(&tasks, &rollup, from);
    let (mut for_tasks, others) = budget.split(TASKS_PERCENT);
    let mut listed = lines.take(&mut for_tasks);
    budget = others.and(for_tasks);
    let mut answer = GoalAnswer { goal: Some(shown), ..GoalAnswer::default() };
    if from == 0 {
        (answer.proposals, omitted.proposals) = some(&mut budget, proposals.into_iter().map(ShownProposal::from));
        (answer.spawned_agents, omitted.spawned_agents) =
            some(&mut budget, spawned_agents.into_iter().map(Spawned::from));
        (answer.billing, omitted.billing) = some(&mut budget, billing.into_iter().map(Billed::from));
        (answer.timeline, omitted.timeline) = some(&mut budget, timeline.into_iter().rev().map(Moved::from));
        answer.timeline.reverse();
        answer.older = timeline_truncated;
    }
    listed.extend(lines.take(&mut budget));
    // A cursor that does not move on would be read forever.
    if listed.is_empty() {
        listed.extend(lines.first());
    }
    omitted.tasks = Some(lines.left()).filter(|left| *left > 0);
    answer.cursor = omitted.tasks.map(|_| (from + listed.len()).to_string());
    answer.tasks = listed;
    answer.omitted = omitted.or_none();
    answer
}

/// The tasks of a goal as lines, taken one after the other.
struct Lines<'g> {
    tasks: std::iter::Skip<std::vec::IntoIter<&'g GoalTask>>,
    next: Option<ShownTask>,
    rollup: HashMap<GoalTaskId, &'g TaskRollup>,
}

impl<'g> Lines<'g> {
    fn new(roots: &'g [GoalTask], rollup: &'g [TaskRollup], from: usize) -> Self {
        let rollup = rollup.iter().map(|line| (line.task_id, line)).collect();
        Self { tasks: flat(roots).into_iter().skip(from), next: None, rollup }
    }

    /// The next line, whatever it costs.
    fn first(&mut self) -> Option<ShownTask> {
        let rollup = &self.rollup;
        let line = |task: &GoalTask| ShownTask::line(task, rollup.get(&task.id).copied(), TASK_TEXT);
        self.next.take().or_else(|| self.tasks.next().map(line))
    }

    /// As many lines as fit.
    fn take(&mut self, budget: &mut Budget) -> Vec<ShownTask> {
        let mut taken = Vec::new();
        while let Some(line) = self.first() {
            if !budget.pay(&line) {
                self.next = Some(line);
                break;
            }
            taken.push(line);
        }
        taken
    }

    fn left(&self) -> usize {
        self.tasks.len() + usize::from(self.next.is_some())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::budget::tokens;

    const AT: &str = "2026-01-01T00:00:00Z";

    fn task(id: i64, children: &[Value]) -> Value {
        json!({
            "id": id, "title": format!("Task {id}"), "description": "x".repeat(4000), "acceptance_criteria": "",
            "status": "approved", "depends_on": [], "blocked_by": [], "budget": {}, "spent": { "usd": 0.0, "tokens": 0 },
            "verifier": { "kind": "none" }, "created_at": AT, "updated_at": AT, "children": children,
        })
    }

    fn detail(tasks: i64) -> GoalDetail {
        let children: Vec<Value> = (2..=tasks).map(|id| task(id, &[])).collect();
        let entry = |text: String| json!({ "kind": "message", "at": AT, "by": "ann", "text": text });
        let timeline: Vec<Value> = (0..50).map(|number| entry(format!("entry {number}"))).collect();
        let all = json!({
            "id": 5, "slug": "goal", "title": "Goal", "description": "words ".repeat(2000), "status": "active",
            "owner": "ann", "autonomy": "supervised", "budget": { "usd": 5.0 }, "spent": { "usd": 1.0, "tokens": 2 },
            "task_counts": { "total": tasks, "proposed": 0, "active": 0, "verifying": 0, "done": 0, "failed": 0 },
            "max_spawn_depth": 3, "created_at": AT, "updated_at": AT, "tasks": [task(1, &children)],
            "rollup": [{ "task_id": 1, "usd": 1.0, "tokens": 2, "tasks": tasks, "done": 0 }],
            "billing": [{ "code": null, "usd": 1.0, "tokens": 2 }], "spawned_agents": [], "proposals": [],
            "timeline": timeline, "timeline_truncated": true,
        });
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn a_goal_fits_its_room_and_says_what_is_left_out() {
        for room in [800, 2000, 8000] {
            let answer = fit(detail(200), 0, room);
            let text = serde_json::to_string(&answer).unwrap();
            assert!(tokens(&text) <= room as usize, "{room}: {}", tokens(&text));
            assert!(!text.contains("null"), "{text}");
            let omitted = answer.omitted.unwrap();
            assert_eq!(omitted.tasks.unwrap_or(0) + answer.tasks.len(), 200);
            assert_eq!(omitted.timeline.unwrap_or(0) + answer.timeline.len(), 50);
            assert!(omitted.description.is_some() || room == 8000);
            assert!(
                answer.older && answer.timeline.last().is_none_or(|entry| entry.text.as_deref() == Some("entry 49"))
            );
        }
    }

    #[test]
    fn the_cursor_reads_every_task_once() {
        let (mut from, mut seen) = (0, Vec::new());
        loop {
            let answer = fit(detail(60), from, 300);
            seen.extend(
                answer.tasks.iter().map(|task| serde_json::to_value(task).unwrap()["task_id"].as_i64().unwrap()),
            );
            let Some(cursor) = answer.cursor else { break };
            from = cursor.parse().unwrap();
        }
        assert_eq!(seen, (1..=60).collect::<Vec<_>>());
    }
}
