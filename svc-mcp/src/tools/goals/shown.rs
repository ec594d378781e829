//! Goals and tasks as an agent reads them: no empty fields, texts of others neutralized.

use schemars::JsonSchema;
use serde::Serialize;
use svc_core::Timestamp;
use svc_core::formats::neutral;
use svc_core::goals::{
    Autonomy, Goal, GoalBudget, GoalStatus, GoalTask, GoalTaskStatus, Spent, TaskCounts, TaskRollup, Verifier,
    VerifierKind,
};
use svc_core::ids::{GoalId, GoalTaskId, MessageId, RunId};

use crate::answers;
use crate::budget::beginning;

/// Copies a text of somebody without markup that imitates another turn.
pub(super) fn plain(text: &str) -> String {
    neutral(text).into_owned()
}

/// A text, if it has any content.
fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| plain(text))
}

/// Money and tokens. Amounts of zero are left out.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub(super) struct Amount {
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<i64>,
}

impl Amount {
    /// An amount of dollars and tokens; `None` if both are zero.
    pub(super) fn of(usd: f64, tokens: i64) -> Option<Self> {
        let amount = Self { usd: Some(usd).filter(|usd| *usd > 0.0), tokens: Some(tokens).filter(|count| *count > 0) };
        (amount.usd.is_some() || amount.tokens.is_some()).then_some(amount)
    }

    fn limit(budget: GoalBudget) -> Option<Self> {
        let amount = Self { usd: budget.usd, tokens: budget.tokens };
        (amount.usd.is_some() || amount.tokens.is_some()).then_some(amount)
    }
}

/// Dollars and tokens that were spent.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct Cost {
    usd: f64,
    tokens: i64,
}

impl From<Spent> for Cost {
    fn from(Spent { usd, tokens }: Spent) -> Self {
        Self { usd, tokens }
    }
}

/// The number of tasks, by what they wait for. Zeros are left out.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Counts {
    total: i64,
    #[serde(skip_serializing_if = "is_zero")]
    proposed: i64,
    #[serde(skip_serializing_if = "is_zero")]
    active: i64,
    #[serde(skip_serializing_if = "is_zero")]
    verifying: i64,
    #[serde(skip_serializing_if = "is_zero")]
    done: i64,
    #[serde(skip_serializing_if = "is_zero")]
    failed: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

impl From<TaskCounts> for Counts {
    fn from(counts: TaskCounts) -> Self {
        let TaskCounts { total, proposed, active, verifying, done, failed } = counts;
        Self { total, proposed, active, verifying, done, failed }
    }
}

/// A goal as an agent reads it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ShownGoal {
    #[schemars(with = "answers::Id")]
    goal_id: GoalId,
    slug: String,
    title: String,
    #[schemars(with = "answers::GoalStatus")]
    pub(super) status: GoalStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    owner: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[schemars(with = "answers::Autonomy")]
    autonomy: Autonomy,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<Amount>,
    spent: Cost,
    task_counts: Counts,
    max_spawn_depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    completion_summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    completion_message_id: Option<MessageId>,
    #[schemars(with = "answers::Moment")]
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    completed_at: Option<Timestamp>,
}

impl From<Goal> for ShownGoal {
    /// The goal without its description.
    fn from(goal: Goal) -> Self {
        Self {
            goal_id: goal.id,
            slug: goal.slug,
            title: plain(&goal.title),
            status: goal.status,
            stuck_reason: goal.stuck_reason.as_deref().map(plain),
            description: None,
            owner: goal.owner,
            coordinator: goal.coordinator,
            channel: goal.channel,
            autonomy: goal.autonomy,
            budget: Amount::limit(goal.budget),
            spent: goal.spent.into(),
            task_counts: goal.task_counts.into(),
            max_spawn_depth: goal.max_spawn_depth,
            completion_summary: goal.completion_summary.as_deref().map(plain),
            completion_message_id: goal.completion_message_id,
            created_at: goal.created_at,
            completed_at: goal.completed_at,
        }
    }
}

/// The cost and progress of a task with all tasks below it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Below {
    usd: f64,
    tokens: i64,
    tasks: i64,
    done: i64,
}

/// The verifier of a task.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ShownVerifier {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

