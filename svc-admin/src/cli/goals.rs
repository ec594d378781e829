//! `svc-admin goals`.

use std::collections::BTreeMap;

use clap::Subcommand;
use svc_core::goals::{
    Goal, GoalBudget, GoalDetail, GoalPage, GoalStatus, GoalTask, GoalTaskStatus, Proposal, ProposalStatus, Spent,
    TaskRollup,
};
use svc_core::ids::{GoalId, GoalTaskId};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{when, words};
use crate::methods::goals::{
    Approve, ApproveParams, Cancel, CancelParams, Decided, GoalParams, List, ListParams, Reject, RejectParams, Show,
};

#[derive(Debug, Subcommand)]
pub(super) enum GoalsCommand {
    /// List goals: stuck ones first, then the newest.
    #[command(after_help = "Example:\n  svc-admin goals list --status stuck --owner ann")]
    List {
        /// Only goals with this status.
        #[arg(long, value_name = "STATUS", value_parser = words::goal_status())]
        status: Option<GoalStatus>,
        /// Only goals of this human.
        #[arg(long, value_name = "USERNAME")]
        owner: Option<String>,
        /// Continue after the previous page, which printed this cursor.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// Number of goals.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: i64,
    },
    /// Show a goal with its tasks, its cost and the agents that were proposed for it.
    #[command(after_help = "Example:\n  svc-admin goals show 7")]
    Show {
        /// Id of the goal, as in `goals list`.
        id: i64,
    },
    /// Approve all proposed tasks of a goal, one of them, or a proposed agent.
    #[command(after_help = "Example:\n  svc-admin goals approve 7 --task 42")]
    Approve {
        /// Id of the goal.
        id: i64,
        /// Only the task with this id, as in `goals show`.
        #[arg(long, value_name = "ID", conflicts_with = "proposal")]
        task: Option<i64>,
        /// The proposed agent with this number, as in `goals show`, instead of tasks.
        #[arg(long, value_name = "N")]
        proposal: Option<i64>,
    },
    /// Reject an agent that was proposed for a goal.
    #[command(after_help = "Example:\n  svc-admin goals reject 7 --proposal 1 --reason \"One reviewer is enough.\"")]
    Reject {
        /// Id of the goal.
        id: i64,
        /// Number of the proposal, as in `goals show`.
        #[arg(long, value_name = "N")]
        proposal: i64,
        /// The reason, which the proposer sees.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Cancel a goal, or one of its tasks. A cancelled goal stays cancelled.
    #[command(after_help = "Example:\n  svc-admin goals cancel 7 --reason \"No longer needed.\"")]
    Cancel {
        /// Id of the goal.
        id: i64,
        /// Only the task with this id, as in `goals show`.
        #[arg(long, value_name = "ID")]
        task: Option<i64>,
        /// The reason.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

pub(super) async fn run(command: &GoalsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        GoalsCommand::List { status, owner, cursor, limit } => {
            let (owner, cursor) = (owner.clone(), cursor.clone());
            let params = ListParams { status: *status, owner, cursor, limit: Some(*limit) };
            let page = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&page, draw));
            Ok(match &page.next_cursor {
                Some(next) => outcome.remark(&context.output, &format!("More with --cursor {next}.")),
                None if page.goals.is_empty() => outcome.remark(&context.output, "No goals."),
                None => outcome,
            })
        }
        GoalsCommand::Show { id } => {
            let detail = context.call::<Show>(&GoalParams { id: GoalId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&detail, draw_detail)))
        }
        GoalsCommand::Approve { id, task, proposal } => {
            let params = ApproveParams { id: GoalId(*id), task: task.map(GoalTaskId), proposal: *proposal };
            let decided = context.call::<Approve>(&params).await?;
            let sentence = match &decided {
                Decided::Goal(goal) => format!("All proposed tasks of {:?} are approved.", goal.title),
                Decided::Task(task) => format!("Task {} is {}.", task.id, task.status),
                Decided::Proposal(proposal) => format!("Agent {} is approved.", proposal.name),
            };
            Ok(Outcome::sentence(&context.output, &decided, &sentence))
        }
        GoalsCommand::Reject { id, proposal, reason } => {
            let params = RejectParams { id: GoalId(*id), proposal: *proposal, reason: reason.clone() };
            let rejected = context.call::<Reject>(&params).await?;
            Ok(Outcome::sentence(&context.output, &rejected, &format!("Agent {} is rejected.", rejected.name)))
        }
        GoalsCommand::Cancel { id, task, reason } => {
            let params = CancelParams { id: GoalId(*id), task: task.map(GoalTaskId), reason: reason.clone() };
            let decided = context.call::<Cancel>(&params).await?;
            let sentence = match task {
                Some(task) => format!("Task {task} is cancelled."),
                None => format!("Goal {id} is cancelled."),
            };
            Ok(Outcome::sentence(&context.output, &decided, &sentence))
        }
    }
}

