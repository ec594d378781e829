//! The task tree of a goal: propose it, claim its tasks and update them.

use rmcp::model::JsonObject;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::goals::{GoalStatus, TaskAction, TaskClaim, TaskNode, TaskUpdate};
use svc_core::ids::{GoalId, GoalTaskId};
use svc_core::{FieldError, Timestamp, limits};

use super::ALSO_GOAL;
use super::shown::{ShownTask, flat};
use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::error::Refusal;
use crate::paging::some_of;

const ALSO_TASK: &[(&str, &str)] = &[("id", "task_id"), ("reason", "note"), ("result", "note")];
/// Maximum size of each text of a task, in tokens. No text of a task is larger.
const TEXT: usize = 16_384;
/// Token budget of the tasks in the answer to a proposed tree.
const TREE_TOKENS: u32 = 4_000;
/// Most faults of nodes reported at once.
const FAULTS_MAX: usize = 10;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new(
            "propose_task_tree",
            Effect::Reaches,
            "Store a goal's tasks, all or nothing; replaces those not begun. Node: {title, description?, acceptance_criteria?, assignee?, depends_on?: [title], billing_code?, budget_usd?, budget_tokens?, verifier?: {kind: none|peer|human|command, by?}, children?: [node]}",
            propose_task_tree,
        )
        .also(ALSO_GOAL)
        .answers::<Planned>(),
        Entry::new(
            "claim_goal_task",
            Effect::Adds,
            "Claim an approved task that can begin. Updates renew the lease.",
            claim_goal_task,
        )
        .also(ALSO_GOAL)
        .answers::<Claimed>(),
        Entry::new(
            "update_goal_task",
            Effect::Reaches,
            "Start, submit, fail or charge (spend) your task; verify another's; cancel one.",
            update_goal_task,
        )
        .also(ALSO_TASK)
        .answers::<ShownTask>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProposeTaskTree {
    /// goal
    #[schemars(range(min = 1))]
    goal_id: i64,
    /// nodes
    #[schemars(schema_with = "nodes")]
    tree: Vec<JsonObject>,
}

/// A list of objects: the description of the tool says what they have, so that `find_action` shows it too.
fn nodes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "maxItems": limits::GOAL_TASKS_MAX, "items": { "type": "object" } })
}

/// The stored tree.
#[derive(Serialize, JsonSchema)]
struct Planned {
    #[schemars(with = "answers::Id")]
    goal_id: GoalId,
    #[schemars(with = "answers::GoalStatus")]
    status: GoalStatus,
    /// A parent before its children.
    tasks: Vec<ShownTask>,
    /// Number of omitted tasks: `get_goal` shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
}

async fn propose_task_tree(call: Call, args: ProposeTaskTree) -> Outcome {
    let mut faults = Vec::new();
    let tree = read_nodes("tree", args.tree, &mut faults);
    if !faults.is_empty() {
        faults.truncate(FAULTS_MAX);
        return Err(Refusal::arguments(faults));
    }
    let detail = call.hub.goals().propose_tree(&call.caller, GoalId(args.goal_id), tree).await?;
    let tasks = flat(&detail.tasks);
    let all = tasks.len();
    let tasks = some_of(TREE_TOKENS, tasks.into_iter().map(ShownTask::placed).collect());
    let omitted = Some(all - tasks.len()).filter(|left| *left > 0);
    Answer::of(&Planned { goal_id: detail.goal.id, status: detail.goal.status, tasks, omitted })
}

/// Reads nodes with the nodes below them. Each fault has the path of its node, such as `tree[0].children[1].title`.
fn read_nodes(path: &str, nodes: Vec<JsonObject>, faults: &mut Vec<FieldError>) -> Vec<TaskNode> {
    let mut read = Vec::new();
    for (index, node) in nodes.into_iter().enumerate() {
        if faults.len() >= FAULTS_MAX {
            break;
        }
        read.extend(read_node(&format!("{path}[{index}]"), node, faults));
    }
    read
}

fn read_node(path: &str, mut node: JsonObject, faults: &mut Vec<FieldError>) -> Option<TaskNode> {
    let below = format!("{path}.children");
    let children = children(&below, node.remove("children"), faults);
    match serde_path_to_error::deserialize::<_, TaskNode>(Value::Object(node)) {
        Ok(node) => {
            let children = read_nodes(&below, children, faults);
            Some(TaskNode { children: Some(children).filter(|children| !children.is_empty()), ..node })
        }
        Err(error) => {
            let at = error.path().to_string();
            let at = if at == "." { path.to_owned() } else { format!("{path}.{at}") };
            faults.push(FieldError::of_serde(path, &at, &error.inner().to_string()));
            None
        }
    }
}

