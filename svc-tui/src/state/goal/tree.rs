//! The rows of a goal in sight: its tasks as a tree, the agents that were proposed, and its timeline.

use std::collections::HashSet;

use svc_core::Timestamp;
use svc_core::goals::{GoalDetail, GoalTask, Proposal, TimelineEntry};
use svc_core::ids::GoalTaskId;

/// The identity of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A task.
    Task(GoalTaskId),
    /// A proposed agent, by its number.
    Proposal(i64),
    /// An entry of the timeline, by its time and its task.
    Entry(Timestamp, Option<GoalTaskId>),
}

/// A row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row<'g> {
    /// The heading of a section.
    Heading(&'static str),
    /// A sentence in place of the rows of a section.
    Hint(&'static str),
    /// A task.
    Task {
        /// The task.
        task: &'g GoalTask,
        /// The number of tasks above it.
        level: usize,
        /// Whether the tasks below it are in sight; none without tasks below it.
        open: Option<bool>,
    },
    /// A proposed agent.
    Proposal(&'g Proposal),
    /// An entry of the timeline.
    Entry(&'g TimelineEntry),
}

impl Row<'_> {
    /// Its identity; none for a row that cannot be selected.
    pub(crate) fn key(&self) -> Option<Key> {
        match self {
            Self::Heading(_) | Self::Hint(_) => None,
            Self::Task { task, .. } => Some(Key::Task(task.id)),
            Self::Proposal(proposal) => Some(Key::Proposal(proposal.number)),
            Self::Entry(entry) => Some(Key::Entry(entry.at, entry.task_id)),
        }
    }
}

/// The rows in sight: all tasks but those below a collapsed one, then the proposed agents, then the timeline with the
/// newest entry first.
pub(crate) fn rows<'g>(goal: &'g GoalDetail, collapsed: &HashSet<GoalTaskId>) -> Vec<Row<'g>> {
    let mut rows = vec![Row::Heading("Tasks")];
    if goal.tasks.is_empty() {
        rows.push(Row::Hint("No tasks yet: the coordinator proposes them."));
    }
    // A tree may be deep, so the tasks that are left are kept in a list.
    let mut left: Vec<_> = goal.tasks.iter().rev().map(|task| (task, 0)).collect();
    while let Some((task, level)) = left.pop() {
        let open = (!task.children.is_empty()).then(|| !collapsed.contains(&task.id));
        rows.push(Row::Task { task, level, open });
        if open == Some(true) {
            left.extend(task.children.iter().rev().map(|child| (child, level + 1)));
        }
    }
    if !goal.proposals.is_empty() {
        rows.push(Row::Heading("Proposed agents"));
        rows.extend(goal.proposals.iter().map(Row::Proposal));
    }
    if !goal.timeline.is_empty() {
        rows.push(Row::Heading("Timeline"));
        rows.extend(goal.timeline.iter().rev().map(Row::Entry));
    }
    if goal.timeline_truncated {
        rows.push(Row::Hint("Older entries are not shown."));
    }
    rows
}

/// The tasks above a task, from the root down.
pub(crate) fn path_to(roots: &[GoalTask], id: GoalTaskId) -> Vec<&GoalTask> {
    let mut left: Vec<_> = roots.iter().map(|task| (task, Vec::new())).collect();
    while let Some((task, above)) = left.pop() {
        if task.id == id {
            return above;
        }
        let mut above: Vec<&GoalTask> = above;
        above.push(task);
        left.extend(task.children.iter().map(|child| (child, above.clone())));
    }
    Vec::new()
}

/// Whether a task waits for others. One that was begun or has ended waits for none.
pub(crate) fn is_blocked(task: &GoalTask) -> bool {
    !task.blocked_by.is_empty() && task.status.is_unbegun()
}