fn tone(status: GoalStatus) -> Tone {
    match status {
        GoalStatus::Completed => Tone::Good,
        GoalStatus::Stuck => Tone::Bad,
        GoalStatus::Draft | GoalStatus::Active | GoalStatus::Cancelled => Tone::Plain,
    }
}

fn task_tone(status: GoalTaskStatus) -> Tone {
    match status {
        GoalTaskStatus::Done => Tone::Good,
        GoalTaskStatus::Failed => Tone::Bad,
        GoalTaskStatus::Proposed | GoalTaskStatus::AwaitingVerification => Tone::Warning,
        _ => Tone::Plain,
    }
}

fn proposal_tone(status: ProposalStatus) -> Tone {
    match status {
        ProposalStatus::Proposed => Tone::Warning,
        ProposalStatus::Approved => Tone::Good,
        ProposalStatus::Rejected => Tone::Plain,
    }
}

/// The money that was spent, and the limit.
fn money(usd: f64, limit: Option<f64>) -> String {
    match limit {
        Some(limit) => format!("{usd:.2} of {limit:.2} USD"),
        None => format!("{usd:.2} USD"),
    }
}

/// Money and tokens that were spent, and the limits.
fn cost(spent: Spent, budget: GoalBudget) -> String {
    let tokens = match budget.tokens {
        Some(limit) => format!("{} of {limit} tokens", spent.tokens),
        None => format!("{} tokens", spent.tokens),
    };
    format!("{}, {tokens}", money(spent.usd, budget.usd))
}

fn draw(output: &Output, page: &GoalPage) -> String {
    let now = when::now();
    let row = |goal: &Goal| {
        let counts = goal.task_counts;
        vec![
            Cell::whole(goal.id.to_string()),
            Cell::new(&goal.title),
            Cell::new(&goal.owner),
            Cell::toned(goal.status.as_str(), tone(goal.status)),
            Cell::whole(format!("{}/{}", counts.done, counts.total)),
            Cell::whole(money(goal.spent.usd, goal.budget.usd)),
            Cell::whole(when::relative(goal.updated_at, now)),
        ]
    };
    let rows: Vec<_> = page.goals.iter().map(row).collect();
    table::draw(output, &["ID", "TITLE", "OWNER", "STATUS", "DONE", "COST", "CHANGED"], &rows)
}

fn draw_detail(output: &Output, detail: &GoalDetail) -> String {
    let parts =
        [draw_goal(output, &detail.goal), draw_tasks(output, detail), draw_proposals(output, &detail.proposals)];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

fn draw_goal(output: &Output, goal: &Goal) -> String {
    let mut rows = vec![
        ("Title", Cell::new(&goal.title)),
        ("Slug", Cell::new(&goal.slug)),
        ("Status", Cell::toned(goal.status.as_str(), tone(goal.status))),
        ("Owner", Cell::new(&goal.owner)),
    ];
    let mut add = |name: &'static str, value: Option<String>| {
        if let Some(value) = value {
            rows.push((name, Cell::new(value)));
        }
    };
    add("Stuck", goal.stuck_reason.clone());
    add("Coordinator", goal.coordinator.clone());
    add("Channel", goal.channel.clone());
    add("Autonomy", Some(goal.autonomy.to_string()));
    add("Cost", Some(cost(goal.spent, goal.budget)));
    add("Created", Some(goal.created_at.to_string()));
    add("Ended", goal.completed_at.map(|at| at.to_string()));
    add("Summary", goal.completion_summary.clone());
    add("Message", goal.completion_message_id.map(|id| id.to_string()));
    table::pairs(output, &rows)
}

fn draw_tasks(output: &Output, detail: &GoalDetail) -> String {
    let sums = detail.rollup.iter().map(|sum| (sum.task_id.0, sum)).collect();
    let mut rows = Vec::new();
    add_tasks(&detail.tasks, 0, &sums, &mut rows);
    table::draw(output, &["ID", "TASK", "STATUS", "AGENT", "COST"], &rows)
}

