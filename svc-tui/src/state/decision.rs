//! Decisions of the person about goals, proposals and runs, which several screens offer.

use std::sync::Arc;

use svc_core::goals::{Approval, ApprovalKind, TaskVerdict};
use svc_core::ids::{GoalId, GoalTaskId, MessageId, RunId};
use svc_core::reactions::ReactionKind;

use super::context::Context;
use super::screen::Screen;
use crate::backend::{Backend, Result};

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Approves all proposed tasks of a goal.
    ApproveAll(GoalId),
    /// Approves a proposed task.
    ApproveTask(GoalId, GoalTaskId),
    /// Accepts the result of a task.
    AcceptResult(GoalId, GoalTaskId),
    /// Rejects the result of a task, with the reason.
    RejectResult(GoalId, GoalTaskId, Option<String>),
    /// Gives up a task, with the reason.
    CancelTask(GoalId, GoalTaskId, Option<String>),
    /// Lets a failed task be claimed again, with the reason.
    ReopenTask(GoalId, GoalTaskId, Option<String>),
    /// Approves a proposed agent.
    ApproveAgent(GoalId, i64),
    /// Rejects a proposed agent, with the reason.
    RejectAgent(GoalId, i64, Option<String>),
    /// Reacts to a message of a workflow, with an idempotency key.
    React(MessageId, ReactionKind, String),
    /// Repeats a run, with an idempotency key.
    RetryRun(RunId, String),
}

impl Decision {
    /// Carries it out.
    pub(crate) async fn send(self, hub: Arc<dyn Backend>) -> Result<()> {
        match self {
            Self::ApproveAll(goal) => hub.approve_goal(goal).await.map(drop),
            Self::ApproveTask(goal, task) => hub.approve_task(goal, task).await.map(drop),
            Self::AcceptResult(goal, task) => {
                let verdict = TaskVerdict { passed: Some(true), note: None };
                hub.verify_task(goal, task, verdict).await.map(drop)
            }
            Self::RejectResult(goal, task, note) => {
                let verdict = TaskVerdict { passed: Some(false), note };
                hub.verify_task(goal, task, verdict).await.map(drop)
            }
            Self::CancelTask(goal, task, reason) => hub.cancel_task(goal, task, reason).await.map(drop),
            Self::ReopenTask(goal, task, reason) => hub.reopen_task(goal, task, reason).await.map(drop),
            Self::ApproveAgent(goal, number) => hub.approve_agent(goal, number).await.map(drop),
            Self::RejectAgent(goal, number, reason) => hub.reject_agent(goal, number, reason).await.map(drop),
            Self::React(message, reaction, key) => hub.react(message, reaction, &key).await.map(drop),
            Self::RetryRun(run, key) => hub.retry_run(run, &key).await.map(drop),
        }
    }

    /// Carries it out for a screen, tells the result, and calls `then`.
    pub(super) fn send_from<S: Screen>(self, then: fn(&mut S, &mut Context<'_>), context: &mut Context<'_>) {
        let done = self.done();
        context.change(
            move |hub| self.send(hub),
            move |screen: &mut S, answer, context| {
                match answer {
                    Ok(()) => context.note(done),
                    Err(failure) => context.fail(&failure),
                }
                then(screen, context);
            },
        );
    }

    /// The result in words, for the footer.
    pub(crate) fn done(&self) -> &'static str {
        match self {
            Self::ApproveAll(_) => "All proposed tasks are approved.",
            Self::ApproveTask(..) => "The task is approved.",
            Self::AcceptResult(..) => "The result is accepted.",
            Self::RejectResult(..) => "The result is rejected.",
            Self::CancelTask(..) => "The task is cancelled.",
            Self::ReopenTask(..) => "The task can be claimed again.",
            Self::ApproveAgent(..) => "The agent is approved.",
            Self::RejectAgent(..) => "The agent is rejected.",
            Self::React(_, ReactionKind::Approve, _) => "The proposal is approved.",
            Self::React(_, ReactionKind::Reject, _) => "The proposal is rejected.",
            Self::React(..) => "The reaction is saved.",
            Self::RetryRun(..) => "The run is repeated.",
        }
    }

    /// The decision with a reason, if it takes one. A blank reason is none.
    pub(crate) fn because(self, text: &str) -> Self {
        let reason = Some(text.trim().to_owned()).filter(|reason| !reason.is_empty());
        match self {
            Self::RejectResult(goal, task, _) => Self::RejectResult(goal, task, reason),
            Self::CancelTask(goal, task, _) => Self::CancelTask(goal, task, reason),
            Self::ReopenTask(goal, task, _) => Self::ReopenTask(goal, task, reason),
            Self::RejectAgent(goal, number, _) => Self::RejectAgent(goal, number, reason),
            other => other,
        }
    }

    /// The approval of something that waits; none for a secret, which the web UI takes.
    pub(crate) fn approval(waiting: &Approval) -> Option<Self> {
        let goal = waiting.goal_id?;
        match waiting.kind {
            ApprovalKind::Task => Some(Self::ApproveTask(goal, GoalTaskId(waiting.id))),
            ApprovalKind::Verification => Some(Self::AcceptResult(goal, GoalTaskId(waiting.id))),
            ApprovalKind::Agent => Some(Self::ApproveAgent(goal, waiting.id)),
            ApprovalKind::Secret => None,
        }
    }

    /// The rejection of something that waits; none for a secret, which the web UI takes.
    pub(crate) fn rejection(waiting: &Approval) -> Option<Self> {
        let goal = waiting.goal_id?;
        match waiting.kind {
            ApprovalKind::Task => Some(Self::CancelTask(goal, GoalTaskId(waiting.id), None)),
            ApprovalKind::Verification => Some(Self::RejectResult(goal, GoalTaskId(waiting.id), None)),
            ApprovalKind::Agent => Some(Self::RejectAgent(goal, waiting.id, None)),
            ApprovalKind::Secret => None,
        }
    }

    /// The question that asks for the reason, about a thing with this title.
    pub(crate) fn question(&self, title: &str) -> String {
        let title = crate::text::fit(title, 40);
        match self {
            Self::CancelTask(..) => format!("Cancel “{title}” for good? Reason, or nothing:"),
            Self::RejectResult(..) => format!("Reject the result of “{title}”? Reason, or nothing:"),
            Self::ReopenTask(..) => format!("Reopen “{title}”? Reason, or nothing:"),
            Self::RejectAgent(..) => format!("Reject the agent @{title}? Reason, or nothing:"),
            _ => "Reason, or nothing:".to_owned(),
        }
    }
}
