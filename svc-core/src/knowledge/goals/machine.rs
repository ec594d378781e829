//! The moves of goals and of tasks, as tables.

use svc_model::goals::{GoalStatus, GoalTaskStatus};

use crate::error::{Error, Result};

/// Whether a goal may move from one status to another.
pub(super) fn is_legal(from: GoalStatus, to: GoalStatus) -> bool {
    use GoalStatus::{Active, Cancelled, Completed, Draft, Stuck};
    match from {
        Draft => matches!(to, Active | Completed | Stuck | Cancelled),
        Active => matches!(to, Completed | Stuck | Cancelled),
        Stuck => matches!(to, Active | Completed | Cancelled),
        Completed | Cancelled => false,
    }
}

/// Fails unless a goal may move from one status to another.
pub(super) fn require_legal(from: GoalStatus, to: GoalStatus) -> Result<()> {
    if is_legal(from, to) {
        return Ok(());
    }
    let message = if from.is_final() {
        format!("This goal is {from}, which is final: it cannot become {to}.")
    } else {
        format!("A goal cannot move from {from} to {to}.")
    };
    Err(illegal(message, from.as_str(), to.as_str()))
}

/// A move of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// A human approves it.
    Approve,
    /// An agent claims it.
    Claim,
    /// The claimant begins.
    Start,
    /// The claimant submits it; `true` if a verifier has to decide.
    Submit(bool),
    /// The verifier decides; `true` if the result is accepted.
    Verify(bool),
    /// The claimant gives up.
    Fail,
    /// It is given up.
    Cancel,
    /// A human reopens it.
    Reopen,
    /// The lease of its claim ended, or its claimant was deleted.
    Release,
}

impl Move {
    fn word(self) -> &'static str {
        match self {
            Self::Approve => "approved",
            Self::Claim => "claimed",
            Self::Start => "started",
            Self::Submit(_) => "submitted",
            Self::Verify(_) => "verified",
            Self::Fail => "failed",
            Self::Cancel => "cancelled",
            Self::Reopen => "reopened",
            Self::Release => "released",
        }
    }

    /// The status that the move leads to.
    fn to(self) -> GoalTaskStatus {
        match self {
            Self::Approve | Self::Reopen | Self::Release => GoalTaskStatus::Approved,
            Self::Claim => GoalTaskStatus::Claimed,
            Self::Start => GoalTaskStatus::InProgress,
            Self::Submit(true) => GoalTaskStatus::AwaitingVerification,
            Self::Submit(false) | Self::Verify(true) => GoalTaskStatus::Done,
            Self::Verify(false) | Self::Fail => GoalTaskStatus::Failed,
            Self::Cancel => GoalTaskStatus::Cancelled,
        }
    }

    /// Whether a task in this status can make the move.
    fn is_legal(self, from: GoalTaskStatus) -> bool {
        use GoalTaskStatus::{Approved, AwaitingVerification, Claimed, Failed, InProgress, Proposed};
        match self {
            Self::Approve => from == Proposed,
            Self::Claim => from == Approved,
            Self::Start => from == Claimed,
            Self::Submit(_) => from == InProgress,
            Self::Verify(_) => from == AwaitingVerification,
            Self::Fail | Self::Release => matches!(from, Claimed | InProgress),
            Self::Cancel => !from.is_final(),
            Self::Reopen => from == Failed,
        }
    }
}

/// The status of a task after a move.
pub(super) fn next(from: GoalTaskStatus, step: Move) -> Result<GoalTaskStatus> {
    let to = step.to();
    if step.is_legal(from) {
        return Ok(to);
    }
    let word = step.word();
    let message = format!("This task is {from}: it cannot be {word}, which would make it {to}.");
    Err(illegal(message, from.as_str(), to.as_str()))
}

fn illegal(message: String, from: &str, to: &str) -> Error {
    Error::conflict("illegal_transition", message).with_detail("from", from).with_detail("to", to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_goal_statuses_is_decided() {
        let rows = [
            ("draft", [false, true, true, true, true]),
            ("active", [false, false, true, true, true]),
            ("completed", [false, false, false, false, false]),
            ("stuck", [false, true, true, false, true]),
            ("cancelled", [false, false, false, false, false]),
        ];
        for (from, (word, legal)) in GoalStatus::ALL.into_iter().zip(rows) {
            assert_eq!(from.as_str(), word);
            for (to, legal) in GoalStatus::ALL.into_iter().zip(legal) {
                assert_eq!(is_legal(from, to), legal, "{from} to {to}");
                if !legal {
                    let error = require_legal(from, to).unwrap_err();
                    assert_eq!(error.code(), "illegal_transition");
                    assert!(error.message().contains(from.as_str()) && error.message().contains(to.as_str()));
                }
            }
        }
    }

    #[test]
    fn every_pair_of_task_statuses_is_decided() {
        use GoalTaskStatus as S;
        const MOVES: [Move; 11] = [
            Move::Approve,
            Move::Claim,
            Move::Start,
            Move::Submit(true),
            Move::Submit(false),
            Move::Verify(true),
            Move::Verify(false),
            Move::Fail,
            Move::Cancel,
            Move::Reopen,
            Move::Release,
        ];
        // The statuses that each status leads to, in one move.
        let table: [(S, &[S]); 8] = [
            (S::Proposed, &[S::Approved, S::Cancelled]),
            (S::Approved, &[S::Claimed, S::Cancelled]),
            (S::Claimed, &[S::InProgress, S::Failed, S::Cancelled, S::Approved]),
            (S::InProgress, &[S::AwaitingVerification, S::Done, S::Failed, S::Cancelled, S::Approved]),
            (S::AwaitingVerification, &[S::Done, S::Failed, S::Cancelled]),
            (S::Done, &[]),
            (S::Failed, &[S::Approved]),
            (S::Cancelled, &[]),
        ];
        for (from, reached) in table {
            for to in S::ALL {
                let is_reached = MOVES.iter().any(|step| next(from, *step).is_ok_and(|found| found == to));
                assert_eq!(is_reached, reached.contains(&to), "{from} to {to}");
            }
            for step in MOVES {
                if let Err(error) = next(from, step) {
                    assert_eq!(error.code(), "illegal_transition");
                    assert!(error.message().contains(from.as_str()) && error.message().contains(step.to().as_str()));
                }
            }
        }
    }
}