/// A task of a goal as an agent reads it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ShownTask {
    #[schemars(with = "answers::Id")]
    task_id: GoalTaskId,
    /// The task above it; absent for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    parent: Option<GoalTaskId>,
    title: String,
    #[schemars(with = "answers::GoalTaskStatus")]
    status: GoalTaskStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    acceptance_criteria: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claimant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    pub(super) lease_until: Option<Timestamp>,
    /// Titles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    /// Ids of tasks it depends on that are not done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<answers::Id>")]
    blocked_by: Vec<GoalTaskId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billing_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spent: Option<Amount>,
    /// Of the task and all tasks below it; only where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    rollup: Option<Below>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verifier: Option<ShownVerifier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    verifier_run_id: Option<RunId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Number of omitted characters of its texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    texts_omitted: Option<usize>,
}

impl ShownTask {
    /// A task with all of its texts, without its children.
    pub(super) fn whole(task: &GoalTask) -> Self {
        let verifier = |Verifier { kind, by }: Verifier| ShownVerifier { kind: kind.as_str(), by };
        Self {
            task_id: task.id,
            parent: task.parent_id,
            title: plain(&task.title),
            status: task.status,
            description: some(&task.description),
            acceptance_criteria: some(&task.acceptance_criteria),
            assignee: task.assignee.clone(),
            claimant: task.claimant.clone(),
            lease_until: task.lease_until,
            depends_on: task.depends_on.iter().map(|title| plain(title)).collect(),
            blocked_by: task.blocked_by.clone(),
            billing_code: task.billing_code.as_deref().map(plain),
            budget: Amount::limit(task.budget),
            spent: Amount::of(task.spent.usd, task.spent.tokens),
            rollup: None,
            verifier: (task.verifier.kind != VerifierKind::None).then(|| verifier(task.verifier.clone())),
            verifier_run_id: task.verifier_run_id,
            result: task.result.as_deref().and_then(some),
            note: task.note.as_deref().and_then(some),
            texts_omitted: None,
        }
    }

    /// A task of a proposed tree: its place and status, without what the caller has just passed.
    pub(super) fn placed(task: &GoalTask) -> Self {
        Self {
            description: None,
            acceptance_criteria: None,
            depends_on: Vec::new(),
            billing_code: None,
            budget: None,
            verifier: None,
            result: None,
            note: None,
            ..Self::whole(task)
        }
    }

    /// A task as a line of a tree. Texts that a verifier needs are shown while it waits for one; others are read with
    /// `claim_goal_task`.
    pub(super) fn line(task: &GoalTask, rollup: Option<&TaskRollup>, text_tokens: usize) -> Self {
        let mut shown = Self::whole(task);
        if task.status != GoalTaskStatus::AwaitingVerification {
            shown.description = None;
            shown.acceptance_criteria = None;
        }
        shown.rollup = rollup.filter(|_| !task.children.is_empty()).map(|rollup| Below {
            usd: rollup.usd,
            tokens: rollup.tokens,
            tasks: rollup.tasks,
            done: rollup.done,
        });
        shown.shorten(text_tokens);
        shown
    }

    /// Truncates each text to a number of tokens, and reports the number of omitted characters.
    pub(super) fn shorten(&mut self, most: usize) {
        let texts = [&mut self.description, &mut self.acceptance_criteria, &mut self.result, &mut self.note];
        let omitted: usize = texts.into_iter().flatten().map(|text| cut(text, most)).sum();
        self.texts_omitted = Some(omitted).filter(|omitted| *omitted > 0);
    }
}

/// Truncates a text to a number of tokens. Returns the number of omitted characters.
pub(super) fn cut(text: &mut String, most: usize) -> usize {
    let keep = beginning(text, most).len();
    let omitted = text[keep..].chars().count();
    text.truncate(keep);
    omitted
}

/// The tasks of a tree in reading order: a parent before its children.
pub(super) fn flat(roots: &[GoalTask]) -> Vec<&GoalTask> {
    let mut tasks = Vec::new();
    let mut rest: Vec<&GoalTask> = roots.iter().rev().collect();
    while let Some(task) = rest.pop() {
        tasks.push(task);
        rest.extend(task.children.iter().rev());
    }
    tasks
}
