//! `goals.*`: goals, their tasks, and the agents that are proposed for them.

use serde::{Deserialize, Serialize};
use svc_core::goals::{
    DecisionNote, Goal, GoalCompletion, GoalDetail, GoalFilter, GoalPage, GoalStatus, GoalTask, Proposal,
};
use svc_core::ids::{GoalId, GoalTaskId};
use svc_core::{Error, Result};

use super::{Method, Server, missing, root};

/// Lists goals.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only goals with this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<GoalStatus>,
    /// Only goals of this user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The `next_cursor` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "goals.list";
    const ABOUT: &'static str = "List goals, of one owner or of all: stuck ones first, then the newest.";
    type Params = ListParams;
    type Answer = GoalPage;

    async fn run(server: &Server, params: ListParams) -> Result<GoalPage> {
        let ListParams { status, owner, cursor, limit } = params;
        let owner = match owner {
            None => None,
            Some(name) => Some(missing::existing_user(server, &name).await?.id),
        };
        server.hub.goals().list(&root(), GoalFilter { status, owner, cursor, limit }).await
    }
}

/// A goal as the only parameter.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalParams {
    /// Its id.
    pub id: GoalId,
}

/// Shows a goal.
pub struct Show;

impl Method for Show {
    const NAME: &'static str = "goals.show";
    const ABOUT: &'static str = "Show a goal with its tasks, its cost, its proposals and what happened.";
    type Params = GoalParams;
    type Answer = GoalDetail;

    async fn run(server: &Server, params: GoalParams) -> Result<GoalDetail> {
        server.hub.goals().get(&root(), params.id).await
    }
}

/// The object of a decision, as it is after it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decided {
    /// A goal.
    Goal(Box<Goal>),
    /// A task.
    Task(Box<GoalTask>),
    /// A proposed agent.
    Proposal(Box<Proposal>),
}

/// Approves tasks or a proposed agent.
pub struct Approve;

/// Parameters of [`Approve`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApproveParams {
    /// The goal.
    pub id: GoalId,
    /// Only this task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<GoalTaskId>,
    /// This proposed agent, instead of tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<i64>,
}

impl Method for Approve {
    const NAME: &'static str = "goals.approve";
    const ABOUT: &'static str = "Approve all proposed tasks of a goal, one of them, or a proposed agent.";
    type Params = ApproveParams;
    type Answer = Decided;

    async fn run(server: &Server, params: ApproveParams) -> Result<Decided> {
        let (goals, id) = (server.hub.goals(), params.id);
        Ok(match (params.task, params.proposal) {
            (Some(_), Some(_)) => return Err(Error::invalid("proposal", "cannot be given together with task")),
            (Some(task), None) => Decided::Task(Box::new(goals.approve_task(&root(), id, task).await?)),
            (None, Some(number)) => Decided::Proposal(Box::new(goals.approve_agent(&root(), id, number).await?)),
            (None, None) => Decided::Goal(Box::new(goals.approve_all(&root(), id).await?)),
        })
    }
}

/// Rejects a proposed agent.
pub struct Reject;

/// Parameters of [`Reject`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RejectParams {
    /// The goal.
    pub id: GoalId,
    /// The number of the proposal.
    pub proposal: i64,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Method for Reject {
    const NAME: &'static str = "goals.reject";
    const ABOUT: &'static str = "Reject an agent that was proposed for a goal.";
    type Params = RejectParams;
    type Answer = Proposal;

    async fn run(server: &Server, params: RejectParams) -> Result<Proposal> {
        let RejectParams { id, proposal, reason } = params;
        server.hub.goals().reject_agent(&root(), id, proposal, DecisionNote { reason }).await
    }
}

/// Cancels a goal or one of its tasks.
pub struct Cancel;

/// Parameters of [`Cancel`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CancelParams {
    /// The goal.
    pub id: GoalId,
    /// Only this task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<GoalTaskId>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Method for Cancel {
    const NAME: &'static str = "goals.cancel";
    const ABOUT: &'static str = "Cancel a goal, or one of its tasks.";
    type Params = CancelParams;
    type Answer = Decided;

    async fn run(server: &Server, params: CancelParams) -> Result<Decided> {
        let (goals, CancelParams { id, task, reason }) = (server.hub.goals(), params);
        Ok(if let Some(task) = task {
            Decided::Task(Box::new(goals.cancel_task(&root(), id, task, DecisionNote { reason }).await?))
        } else {
            let status = GoalStatus::Cancelled;
            let completion = GoalCompletion { status, summary: reason, completion_message_id: None };
            Decided::Goal(Box::new(goals.complete(&root(), id, completion).await?))
        })
    }
}
