//! The task auction: post tasks, bid, accept a bid, complete or cancel.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::formats::neutral;
use svc_core::ids::{BidId, MessageId, TaskId};
use svc_core::participants::ParticipantKind;
use svc_core::tasks::{
    Bid, BidStatus, NewBid, NewTask, Task, TaskClosing, TaskEnding, TaskFilter, TaskStatus, TaskView,
};
use svc_core::trust::{Acquaintance, OwnerRelation, Standing};
use svc_core::{Error, Timestamp, limits};

use crate::answers;
use crate::budget::{Budget, beginning, tokens};
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::error::Refusal;

const ALSO_TASK: &[(&str, &str)] = &[("id", "task_id"), ("description", "body"), ("message", "note")];
/// Tokens reserved for the JSON around the tasks.
const FRAME: u32 = 40;
/// Minimum size of a truncated body, in tokens.
const LEAST_BODY: usize = 40;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new(
            "post_task",
            Effect::Adds,
            "Offer a task to a channel or to all. Bids reach you as messages.",
            post_task,
        )
        .answers::<Stored>()
        .also(ALSO_TASK),
        Entry::new("bid_task", Effect::Sets, "Bid on an open task; replaces your bid.", bid_task)
            .answers::<Offered>()
            .also(ALSO_TASK),
        Entry::new("accept_bid", Effect::Sets, "Accept a bid on your task; tells all bidders.", accept_bid)
            .answers::<Stored>()
            .also(ALSO_TASK),
        Entry::new("complete_task", Effect::Sets, "Close a task: assignee completes, poster cancels.", complete_task)
            .answers::<Closed>()
            .also(ALSO_TASK),
        Entry::new("list_tasks", Effect::Lists, "List tasks, newest first, with bids on yours.", list_tasks)
            .answers::<Listed>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PostTask {
    /// one line
    #[schemars(length(max = limits::TASK_TITLE_MAX))]
    title: String,
    /// the work
    #[schemars(length(max = limits::TASK_BODY_MAX))]
    body: String,
    /// default: all
    #[serde(default)]
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: Option<String>,
    /// 3d or RFC 3339
    #[serde(default)]
    #[schemars(length(max = 40))]
    deadline: Option<String>,
    /// at most
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000_000))]
    budget: Option<f64>,
}

/// The stored task, without the content that the caller has just passed.
#[derive(Serialize, JsonSchema)]
struct Stored {
    #[schemars(with = "answers::Id")]
    task_id: TaskId,
    #[schemars(with = "answers::TaskStatus")]
    status: TaskStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    message_id: Option<MessageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    deadline: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
}

impl From<Task> for Stored {
    fn from(task: Task) -> Self {
        Self {
            task_id: task.id,
            status: task.status,
            channel: task.channel,
            message_id: task.message_id,
            deadline: task.deadline,
            assignee: task.assignee,
        }
    }
}

async fn post_task(call: Call, args: PostTask) -> Outcome {
    let PostTask { title, body, channel, deadline, budget } = args;
    let new = NewTask { title, body, channel, deadline, budget };
    Answer::of(&Stored::from(call.hub.tasks().post(&call.caller, new).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BidTask {
    /// task
    #[schemars(range(min = 1))]
    task_id: i64,
    /// price
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000_000))]
    amount: Option<f64>,
    /// why you
    #[serde(default)]
    #[schemars(length(max = limits::TASK_NOTE_MAX))]
    note: Option<String>,
}

/// A stored bid.
#[derive(Serialize, JsonSchema)]
struct Offered {
    #[schemars(with = "answers::Id")]
    task_id: TaskId,
    #[schemars(with = "answers::Id")]
    bid_id: BidId,
    #[schemars(with = "answers::BidStatus")]
    status: BidStatus,
}

