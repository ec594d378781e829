//! The goals of a hub.

use svc_macros::boxed_futures;
use svc_model::goals::{
    ApprovalList, ClaimedTask, DecisionNote, Goal, GoalChanges, GoalCompletion, GoalDetail, GoalFilter, GoalPage,
    GoalTask, NewGoal, NewProposal, Proposal, TaskClaim, TaskNode, TaskUpdate, TaskVerdict,
};

use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{GoalId, GoalTaskId};
use crate::store::db::Db;

/// The goals of a hub; see [`Hub::goals`](crate::Hub::goals).
#[derive(Clone)]
pub struct Goals {
    pub(super) db: Db,
}

macro_rules! stub { ($($arg:expr),*) => {{ $(let _ = $arg;)* Err(Error::internal("not written")) }}; }

#[boxed_futures]
impl Goals {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// Creates a goal with its private channel.
    pub async fn create(&self, caller: &Caller, new: NewGoal) -> Result<Goal> {
        stub!(&self.db, caller, new)
    }

    /// Lists the goals of the caller's owner: stuck ones first, then the newest.
    pub async fn list(&self, caller: &Caller, filter: GoalFilter) -> Result<GoalPage> {
        stub!(caller, filter)
    }

    /// Returns a goal with its tasks, its cost, its agents and its timeline.
    pub async fn get(&self, caller: &Caller, id: GoalId) -> Result<GoalDetail> {
        stub!(caller, id)
    }

    /// Changes a goal. Requires its owner.
    pub async fn update(&self, caller: &Caller, id: GoalId, changes: GoalChanges) -> Result<Goal> {
        stub!(caller, id, changes)
    }

    /// Ends a goal or reports that it is stuck.
    pub async fn complete(&self, caller: &Caller, id: GoalId, completion: GoalCompletion) -> Result<Goal> {
        stub!(caller, id, completion)
    }

    /// Stores a task tree: all of it or nothing.
    pub async fn propose_tree(&self, caller: &Caller, id: GoalId, tree: Vec<TaskNode>) -> Result<GoalDetail> {
        stub!(caller, id, tree)
    }

    /// Claims a task for the calling agent.
    pub async fn claim(&self, caller: &Caller, id: GoalId, claim: TaskClaim) -> Result<ClaimedTask> {
        stub!(caller, id, claim)
    }

    /// Updates a task.
    pub async fn update_task(&self, caller: &Caller, task: GoalTaskId, update: TaskUpdate) -> Result<GoalTask> {
        stub!(caller, task, update)
    }

    /// Approves a proposed task. Requires the owner of the goal.
    pub async fn approve_task(&self, caller: &Caller, id: GoalId, task: GoalTaskId) -> Result<GoalTask> {
        stub!(caller, id, task)
    }

    /// Approves all proposed tasks of a goal. Requires its owner. Returns the goal.
    pub async fn approve_all(&self, caller: &Caller, id: GoalId) -> Result<Goal> {
        stub!(caller, id)
    }

    /// Decides on the result of a task. Requires the owner of the goal.
    pub async fn verify_task(
        &self,
        caller: &Caller,
        id: GoalId,
        task: GoalTaskId,
        verdict: TaskVerdict,
    ) -> Result<GoalTask> {
        stub!(caller, id, task, verdict)
    }

    /// Reopens a failed task. Requires the owner of the goal.
    pub async fn reopen_task(
        &self,
        caller: &Caller,
        id: GoalId,
        task: GoalTaskId,
        note: DecisionNote,
    ) -> Result<GoalTask> {
        stub!(caller, id, task, note)
    }

    /// Cancels a task. Requires the owner of the goal.
    pub async fn cancel_task(
        &self,
        caller: &Caller,
        id: GoalId,
        task: GoalTaskId,
        note: DecisionNote,
    ) -> Result<GoalTask> {
        stub!(caller, id, task, note)
    }

    /// Proposes an agent for a goal.
    pub async fn propose_agent(&self, caller: &Caller, id: GoalId, new: NewProposal) -> Result<Proposal> {
        stub!(caller, id, new)
    }

    /// Approves a proposed agent, which exists from then on. Requires the owner of the goal.
    pub async fn approve_agent(&self, caller: &Caller, id: GoalId, number: i64) -> Result<Proposal> {
        stub!(caller, id, number)
    }

    /// Rejects a proposed agent. Requires the owner of the goal.
    pub async fn reject_agent(&self, caller: &Caller, id: GoalId, number: i64, note: DecisionNote) -> Result<Proposal> {
        stub!(caller, id, number, note)
    }

    /// Lists what waits for the decision of the calling human: tasks, results, agents and secrets.
    pub async fn approvals(&self, caller: &Caller) -> Result<ApprovalList> {
        stub!(caller)
    }
}
