//! Task trees as they are proposed.
//!
//! Invariant: the tasks of a [`Plan`] are in the order of the tree, a parent before its children; every check that needs
//! no store has passed, and each error names the path of its node, such as `tree[0].children[2].title`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{GoalBudget, long_text};
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::names::label;
use crate::object::object_or_none;

/// The status of a task of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum GoalTaskStatus {
    /// It waits for the approval of a human.
    Proposed,
    /// It can be claimed when its dependencies are done.
    Approved,
    /// An agent has claimed it and has not begun.
    Claimed,
    /// The agent works on it.
    InProgress,
    /// The agent has submitted it, and its verifier has not decided.
    AwaitingVerification,
    /// It is done.
    Done,
    /// It failed. A human can reopen it.
    Failed,
    /// It was given up.
    Cancelled,
}

crate::text_enum! {
    GoalTaskStatus {
        Proposed => "proposed",
        Approved => "approved",
        Claimed => "claimed",
        InProgress => "in_progress",
        AwaitingVerification => "awaiting_verification",
        Done => "done",
        Failed => "failed",
        Cancelled => "cancelled",
    }
}

impl GoalTaskStatus {
    /// All statuses.
    pub const ALL: [Self; 8] = [
        Self::Proposed,
        Self::Approved,
        Self::Claimed,
        Self::InProgress,
        Self::AwaitingVerification,
        Self::Done,
        Self::Failed,
        Self::Cancelled,
    ];

    /// Whether the work on the task has ended.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }

    /// Whether nobody has begun the task.
    pub fn is_unbegun(self) -> bool {
        matches!(self, Self::Proposed | Self::Approved)
    }
}

/// The way in which the result of a task is verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum VerifierKind {
    /// It is done when it is submitted.
    #[default]
    None,
    /// Another agent of the owner decides.
    Peer,
    /// The owner decides.
    Human,
    /// A run of an agent decides: it is done when the run succeeds.
    Command,
}

crate::text_enum! { VerifierKind { None => "none", Peer => "peer", Human => "human", Command => "command" } }

/// The verifier of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct Verifier {
    /// Its kind.
    pub kind: VerifierKind,
    /// The agent that verifies: required for `command`; for `peer` any other agent of the owner when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A task of a proposed tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct TaskNode {
    /// Its title, unique in the goal: 1 to 200 characters.
    pub title: String,
    /// The work, as Markdown: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How to tell that it is done: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_criteria: Option<String>,
    /// The agent that does it; any agent of the owner when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// The titles of tasks that must be done before it can be claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Vec<String>>,
    /// The code that its cost is billed to; that of its parent when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billing_code: Option<String>,
    /// The maximum cost in dollars, with all tasks below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_usd: Option<f64>,
    /// The maximum number of tokens, with all tasks below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<i64>,
    /// Its verifier; none when absent.
    #[serde(default, deserialize_with = "object_or_none", skip_serializing_if = "Option::is_none")]
    pub verifier: Option<Verifier>,
    /// Its parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<Self>>,
}

impl TaskNode {
    /// A task with this title.
    pub fn titled(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }
}

/// A task of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedTask {
    /// The path of its node.
    pub path: String,
    /// The position of its parent in the plan.
    pub parent: Option<usize>,
    /// Its depth; 1 for a root.
    pub depth: usize,
    /// The node without its children, with trimmed texts.
    pub node: TaskNode,
}

impl PlannedTask {
    /// The limits of its cost.
    pub fn budget(&self) -> GoalBudget {
        GoalBudget { usd: self.node.budget_usd, tokens: self.node.budget_tokens }
    }
}

/// The tasks of a proposed tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// The tasks, a parent before its children.
    pub tasks: Vec<PlannedTask>,
}

/// A title as it is compared: without regard to case.
pub fn title_key(title: &str) -> String {
    title.trim().to_lowercase()
}

impl Plan {
    /// Checks a tree. Reports all faults at once, unless it is too large to look at.
    pub fn checked(tree: Vec<TaskNode>) -> Result<Self> {
        let mut tasks = Vec::new();
        if tree.is_empty() {
            return Err(Error::invalid("tree", "must have at least one task"));
        }
        flatten(tree, "tree", None, 1, &mut tasks)?;
        let mut faults = Vec::new();
        for task in &mut tasks {
            check(task, &mut faults);
        }
        faults.extend(duplicates(&tasks));
        faults.extend(budgets(&tasks));
        faults.extend(cycle(&tasks));
        if faults.is_empty() { Ok(Self { tasks }) } else { Err(Error::invalid_fields(faults)) }
    }
}