/// Adds the rows of tasks and of all tasks below them, with indented titles.
fn add_tasks(tasks: &[GoalTask], depth: usize, sums: &BTreeMap<i64, &TaskRollup>, rows: &mut Vec<Vec<Cell>>) {
    for task in tasks {
        let usd = sums.get(&task.id.0).map_or(task.spent.usd, |sum| sum.usd);
        let agent = task.claimant.as_deref().or(task.assignee.as_deref());
        rows.push(vec![
            Cell::whole(task.id.to_string()),
            Cell::new(format!("{}{}", "  ".repeat(depth), task.title)),
            Cell::toned(task.status.as_str(), task_tone(task.status)).kept(),
            Cell::new(agent.unwrap_or_default()),
            Cell::whole(money(usd, task.budget.usd)),
        ]);
        add_tasks(&task.children, depth + 1, sums, rows);
    }
}

fn draw_proposals(output: &Output, proposals: &[Proposal]) -> String {
    let row = |proposal: &Proposal| {
        vec![
            Cell::whole(proposal.number.to_string()),
            Cell::new(&proposal.name),
            Cell::toned(proposal.status.as_str(), proposal_tone(proposal.status)),
            Cell::new(&proposal.proposer),
            Cell::new(proposal.autonomy.as_str()),
            Cell::new(proposal.budget_usd.map_or_else(String::new, |usd| format!("{usd:.2} USD"))),
            Cell::new(&proposal.purpose),
        ]
    };
    let rows: Vec<_> = proposals.iter().map(row).collect();
    table::draw(output, &["PROPOSAL", "AGENT", "STATUS", "BY", "AUTONOMY", "BUDGET", "PURPOSE"], &rows)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn task(id: i64, title: &str, status: &str, children: &[Value]) -> Value {
        json!({
            "id": id, "parent_id": null, "title": title, "description": "", "acceptance_criteria": "",
            "status": status, "assignee": "builder", "claimant": null, "lease_until": null, "depends_on": [],
            "blocked_by": [], "billing_code": null, "budget": { "usd": 5.0 }, "spent": { "usd": 1.0, "tokens": 10 },
            "verifier": { "kind": "none" }, "verifier_run_id": null, "result": null, "note": null,
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "children": children,
        })
    }

    #[test]
    fn a_goal_is_drawn_with_its_tree_and_its_proposals() {
        let below = task(2, "Build", "done", &[]);
        let mut detail = json!({
            "id": 7, "slug": "ship", "title": "Ship it", "description": "", "status": "active", "stuck_reason": null,
            "owner": "ann", "coordinator": "planner", "channel": "goal-ship", "autonomy": "supervised",
            "budget": { "usd": 20.0 }, "spent": { "usd": 2.5, "tokens": 30 }, "max_spawn_depth": 3,
            "completion_summary": null, "completion_message_id": null, "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z", "completed_at": null, "timeline_truncated": false,
        });
        detail["task_counts"] =
            json!({ "total": 2, "proposed": 1, "active": 0, "verifying": 0, "done": 1, "failed": 0 });
        detail["tasks"] = json!([task(1, "Release", "proposed", &[below])]);
        detail["rollup"] = json!([{ "task_id": 1, "usd": 2.5, "tokens": 30, "tasks": 2, "done": 1 }]);
        for empty in ["billing", "spawned_agents", "timeline"] {
            detail[empty] = json!([]);
        }
        detail["proposals"] = json!([{
            "number": 1, "name": "checker", "purpose": "Checks.", "instructions": "", "tools": null,
            "budget_usd": 3.0, "autonomy": "supervised", "proposer": "planner", "depth": 1, "status": "proposed",
            "reason": null, "decided_by": null, "created_at": "2026-01-01T00:00:00Z", "decided_at": null,
        }]);
        let detail: GoalDetail = serde_json::from_value(detail).unwrap();
        let drawn = draw_detail(&Output::pipe(), &detail);
        for line in [
            "Cost         2.50 of 20.00 USD, 30 tokens",
            "1   Release  proposed  builder  2.50 of 5.00 USD",
            "2     Build  done      builder  1.00 of 5.00 USD",
            "1         checker  proposed  planner  supervised  3.00 USD  Checks.",
        ] {
            assert!(drawn.lines().any(|drawn| drawn == line), "{line:?} is missing in\n{drawn}");
        }
    }
}
