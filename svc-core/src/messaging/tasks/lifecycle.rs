//! Status transitions of a task.

use svc_model::tasks::TaskStatus;

use crate::error::{Error, Result};

/// A transition of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transition {
    /// A participant bids.
    Bid,
    /// The poster accepts a bid.
    Accepted,
    /// The assignee completes it.
    Completed,
    /// The poster cancels it.
    Cancelled,
    /// Its deadline passes without an assignee.
    Expired,
}

/// The status after a transition, which may be unchanged; an error if the transition is not
/// allowed.
pub(super) fn next(status: TaskStatus, transition: Transition) -> Result<TaskStatus> {
    use TaskStatus::{Assigned, Cancelled, Completed, Open};
    match (status, transition) {
        (Open, Transition::Bid) => Ok(Open),
        (Open, Transition::Accepted) => Ok(Assigned),
        (Assigned, Transition::Completed) => Ok(Completed),
        (Open | Assigned, Transition::Cancelled) | (Open, Transition::Expired) => Ok(Cancelled),
        (Open, Transition::Completed) => Err(not_assigned()),
        (Completed | Cancelled, Transition::Completed | Transition::Cancelled) => Err(closed(status)),
        (Assigned | Completed | Cancelled, Transition::Bid | Transition::Accepted | Transition::Expired) => {
            Err(not_open(status))
        }
    }
}

fn not_open(status: TaskStatus) -> Error {
    Error::conflict("task_not_open", format!("This task is {status}. Only an open task takes bids or is assigned."))
}

/// The error for a task whose deadline has passed, before the hub has cancelled it.
pub(super) fn too_late() -> Error {
    Error::conflict("task_not_open", "The deadline of this task has passed. Its poster can post it again.")
}

fn not_assigned() -> Error {
    Error::conflict("task_not_assigned", "This task has no assignee. It can be completed after a bid is accepted.")
}

fn closed(status: TaskStatus) -> Error {
    Error::conflict("task_closed", format!("This task is already {status} and cannot change."))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STATUSES: [TaskStatus; 4] =
        [TaskStatus::Open, TaskStatus::Assigned, TaskStatus::Completed, TaskStatus::Cancelled];
    const TRANSITIONS: [Transition; 5] =
        [Transition::Bid, Transition::Accepted, Transition::Completed, Transition::Cancelled, Transition::Expired];

    #[test]
    fn each_disallowed_transition_has_its_error_code() {
        for (status, transition, code) in [
            (TaskStatus::Assigned, Transition::Accepted, "task_not_open"),
            (TaskStatus::Cancelled, Transition::Bid, "task_not_open"),
            (TaskStatus::Open, Transition::Completed, "task_not_assigned"),
            (TaskStatus::Completed, Transition::Cancelled, "task_closed"),
            (TaskStatus::Cancelled, Transition::Completed, "task_closed"),
        ] {
            assert_eq!(next(status, transition).unwrap_err().code(), code);
        }
    }

    #[test]
    fn a_closed_task_cannot_change() {
        for status in [TaskStatus::Completed, TaskStatus::Cancelled] {
            assert!(TRANSITIONS.iter().all(|transition| next(status, *transition).is_err()));
        }
    }

    proptest! {
        #[test]
        fn a_task_is_assigned_once_and_closed_once(picks in prop::collection::vec(0..TRANSITIONS.len(), 0..30)) {
            let (mut status, mut accepted, mut ended) = (TaskStatus::Open, 0, 0);
            for pick in picks {
                let Ok(after) = next(status, TRANSITIONS[pick]) else { continue };
                let rank = |status| STATUSES.iter().position(|known| *known == status);
                prop_assert!(rank(after) >= rank(status), "{} came after {}", after, status);
                accepted += usize::from(TRANSITIONS[pick] == Transition::Accepted);
                ended += usize::from(after != status && matches!(after, TaskStatus::Completed | TaskStatus::Cancelled));
                status = after;
            }
            prop_assert!(accepted <= 1 && ended <= 1);
            prop_assert!(status != TaskStatus::Completed || accepted == 1);
            prop_assert_eq!(status == TaskStatus::Open && accepted == 1, false);
        }
    }
}
