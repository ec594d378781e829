//! A goal: its tree of tasks, the agents that are proposed for it, and what happened.

mod tree;

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::goals::{GoalDetail, GoalTaskStatus, ProposalStatus};
use svc_core::ids::{GoalId, GoalTaskId};
use svc_core::live::LiveBody;

pub(crate) use self::tree::{Key, Row, is_blocked, path_to, rows};
use super::context::Context;
use super::decision::Decision;
use super::destination::Destination;
use super::headed;
use super::list::Selection;
use super::loaded::Loaded;
use super::reading::Reading;
use super::rendered::Rendered;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::{Place, Result};
use crate::text;
use crate::view::View;

/// A goal with its tasks.
pub(crate) struct GoalScreen {
    id: GoalId,
    /// The goal.
    pub(crate) goal: Loaded<GoalDetail>,
    /// Tasks whose parts are hidden.
    pub(crate) collapsed: HashSet<GoalTaskId>,
    /// The selected row.
    pub(crate) selection: Selection,
    /// Whether the details have the keys; in a narrow window they are shown in place of the list then.
    pub(crate) in_details: bool,
    /// The details of the selected row.
    pub(crate) details: Rendered,
    /// Where the list was drawn.
    pub(crate) area: Rect,
    reading: Reading,
    deciding: bool,
}

impl GoalScreen {
    /// The screen of a goal, with nothing read yet.
    pub(crate) fn new(id: GoalId) -> Self {
        Self {
            id,
            goal: Loaded::Waiting,
            collapsed: HashSet::new(),
            selection: Selection::default(),
            in_details: false,
            details: Rendered::default(),
            area: Rect::default(),
            reading: Reading::default(),
            deciding: false,
        }
    }

    /// The rows in sight.
    pub(crate) fn rows(&self) -> Vec<Row<'_>> {
        self.goal.get().map_or_else(Vec::new, |goal| rows(goal, &self.collapsed))
    }

    fn selected(&self) -> Option<Row<'_>> {
        self.rows().get(self.selection.index).copied()
    }

    fn selected_key(&self) -> Option<Key> {
        self.selected().and_then(|row| row.key())
    }

    fn headings(&self) -> Vec<bool> {
        self.rows().iter().map(|row| row.key().is_none()).collect()
    }

    /// Selects the row with this key, if it is in sight.
    fn select(&mut self, key: Option<&Key>) {
        let index = self.rows().iter().position(|row| key.is_some() && row.key().as_ref() == key);
        if let Some(index) = index {
            self.selection.index = index;
        }
        let headings = self.headings();
        headed::skip(&mut self.selection, &headings, false);
    }

    fn answered(&mut self, answer: Result<GoalDetail>, context: &mut Context<'_>) {
        self.reading.ends();
        let chosen = self.selected_key();
        if let Some(failure) = self.goal.take(answer) {
            context.fail(&failure);
        }
        self.select(chosen.as_ref());
        self.settle(context);
    }

    /// Closes the selected task, or goes to the one above it.
    fn left(&mut self) -> Handled {
        let Some(Row::Task { task, open, .. }) = self.selected() else { return Handled::No };
        let (id, parent) = (task.id, task.parent_id);
        if open == Some(true) {
            self.collapsed.insert(id);
            return Handled::Yes;
        }
        let Some(parent) = parent else { return Handled::No };
        self.select(Some(&Key::Task(parent)));
        self.details.rewind();
        Handled::Yes
    }

    /// Opens the selected task, or its details when there is nothing to open.
    fn right(&mut self) {
        match self.selected() {
            Some(Row::Task { task, open: Some(false), .. }) => {
                let id = task.id;
                self.collapsed.remove(&id);
            }
            Some(_) => self.in_details = true,
            None => {}
        }
    }

    fn enter(&mut self, context: &mut Context<'_>) {
        let Some(Row::Entry(entry)) = self.selected() else {
            self.in_details = self.selected_key().is_some();
            return;
        };
        let channel = self.goal.get().and_then(|detail| detail.goal.channel.clone());
        match (entry.message_id, channel, entry.run_id, entry.task_id) {
            (Some(message), Some(channel), ..) => context.go(Destination::Message(Place::Channel(channel), message)),
            (.., Some(run), _) => context.go(Destination::Run(run)),
            (.., Some(task)) => self.show_task(task),
            _ => self.in_details = true,
        }
    }

    /// Selects a task, and opens the tasks above it.
    fn show_task(&mut self, id: GoalTaskId) {
        if let Some(goal) = self.goal.get() {
            for above in path_to(&goal.tasks, id) {
                self.collapsed.remove(&above.id);
            }
        }
        self.select(Some(&Key::Task(id)));
        self.details.rewind();
    }

    fn approve(&mut self, context: &mut Context<'_>) {
        let decision = match self.selected() {
            Some(Row::Task { task, .. }) => match task.status {
                GoalTaskStatus::Proposed => Some(Decision::ApproveTask(self.id, task.id)),
                GoalTaskStatus::AwaitingVerification => Some(Decision::AcceptResult(self.id, task.id)),
                _ => None,
            },
            Some(Row::Proposal(proposal)) if proposal.status == ProposalStatus::Proposed => {
                Some(Decision::ApproveAgent(self.id, proposal.number))
            }
            _ => None,
        };
        match decision {
            Some(decision) => self.decide(decision, context),
            None => context.note("This waits for no decision."),
        }
    }

    fn reject(&mut self, context: &mut Context<'_>) {
        let decision = match self.selected() {
            Some(Row::Task { task, .. }) if task.status == GoalTaskStatus::AwaitingVerification => {
                Some((Decision::RejectResult(self.id, task.id, None), task.title.clone()))
            }
            Some(Row::Task { task, .. }) if !task.status.is_final() => {
                Some((Decision::CancelTask(self.id, task.id, None), task.title.clone()))
            }
            Some(Row::Proposal(proposal)) if proposal.status == ProposalStatus::Proposed => {
                Some((Decision::RejectAgent(self.id, proposal.number, None), proposal.name.clone()))
            }
            _ => None,
        };
        match decision {
            Some((decision, title)) => Self::ask_reason(decision, &title, context),
            None => context.note("There is nothing to reject or cancel here."),
        }
    }

    fn reopen(&mut self, context: &mut Context<'_>) {
        match self.selected() {
            Some(Row::Task { task, .. }) if task.status == GoalTaskStatus::Failed => {
                Self::ask_reason(Decision::ReopenTask(self.id, task.id, None), &task.title, context);
            }
            _ => context.note("Only a failed task can be reopened."),
        }
    }

    fn approve_all(&mut self, context: &mut Context<'_>) {
        let count = self.goal.get().map_or(0, |detail| detail.goal.task_counts.proposed);
        if count == 0 {
            context.note("No task of this goal waits for an approval.");
            return;
        }
        let decision = Decision::ApproveAll(self.id);
        context.confirm(format!("Approve all proposed tasks ({count})?"), |screen: &mut Self, context| {
            screen.decide(decision, context);
        });
    }

    fn ask_reason(decision: Decision, title: &str, context: &mut Context<'_>) {
        context.prompt(decision.question(title), "", move |screen: &mut Self, reason, context| {
            screen.decide(decision.because(&reason), context);
        });
    }

    /// Sends a decision. While one is on its way there is no other.
    fn decide(&mut self, decision: Decision, context: &mut Context<'_>) {
        if std::mem::replace(&mut self.deciding, true) {
            context.note("The decision before is still on its way.");
            return;
        }
        decision.send_from(Self::decided, context);
    }

    fn decided(&mut self, context: &mut Context<'_>) {
        self.deciding = false;
        self.reading.expire();
        self.settle(context);
    }

    fn click(&mut self, column: u16, row: u16, context: &mut Context<'_>) -> Handled {
        if !self.area.contains((column, row).into()) {
            return Handled::No;
        }
        self.in_details = false;
        let headings = self.headings();
        match headed::click(&mut self.selection, usize::from(row - self.area.y), &headings) {
            Some(true) => self.enter(context),
            Some(false) => self.details.rewind(),
            None => {}
        }
        Handled::Yes
    }

    /// Actions that mean the same in the list and in the details.
    fn act_on_row(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        match action {
            Action::Approve => self.approve(context),
            Action::Reject => self.reject(context),
            Action::Retry => self.reopen(context),
            Action::Acknowledge => self.approve_all(context),
            Action::Open => match self.goal.get().and_then(|detail| detail.goal.channel.clone()) {
                Some(channel) => context.go(Destination::Conversation(Place::Channel(channel))),
                None => context.note("This goal has no channel."),
            },
            Action::Click { column, row } => return self.click(*column, *row, context),
            _ => return Handled::No,
        }
        Handled::Yes
    }
}