fn flatten(
    nodes: Vec<TaskNode>,
    path: &str,
    parent: Option<usize>,
    depth: usize,
    tasks: &mut Vec<PlannedTask>,
) -> Result<()> {
    for (index, mut node) in nodes.into_iter().enumerate() {
        let path = format!("{path}[{index}]");
        if depth > limits::GOAL_TREE_DEPTH {
            let message = format!("is too deep: a tree has at most {} levels", limits::GOAL_TREE_DEPTH);
            return Err(Error::invalid(&path, message));
        }
        if tasks.len() == limits::GOAL_TASKS_MAX {
            let message = format!("is one too many: a tree has at most {} tasks", limits::GOAL_TASKS_MAX);
            return Err(Error::invalid(&path, message));
        }
        let children = node.children.take().unwrap_or_default();
        let position = tasks.len();
        let below = format!("{path}.children");
        tasks.push(PlannedTask { path, parent, depth, node });
        flatten(children, &below, Some(position), depth + 1, tasks)?;
    }
    Ok(())
}

/// Checks the fields of one task.
fn check(task: &mut PlannedTask, faults: &mut Vec<FieldError>) {
    let PlannedTask { path, node, .. } = task;
    let field = |name: &str| format!("{path}.{name}");
    match label(&field("title"), &node.title, limits::GOAL_TITLE_MAX) {
        Ok(title) => node.title = title,
        Err(error) => faults.extend_from_slice(error.fields()),
    }
    faults.extend(long_text(&field("description"), node.description.as_deref()));
    faults.extend(long_text(&field("acceptance_criteria"), node.acceptance_criteria.as_deref()));
    if let Some(code) = &node.billing_code {
        match label(&field("billing_code"), code, limits::BILLING_CODE_MAX) {
            Ok(code) => node.billing_code = Some(code),
            Err(error) => faults.extend_from_slice(error.fields()),
        }
    }
    let budget = GoalBudget { usd: node.budget_usd, tokens: node.budget_tokens };
    faults.extend(budget.faults(&field("budget_usd"), &field("budget_tokens")));
    let depends_on = node.depends_on.as_deref().unwrap_or_default();
    if depends_on.len() > limits::GOAL_DEPENDENCIES_MAX {
        let message = format!("must have at most {} entries", limits::GOAL_DEPENDENCIES_MAX);
        faults.push(FieldError { field: field("depends_on"), message });
    }
    let verifier = node.verifier.clone().unwrap_or_default();
    let message = match (verifier.kind, &verifier.by) {
        (VerifierKind::Command, None) => "must name the agent whose run decides",
        (VerifierKind::None | VerifierKind::Human, Some(_)) => "goes with the kinds peer and command only",
        _ => return,
    };
    faults.push(FieldError { field: field("verifier.by"), message: message.to_owned() });
}

fn duplicates(tasks: &[PlannedTask]) -> Vec<FieldError> {
    let mut seen = BTreeMap::new();
    let mut faults = Vec::new();
    for task in tasks {
        if let Some(first) = seen.insert(title_key(&task.node.title), task.path.as_str()) {
            let message = format!("is the title of {first} too: titles are unique in a goal, without regard to case");
            faults.push(FieldError { field: format!("{}.title", task.path), message });
        }
    }
    faults
}

fn sum<'a>(tasks: impl Iterator<Item = &'a PlannedTask> + Clone) -> GoalBudget {
    let usd: i64 = tasks.clone().filter_map(|task| task.budget().micros()).sum();
    let tokens: i64 = tasks.filter_map(|task| task.node.budget_tokens).fold(0, i64::saturating_add);
    GoalBudget::stored(Some(usd), Some(tokens))
}

/// Tasks whose children may cost more than they may.
fn budgets(tasks: &[PlannedTask]) -> Vec<FieldError> {
    let mut faults = Vec::new();
    for (position, task) in tasks.iter().enumerate() {
        let below = sum(tasks.iter().filter(|child| child.parent == Some(position)));
        let mut fault = |field: &str, below: String, own: String| {
            let message = format!("is {own}, but the tasks below it may cost {below} together");
            faults.push(FieldError { field: format!("{}.{field}", task.path), message });
        };
        if let (Some(own), Some(below)) = (task.budget().micros(), below.micros())
            && below > own
        {
            let dollars = |micros| crate::governance::usd_of(micros).to_string();
            fault("budget_usd", dollars(below), dollars(own));
        }
        // A negative limit is wrong by itself.
        if let (Some(own), Some(below)) = (task.node.budget_tokens.filter(|own| *own >= 0), below.tokens)
            && below > own
        {
            fault("budget_tokens", below.to_string(), own.to_string());
        }
    }
    faults
}

/// The first dependency that closes a cycle.
fn cycle(tasks: &[PlannedTask]) -> Option<FieldError> {
    let positions: BTreeMap<_, _> =
        tasks.iter().enumerate().map(|(position, task)| (title_key(&task.node.title), position)).collect();
    let (mut done, mut path) = (BTreeSet::new(), Vec::new());
    (0..tasks.len()).find_map(|start| visit(tasks, &positions, start, &mut done, &mut path))
}

