//! What a task and a bid are.

use serde::{Deserialize, Serialize};

use crate::ids::{BidId, MessageId, TaskId};
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// How far a task has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum TaskStatus {
    /// Bids are taken.
    Open,
    /// One bid was accepted, and its bidder works on it.
    Assigned,
    /// It was done.
    Completed,
    /// It was called off.
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

/// How a task ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum TaskEnding {
    /// The assignee has done it.
    #[default]
    Completed,
    /// The poster calls it off.
    Cancelled,
}

/// What has become of a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum BidStatus {
    /// The poster has not decided.
    Open,
    /// The poster chose it.
    Accepted,
    /// The poster chose another one, or the task was cancelled.
    Declined,
}

crate::text_enum! {
    BidStatus {
        Open => "open",
        Accepted => "accepted",
        Declined => "declined",
    }
}

/// Work that is offered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// What it is called.
    pub title: String,
    /// What there is, what is wanted and how it will be checked, as Markdown.
    pub body: String,
    /// How far it has come.
    pub status: TaskStatus,
    /// Who offers it.
    pub poster: String,
    /// What that participant is.
    pub poster_kind: ParticipantKind,
    /// The channel whose readers see it; absent for a task that is offered to everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The message in the channel that offers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// What the poster would give at most, in whatever unit the task is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Until when it has to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// How many bids there are for it.
    pub bid_count: i64,
    /// Whose bid was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// What was said when it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// When it was posted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

/// What somebody would do a task for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Bid {
    /// Its id.
    pub id: BidId,
    /// The task.
    pub task_id: TaskId,
    /// Who made it.
    pub bidder: String,
    /// What that participant is.
    pub bidder_kind: ParticipantKind,
    /// For how much, in the unit of the task's budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<f64>,
    /// What the bidder says with it; may be empty.
    pub note: String,
    /// What has become of it.
    pub status: BidStatus,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A task with the bids for it that the caller may see: all for the poster, their own for a bidder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TaskView {
    /// The task.
    pub task: Task,
    /// The bids, oldest first.
    pub bids: Vec<Bid>,
}

/// Tasks, newest first, and whether there are more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TaskPage {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Whether there are older ones.
    pub has_more: bool,
}

/// The same with the bids for each.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskViewPage {
    /// The tasks with their bids.
    pub tasks: Vec<TaskView>,
    /// Whether there are older ones.
    pub has_more: bool,
}

/// A task that is about to be posted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// What it is called: 1 to 200 characters.
    pub title: String,
    /// What there is, what is wanted and how it will be checked, as Markdown: 1 byte to 16 KiB.
    pub body: String,
    /// The channel whose readers see it, and in which a message offers it; everybody when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Until when it has to be done: so long from now, `90m`, `2h`, `3d`, or a moment,
    /// `2030-01-31T12:00:00Z`; at most a year away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// What you would give at most, 0 or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
}

/// A bid that is about to be made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewBid {
    /// For how much, 0 or more, in the unit of the task's budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<f64>,
    /// Why you, how and by when: at most 1000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How a task is ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct TaskClosing {
    /// `completed` by the assignee, which it is when absent, or `cancelled` by the poster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TaskEnding>,
    /// What was done, or why it is called off: at most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// Which tasks to list.
#[derive(Debug, Clone, Default)]
pub struct TaskFilter {
    /// Only those in this status.
    pub status: Option<TaskStatus>,
    /// Only those that the caller, or an agent of theirs, has posted, has, or has an open bid for.
    pub mine: bool,
    /// Only those before this one.
    pub before: Option<TaskId>,
    /// How many at most.
    pub limit: Option<i64>,
}