impl Screen for GoalScreen {
    fn destination(&self) -> Destination {
        Destination::Goal(self.id)
    }

    fn title(&self) -> String {
        self.goal
            .get()
            .map_or_else(|| "Goal".to_owned(), |detail| format!("Goal: {}", text::fit(&detail.goal.title, 60)))
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.reading.expire();
        self.settle(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        if self.in_details {
            if self.details.act(action) {
                return Handled::Yes;
            }
            if matches!(action, Action::Back | Action::Left) {
                self.in_details = false;
                return Handled::Yes;
            }
            return self.act_on_row(action, context);
        }
        let headings = self.headings();
        if headed::act(&mut self.selection, action, &headings) {
            self.details.rewind();
            return Handled::Yes;
        }
        match action {
            Action::Left => return self.left(),
            Action::Right => self.right(),
            Action::Enter => self.enter(context),
            _ => return self.act_on_row(action, context),
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        let concerns = match news {
            LiveBody::GoalChanged(news) => news.goal_id == self.id,
            LiveBody::Reset(_) => true,
            // The timeline has the messages of the goal's channel.
            LiveBody::NewMessage(news) => {
                let channel = self.goal.get().and_then(|detail| detail.goal.channel.as_ref());
                channel.is_some() && news.channel.as_ref() == channel
            }
            _ => false,
        };
        if concerns {
            self.reading.expire();
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        if self.reading.begins() {
            let id = self.id;
            context.ask(
                move |hub| async move { hub.goal(id).await },
                |screen: &mut Self, answer, context| screen.answered(answer, context),
            );
        }
    }

    fn keys(&self) -> Vec<KeyHint> {
        let decisions = [
            key("a", "approve, accept"),
            key("x", "reject, cancel"),
            key("R", "reopen"),
            key("A", "approve all"),
            key("o", "channel"),
        ];
        let first = if self.in_details {
            vec![key("Esc", "tasks"), key("↑ ↓", "scroll")]
        } else {
            vec![key("Enter", "details"), key("← →", "close, open")]
        };
        first.into_iter().chain(decisions).collect()
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::goal::draw(self, frame, area, view);
    }
}
