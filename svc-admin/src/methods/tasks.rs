//! `tasks.*`: the task auction.

use serde::{Deserialize, Serialize};
use svc_core::ids::TaskId;
use svc_core::tasks::{Task, TaskClosing, TaskEnding, TaskFilter, TaskPage, TaskStatus, TaskView};
use svc_core::{Error, ErrorKind, Result};

use super::{Method, Server, root};

/// Lists tasks.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only tasks with this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TaskStatus>,
    /// Only tasks before this id, for the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<TaskId>,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "tasks.list";
    const ABOUT: &'static str = "List all tasks, newest first.";
    type Params = ListParams;
    type Answer = TaskPage;

    async fn run(server: &Server, params: ListParams) -> Result<TaskPage> {
        let ListParams { status, before, limit } = params;
        server.hub.tasks().list(&root(), TaskFilter { status, mine: false, before, limit }).await
    }
}

/// Shows a task.
pub struct Show;

/// Parameters of [`Show`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskParams {
    /// Id of the task.
    pub id: TaskId,
}

impl Method for Show {
    const NAME: &'static str = "tasks.show";
    const ABOUT: &'static str = "Show a task with all its bids.";
    type Params = TaskParams;
    type Answer = TaskView;

    async fn run(server: &Server, params: TaskParams) -> Result<TaskView> {
        server.hub.tasks().get(&root(), params.id).await.map_err(|error| unknown(params.id, error))
    }
}

/// Cancels a task.
pub struct Cancel;

/// Parameters of [`Cancel`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CancelParams {
    /// Id of the task.
    pub id: TaskId,
    /// The reason, which its poster, its bidders and its assignee are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Method for Cancel {
    const NAME: &'static str = "tasks.cancel";
    const ABOUT: &'static str = "Cancel a task of anybody that is open or assigned.";
    type Params = CancelParams;
    type Answer = Task;

    async fn run(server: &Server, params: CancelParams) -> Result<Task> {
        let closing = TaskClosing { status: Some(TaskEnding::Cancelled), summary: params.reason };
        let cancelled = server.hub.tasks().complete(&root(), params.id, closing).await;
        cancelled.map_err(|error| unknown(params.id, error))
    }
}

fn unknown(id: TaskId, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let sentence = format!("There is no task {id}: `svc-admin tasks list` shows the newest ones.");
    Error::new(ErrorKind::NotFound, "not_found", sentence)
}
