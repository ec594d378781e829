//! Goals: an outcome that an owner wants, a tree of tasks, and the agents that do them. The handle is `hub.goals()`.

pub use crate::knowledge::goals::Goals;

#[doc(inline)]
pub use svc_model::goals::{
    Approval, ApprovalKind, ApprovalList, Autonomy, BillingLine, ClaimedTask, DecisionNote, Goal, GoalBudget,
    GoalChanges, GoalCompletion, GoalDetail, GoalFilter, GoalPage, GoalStatus, GoalTask, GoalTaskStatus, NewGoal,
    NewProposal, Proposal, ProposalStatus, SpawnedAgent, Spent, TaskAction, TaskClaim, TaskCounts, TaskNode,
    TaskRollup, TaskUpdate, TaskVerdict, TimelineEntry, TimelineKind, Verifier, VerifierKind,
};