async fn bid_task(call: Call, args: BidTask) -> Outcome {
    let new = NewBid { amount: args.amount, note: args.note };
    let bid = call.hub.tasks().bid(&call.caller, TaskId(args.task_id), new).await?;
    Answer::of(&Offered { task_id: bid.task_id, bid_id: bid.id, status: bid.status })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AcceptBid {
    /// task
    #[schemars(range(min = 1))]
    task_id: i64,
    /// bid
    #[schemars(range(min = 1))]
    bid_id: i64,
}

async fn accept_bid(call: Call, args: AcceptBid) -> Outcome {
    let task = call.hub.tasks().accept(&call.caller, TaskId(args.task_id), BidId(args.bid_id)).await?;
    Answer::of(&Stored::from(task))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CompleteTask {
    /// task
    #[schemars(range(min = 1))]
    task_id: i64,
    /// outcome
    #[serde(default)]
    #[schemars(length(max = limits::TASK_SUMMARY_MAX))]
    summary: Option<String>,
    /// default completed
    #[serde(default)]
    status: Option<Ending>,
}

/// Status of a closed task.
#[derive(Serialize, JsonSchema)]
struct Closed {
    #[schemars(with = "answers::Id")]
    task_id: TaskId,
    #[schemars(with = "answers::TaskStatus")]
    status: TaskStatus,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Ending {
    Completed,
    Cancelled,
}

async fn complete_task(call: Call, args: CompleteTask) -> Outcome {
    let status = args.status.map(|status| match status {
        Ending::Completed => TaskEnding::Completed,
        Ending::Cancelled => TaskEnding::Cancelled,
    });
    let closing = TaskClosing { status, summary: args.summary };
    let task = call.hub.tasks().complete(&call.caller, TaskId(args.task_id), closing).await?;
    Answer::of(&Closed { task_id: task.id, status: task.status })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListTasks {
    #[serde(default)]
    status: Option<Status>,
    /// posted, assigned or bid by you
    #[serde(default)]
    mine: Option<bool>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Assigned,
    Completed,
    Cancelled,
}

impl From<Status> for TaskStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Open => Self::Open,
            Status::Assigned => Self::Assigned,
            Status::Completed => Self::Completed,
            Status::Cancelled => Self::Cancelled,
        }
    }
}

/// A task as an agent reads it.
#[derive(Clone, Serialize, JsonSchema)]
struct Shown {
    #[schemars(with = "answers::Id")]
    task_id: TaskId,
    #[schemars(with = "answers::TaskStatus")]
    status: TaskStatus,
    from: String,
    #[schemars(with = "answers::Kind")]
    from_kind: ParticipantKind,
    #[schemars(with = "answers::Owner")]
    owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    trust: Standing,
    title: String,
    body: String,
    /// Omitted characters of the body: a larger `max_tokens` shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    body_omitted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    deadline: Option<Timestamp>,
    bid_count: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bids: Vec<ShownBid>,
    /// Number of omitted bids that the reader may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    bids_omitted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[schemars(with = "answers::Moment")]
    at: Timestamp,
}

/// A bid as an agent reads it.
#[derive(Clone, Serialize, JsonSchema)]
struct ShownBid {
    #[schemars(with = "answers::Id")]
    bid_id: BidId,
    from: String,
    #[schemars(with = "answers::Kind")]
    from_kind: ParticipantKind,
    #[schemars(with = "answers::Owner")]
    owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    trust: Standing,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<f64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
    #[schemars(with = "answers::BidStatus")]
    status: BidStatus,
}

#[derive(Serialize, JsonSchema)]
struct Listed {
    tasks: Vec<Shown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    older: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

async fn list_tasks(call: Call, args: ListTasks) -> Outcome {
    let filter = TaskFilter {
        status: args.status.map(TaskStatus::from),
        mine: args.mine.unwrap_or(false),
        before: before(call.cursor.as_deref())?,
        limit: Some(i64::from(limits::PAGE_DEFAULT)),
    };
    let page = call.hub.tasks().list_with_bids(&call.caller, filter).await?;
    let handles = page.tasks.iter().flat_map(|view| {
        view.bids.iter().map(|bid| bid.bidder.clone()).chain(std::iter::once(view.task.poster.clone()))
    });
    let known = call.hub.trust().acquaintances(&call.caller, handles.collect::<Vec<_>>()).await?;
    let all = page.tasks.len();
    let tasks = fill(call.max_tokens, page.tasks.into_iter().map(|view| show(&known, view)));
    let omitted = Some(all - tasks.len()).filter(|left| *left > 0);
    let more = omitted.is_some() || page.has_more;
    let cursor = tasks.last().filter(|_| more).map(|task| task.task_id.to_string());
    Answer::of(&Listed { tasks, omitted, older: page.has_more, cursor })
}

fn before(cursor: Option<&str>) -> Result<Option<TaskId>, Refusal> {
    match cursor.map(str::parse::<i64>) {
        None => Ok(None),
        Some(Ok(id)) if id > 0 => Ok(Some(TaskId(id))),
        Some(_) => Err(Error::invalid("cursor", "must be the cursor of an earlier result of this tool").into()),
    }
}

fn show(known: &HashMap<String, Acquaintance>, view: TaskView) -> Shown {
    let TaskView { task, bids } = view;
    let (owner, trust) = standing(known, &task.poster);
    Shown {
        task_id: task.id,
        status: task.status,
        from: task.poster,
        from_kind: task.poster_kind,
        owner,
        trust,
        title: neutral(&task.title).into_owned(),
        body: neutral(&task.body).into_owned(),
        body_omitted: None,
        channel: task.channel,
        budget: task.budget,
        deadline: task.deadline,
        bid_count: task.bid_count,
        bids: bids.into_iter().map(|bid| show_bid(known, bid)).collect(),
        bids_omitted: None,
        assignee: task.assignee,
        summary: task.summary.map(|summary| neutral(&summary).into_owned()),
        at: task.created_at,
    }
}

fn show_bid(known: &HashMap<String, Acquaintance>, bid: Bid) -> ShownBid {
    let (owner, trust) = standing(known, &bid.bidder);
    ShownBid {
        bid_id: bid.id,
        from: bid.bidder,
        from_kind: bid.bidder_kind,
        owner,
        trust,
        amount: bid.amount,
        note: neutral(&bid.note).into_owned(),
        status: bid.status,
    }
}

fn standing(known: &HashMap<String, Acquaintance>, handle: &str) -> (OwnerRelation, Standing) {
    known.get(handle).map_or((OwnerRelation::Other, Standing::Score(0.0)), |known| (known.owner, known.trust))
}

/// As many tasks as fit; the first one is always shown, truncated if necessary.
fn fill(max_tokens: u32, tasks: impl Iterator<Item = Shown>) -> Vec<Shown> {
    let mut budget = Budget::of(max_tokens.saturating_sub(FRAME));
    let mut shown = Vec::new();
    for task in tasks {
        if budget.pay(&task) {
            shown.push(task);
            continue;
        }
        if shown.is_empty() {
            shown.push(cut(task, budget));
        }
        break;
    }
    shown
}

/// Truncates a task: the beginning of its body, then as many bids as fit.
fn cut(task: Shown, mut budget: Budget) -> Shown {
    let mut part = Shown { body: String::new(), bids: Vec::new(), ..task.clone() };
    let around = tokens(&serde_json::to_string(&part).unwrap_or_default()) + 24;
    let room = budget.left().saturating_sub(around);
    let for_body = if task.bids.is_empty() { room } else { room / 2 };
    beginning(&task.body, for_body.max(LEAST_BODY)).clone_into(&mut part.body);
    part.body_omitted =
        Some(task.body.chars().count() - part.body.chars().count()).filter(|characters| *characters > 0);
    let taken = around + tokens(&part.body);
    budget = Budget::of(u32::try_from(budget.left().saturating_sub(taken)).unwrap_or(u32::MAX));
    let all = task.bids.len();
    part.bids = task.bids.into_iter().take_while(|bid| budget.pay(bid)).collect();
    part.bids_omitted = Some(all - part.bids.len()).filter(|left| *left > 0);
    part
}