fn visit(
    tasks: &[PlannedTask],
    positions: &BTreeMap<String, usize>,
    position: usize,
    done: &mut BTreeSet<usize>,
    path: &mut Vec<usize>,
) -> Option<FieldError> {
    if done.contains(&position) {
        return None;
    }
    path.push(position);
    for (index, title) in tasks[position].node.depends_on.iter().flatten().enumerate() {
        let Some(&next) = positions.get(&title_key(title)) else { continue };
        if let Some(begin) = path.iter().position(|visited| *visited == next) {
            let names: Vec<_> = path[begin..].iter().map(|at| tasks[*at].node.title.as_str()).collect();
            let message = format!("closes a cycle: {} → {}", names.join(" → "), tasks[next].node.title);
            return Some(FieldError { field: format!("{}.depends_on[{index}]", tasks[position].path), message });
        }
        if let Some(fault) = visit(tasks, positions, next, done, path) {
            return Some(fault);
        }
    }
    path.pop();
    done.insert(position);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(title: &str, children: Vec<TaskNode>) -> TaskNode {
        TaskNode { children: Some(children), ..TaskNode::titled(title) }
    }

    fn after(title: &str, others: &[&str]) -> TaskNode {
        let depends_on = Some(others.iter().map(|other| (*other).to_owned()).collect());
        TaskNode { depends_on, ..TaskNode::titled(title) }
    }

    fn refused(tree: Vec<TaskNode>) -> Vec<String> {
        let error = Plan::checked(tree).unwrap_err();
        error.fields().iter().map(|fault| fault.field.clone()).collect()
    }

    #[test]
    fn parents_come_before_their_children() {
        let plan = Plan::checked(vec![node("a", vec![node("b", vec![]), node("c", vec![])]), node("d", vec![])]);
        let plan = plan.unwrap();
        let found: Vec<_> = plan.tasks.iter().map(|task| (task.node.title.as_str(), task.parent, task.depth)).collect();
        assert_eq!(found, [("a", None, 1), ("b", Some(0), 2), ("c", Some(0), 2), ("d", None, 1)]);
        assert_eq!(plan.tasks[2].path, "tree[0].children[1]");
    }

    #[test]
    fn a_tree_has_at_most_200_tasks_and_6_levels() {
        let flat = |count| (0..count).map(|index| TaskNode::titled(format!("task {index}"))).collect::<Vec<_>>();
        assert!(Plan::checked(flat(200)).is_ok());
        assert_eq!(refused(flat(201)), ["tree[200]"]);
        let deep = |levels: usize| {
            (1..levels)
                .rev()
                .fold(TaskNode::titled(levels.to_string()), |below, level| node(&level.to_string(), vec![below]))
        };
        assert!(Plan::checked(vec![deep(6)]).is_ok());
        let path = format!("tree[0]{}", ".children[0]".repeat(6));
        assert_eq!(refused(vec![deep(7)]), [path]);
        assert_eq!(refused(Vec::new()), ["tree"]);
    }

    #[test]
    fn titles_are_unique_without_regard_to_case() {
        assert_eq!(refused(vec![node("Plan", vec![node("plan ", vec![])])]), ["tree[0].children[0].title"]);
        assert_eq!(refused(vec![node("two\nlines", vec![])]), ["tree[0].title"]);
    }

    #[test]
    fn cycles_are_found_wherever_they_are_in_the_tree() {
        let tree = vec![node("root", vec![after("a", &["b"]), after("b", &["C"]), after("c", &["a"])])];
        assert_eq!(refused(tree), ["tree[0].children[2].depends_on[0]"]);
        assert_eq!(refused(vec![after("a", &["a"])]), ["tree[0].depends_on[0]"]);
        let diamond = vec![after("a", &["b", "c"]), after("b", &["d"]), after("c", &["d"]), after("d", &[])];
        assert!(Plan::checked(diamond).is_ok());
    }

    #[test]
    fn the_budgets_of_children_fit_into_that_of_their_parent() {
        let priced = |title: &str, usd, tokens| TaskNode {
            budget_usd: Some(usd),
            budget_tokens: Some(tokens),
            ..TaskNode::titled(title)
        };
        let family = |usd, tokens| {
            vec![TaskNode {
                children: Some(vec![priced("a", 0.1, 10), priced("b", 0.2, 20)]),
                ..priced("all", usd, tokens)
            }]
        };
        assert!(Plan::checked(family(0.3, 30)).is_ok());
        assert_eq!(refused(family(0.299_999, 30)), ["tree[0].budget_usd"]);
        assert_eq!(refused(family(0.3, 29)), ["tree[0].budget_tokens"]);
        assert_eq!(refused(vec![priced("a", -1.0, -1)]), ["tree[0].budget_usd", "tree[0].budget_tokens"]);
    }

    #[test]
    fn a_verifier_names_an_agent_only_where_one_decides() {
        let verified = |kind, by: Option<&str>| {
            let verifier = Verifier { kind, by: by.map(ToOwned::to_owned) };
            Plan::checked(vec![TaskNode { verifier: Some(verifier), ..TaskNode::titled("a") }]).is_ok()
        };
        assert!(verified(VerifierKind::Peer, None) && verified(VerifierKind::Peer, Some("scout")));
        assert!(verified(VerifierKind::Command, Some("tester")) && !verified(VerifierKind::Command, None));
        assert!(verified(VerifierKind::Human, None) && !verified(VerifierKind::Human, Some("ann")));
        assert!(!verified(VerifierKind::None, Some("scout")));
    }
}