/// The nodes below a node; one object is a list of one.
fn children(path: &str, value: Option<Value>, faults: &mut Vec<FieldError>) -> Vec<JsonObject> {
    let items = match value {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Object(node)) => return vec![node],
        Some(Value::Array(items)) => items,
        Some(_) => {
            faults.push(FieldError { field: path.to_owned(), message: "must be a list of nodes".into() });
            return Vec::new();
        }
    };
    let mut nodes = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        match item {
            Value::Object(node) => nodes.push(node),
            _ => faults.push(FieldError { field: format!("{path}[{index}]"), message: "must be a node".into() }),
        }
    }
    nodes
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClaimGoalTask {
    /// goal
    #[schemars(range(min = 1))]
    goal_id: i64,
    /// default: first you can
    #[serde(default)]
    #[schemars(range(min = 1))]
    task_id: Option<i64>,
    /// default 900
    #[serde(default)]
    #[schemars(range(min = 30, max = 86_400))]
    lease_seconds: Option<u32>,
}

/// A claimed task.
#[derive(Serialize, JsonSchema)]
struct Claimed {
    task: ShownTask,
    claim_token: String,
    #[schemars(with = "answers::Moment")]
    lease_until: Timestamp,
}

async fn claim_goal_task(call: Call, args: ClaimGoalTask) -> Outcome {
    let claim = TaskClaim { task_id: args.task_id.map(GoalTaskId), lease_seconds: args.lease_seconds };
    let claimed = call.hub.goals().claim(&call.caller, GoalId(args.goal_id), claim).await?;
    let mut task = ShownTask::whole(&claimed.task);
    task.lease_until = None;
    Answer::of(&Claimed { task, claim_token: claimed.claim_token, lease_until: claimed.lease_until })
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Start,
    Submit,
    Verify,
    Fail,
    Spend,
    Cancel,
}

impl From<Action> for TaskAction {
    fn from(action: Action) -> Self {
        match action {
            Action::Start => Self::Start,
            Action::Submit => Self::Submit,
            Action::Verify => Self::Verify,
            Action::Fail => Self::Fail,
            Action::Spend => Self::Spend,
            Action::Cancel => Self::Cancel,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateGoalTask {
    /// task
    #[schemars(range(min = 1))]
    task_id: i64,
    action: Action,
    /// as claimed
    #[serde(default)]
    #[schemars(length(max = limits::CLAIM_TOKEN_MAX))]
    claim_token: Option<String>,
    /// result or why
    #[serde(default)]
    #[schemars(length(max = limits::GOAL_NOTE_MAX))]
    note: Option<String>,
    /// verify; default true
    #[serde(default)]
    passed: Option<bool>,
    /// spend
    #[serde(default)]
    #[schemars(range(min = 0))]
    usd: Option<f64>,
    /// spend
    #[serde(default)]
    #[schemars(range(min = 0))]
    tokens: Option<i64>,
}

async fn update_goal_task(call: Call, args: UpdateGoalTask) -> Outcome {
    let update = TaskUpdate {
        action: args.action.into(),
        claim_token: args.claim_token,
        note: args.note,
        passed: args.passed,
        usd: args.usd,
        tokens: args.tokens,
    };
    let task = call.hub.goals().update_task(&call.caller, GoalTaskId(args.task_id), update).await?;
    Answer::of(&ShownTask::line(&task, None, TEXT))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(tree: Value) -> Result<Vec<TaskNode>, Vec<String>> {
        let Value::Array(tree) = tree else { panic!("a list") };
        let nodes = tree.into_iter().map(|node| node.as_object().unwrap().clone()).collect();
        let mut faults = Vec::new();
        let read = read_nodes("tree", nodes, &mut faults);
        if faults.is_empty() { Ok(read) } else { Err(faults.into_iter().map(|fault| fault.field).collect()) }
    }

    #[test]
    fn a_tree_is_read_with_its_children() {
        let tree = json!([{ "title": "a", "children": [{ "title": "b", "children": { "title": "c" } }, { "title": "d" }],
            "verifier": { "kind": "peer" } }]);
        let read = read(tree).unwrap();
        let children = read[0].children.as_ref().unwrap();
        assert_eq!((children[0].title.as_str(), children[1].title.as_str()), ("b", "d"));
        assert_eq!(children[0].children.as_ref().unwrap()[0].title, "c");
        assert_eq!(children[1].children, None);
    }

    #[test]
    fn faults_have_the_path_of_their_node() {
        for (tree, path) in [
            (json!([{ "titel": "a" }]), "tree[0].titel"),
            (json!([{ "description": "a" }]), "tree[0].title"),
            (json!([{ "title": "a" }, { "title": 5 }]), "tree[1].title"),
            (
                json!([{ "title": "a", "children": [{ "title": "b" }, { "title": ["c"] }] }]),
                "tree[0].children[1].title",
            ),
            (json!([{ "title": "a", "children": [{}] }]), "tree[0].children[0].title"),
            (json!([{ "title": "a", "children": ["b"] }]), "tree[0].children[0]"),
            (json!([{ "title": "a", "children": "b" }]), "tree[0].children"),
            (json!([{ "title": "a", "verifier": { "kind": "dog" } }]), "tree[0].verifier.kind"),
            (json!([{ "title": "a", "depends_on": ["b", 3] }]), "tree[0].depends_on[1]"),
        ] {
            assert_eq!(read(tree.clone()).unwrap_err(), [path], "{tree}");
        }
    }
}
