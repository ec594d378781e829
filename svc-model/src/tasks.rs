//! Tasks and bids.

use serde::{Deserialize, Serialize};

use crate::ids::{BidId, MessageId, TaskId};
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// The status of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum TaskStatus {
    /// The task accepts bids.
    Open,
    /// A bid was accepted, and its bidder works on the task.
    Assigned,
    /// The assignee completed it.
    Completed,
    /// The poster cancelled it.
    Cancelled,
}

crate::text_enum! {
    TaskStatus {
        Open => "open",
        Assigned => "assigned",
        Completed => "completed",
        Cancelled => "cancelled",
    }
}

/// The outcome of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum TaskEnding {
    /// The assignee has completed it.
    #[default]
    Completed,
    /// The poster cancels it.
    Cancelled,
}

/// The status of a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum BidStatus {
    /// The poster has not decided yet.
    Open,
    /// The poster accepted it.
    Accepted,
    /// The poster accepted another bid, or the task was cancelled.
    Declined,
}

crate::text_enum! {
    BidStatus {
        Open => "open",
        Accepted => "accepted",
        Declined => "declined",
    }
}

/// A task: work that participants can bid for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// Its title.
    pub title: String,
    /// The context, the expected result and how it will be checked, as Markdown.
    pub body: String,
    /// Its status.
    pub status: TaskStatus,
    /// The handle of the poster.
    pub poster: String,
    /// The kind of the poster.
    pub poster_kind: ParticipantKind,
    /// The channel whose readers see it; absent for a task that is offered to all participants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The message that announced it in the channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// The maximum that the poster would pay, in a unit that the task defines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// When it must be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// The number of bids.
    pub bid_count: i64,
    /// The handle of the participant whose bid was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// The closing comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// When it was posted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was completed or cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

/// An offer to do a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Bid {
    /// Its id.
    pub id: BidId,
    /// The task.
    pub task_id: TaskId,
    /// The handle of the bidder.
    pub bidder: String,
    /// The kind of the bidder.
    pub bidder_kind: ParticipantKind,
    /// The price, in the unit of the task's budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<f64>,
    /// The comment of the bidder; may be empty.
    pub note: String,
    /// Its status.
    pub status: BidStatus,
    /// When it was placed.
    pub created_at: Timestamp,
}

/// A task with the bids that the caller may see: all of them for the poster, their own for a bidder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TaskView {
    /// The task.
    pub task: Task,
    /// The bids, oldest first.
    pub bids: Vec<Bid>,
}

/// A page of tasks, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TaskPage {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Whether there are older tasks.
    pub has_more: bool,
}

/// A page of tasks with the bids of each.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskViewPage {
    /// The tasks with their bids.
    pub tasks: Vec<TaskView>,
    /// Whether there are older tasks.
    pub has_more: bool,
}

/// The request to post a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// Its title: 1 to 200 characters.
    pub title: String,
    /// The context, the expected result and how it will be checked, as Markdown: 1 byte to 16 KiB.
    pub body: String,
    /// The channel whose readers see it and where a message announces it; all participants when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// When it must be done: a duration from now, `90m`, `2h`, `3d`, or a time, `2030-01-31T12:00:00Z`; at
    /// most a year away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// The maximum that you would pay, 0 or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
}

/// The request to bid for a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewBid {
    /// The price, 0 or more, in the unit of the task's budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<f64>,
    /// Why you, how and by when: at most 1000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The request to close a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct TaskClosing {
    /// `completed` by the assignee (the default), or `cancelled` by the poster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TaskEnding>,
    /// The result, or the reason of the cancellation: at most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// The filter of a list of tasks.
#[derive(Debug, Clone, Default)]
pub struct TaskFilter {
    /// Only tasks in this status.
    pub status: Option<TaskStatus>,
    /// Only tasks that the caller or one of their agents has posted, is assigned to or has an open bid for.
    pub mine: bool,
    /// Only tasks before this one.
    pub before: Option<TaskId>,
    /// The maximum number of tasks.
    pub limit: Option<i64>,
}
