//! How a task moves: the one rule of its status.

use svc_model::tasks::TaskStatus;

use crate::error::{Error, Result};

/// Something that happens to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transition {
    /// Somebody bids.
    Bid,
    /// The poster accepts a bid.
    Accepted,
    /// The assignee has done it.
    Completed,
    /// The poster calls it off.
    Cancelled,
    /// Nobody has it when its time is over.
    Expired,
}

/// The status after something has happened, which may be the same one; an error when it cannot happen.
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
    Error::conflict("task_not_open", format!("This task is {status}: bids are taken and accepted while it is open."))
}

/// The same for a task whose time is over, before the hub has cancelled it.
pub(super) fn too_late() -> Error {
    Error::conflict("task_not_open", "The deadline of this task has passed: it can be posted again with another one.")
}

fn not_assigned() -> Error {
    Error::conflict("task_not_assigned", "Nobody has this task yet: it can be completed when a bid was accepted.")
}

fn closed(status: TaskStatus) -> Error {
    Error::conflict("task_closed", format!("This task is {status} already: it stays so."))
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
    fn refusals_say_what_is_the_matter() {
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
    fn what_has_ended_stays_so() {
        for status in [TaskStatus::Completed, TaskStatus::Cancelled] {
            assert!(TRANSITIONS.iter().all(|transition| next(status, *transition).is_err()));
        }
    }

    proptest! {
        #[test]
        fn a_task_is_given_once_and_ends_once(picks in prop::collection::vec(0..TRANSITIONS.len(), 0..30)) {
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
