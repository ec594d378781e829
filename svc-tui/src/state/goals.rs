//! The list of goals: progress, cost, and what holds them up. Its parts are used by further screens.

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::goals::Goal;
use svc_core::live::LiveBody;

use super::context::Context;
use super::decision::Decision;
use super::destination::Destination;
use super::list::Selection;
use super::loaded::Loaded;
use super::reading::Reading;
use super::rendered::Rendered;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::{Backend, Result};
use crate::text;
use crate::view::View;

/// Goals that are read at once.
const PAGE: usize = 50;

/// The list of goals.
#[derive(Default)]
pub(crate) struct Goals {
    /// The goals that were read.
    pub(crate) read: Loaded<GoalList>,
    /// The selected goal.
    pub(crate) selection: Selection,
    /// The details of the selected goal, in a wide window.
    pub(crate) details: Rendered,
    /// Where the list was drawn.
    pub(crate) area: Rect,
    /// How many goals are asked for.
    wanted: usize,
    reading: Reading,
    deciding: bool,
}

/// Goals, those that are stuck first, then the newest.
#[derive(Debug)]
pub(crate) struct GoalList {
    /// The goals.
    pub(crate) goals: Vec<Goal>,
    /// Whether there are more.
    pub(crate) more: bool,
}

impl Goals {
    /// The list, not read yet.
    pub(crate) fn new() -> Self {
        Self { wanted: PAGE, ..Self::default() }
    }

    /// The selected goal.
    pub(crate) fn selected(&self) -> Option<&Goal> {
        self.read.get()?.goals.get(self.selection.index)
    }

    fn count(&self) -> usize {
        self.read.get().map_or(0, |list| list.goals.len())
    }

    fn answered(&mut self, answer: Result<GoalList>, context: &mut Context<'_>) {
        self.reading.ends();
        let chosen = self.selected().map(|goal| goal.id);
        if let Some(failure) = self.read.take(answer) {
            context.fail(&failure);
        }
        if let Some(list) = self.read.get()
            && let Some(index) = list.goals.iter().position(|goal| Some(goal.id) == chosen)
        {
            self.selection.index = index;
        }
        self.selection.limit(self.count());
        self.settle(context);
    }

    /// Asks for more goals when the end of the list is near.
    fn read_on(&mut self, context: &mut Context<'_>) {
        let count = self.count();
        let more = self.read.get().is_some_and(|list| list.more);
        if more && self.selection.index + 5 >= count && self.wanted <= count {
            self.wanted = count + PAGE;
            self.reading.expire();
            self.settle(context);
        }
    }

    fn open(&self, context: &mut Context<'_>) {
        if let Some(goal) = self.selected() {
            context.go(Destination::Goal(goal.id));
        }
    }

    fn approve_all(&mut self, context: &mut Context<'_>) {
        let Some(goal) = self.selected() else { return };
        if self.deciding || goal.status.is_final() || goal.task_counts.proposed == 0 {
            context.note("No task of this goal waits for an approval.");
            return;
        }
        let (id, count) = (goal.id, goal.task_counts.proposed);
        let tasks = if count == 1 { "the proposed task".to_owned() } else { format!("all {count} proposed tasks") };
        let question = format!("Approve {tasks} of “{}”?", text::fit(&goal.title, 40));
        context.confirm(question, move |screen: &mut Self, context| {
            screen.deciding = true;
            Decision::ApproveAll(id).send_from(Self::decided, context);
        });
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
        let before = self.selection.index;
        if self.selection.click(usize::from(row - self.area.y), self.count()) && self.selection.index == before {
            self.open(context);
        }
        self.details.rewind();
        Handled::Yes
    }
}

/// Reads as many goals as are wanted, page by page.
async fn read(hub: &dyn Backend, wanted: usize) -> Result<GoalList> {
    let mut goals = Vec::new();
    let mut cursor = None;
    loop {
        let page = hub.goals(cursor, i64::try_from(PAGE).unwrap_or(50)).await?;
        goals.extend(page.goals);
        cursor = page.next_cursor;
        if cursor.is_none() || goals.len() >= wanted {
            return Ok(GoalList { goals, more: cursor.is_some() });
        }
    }
}

impl Screen for Goals {
    fn destination(&self) -> Destination {
        Destination::Goals
    }

    fn title(&self) -> String {
        "Goals".to_owned()
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.reading.expire();
        self.settle(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        if self.selection.act(action, self.count()) {
            self.details.rewind();
            self.read_on(context);
            return Handled::Yes;
        }
        match action {
            Action::Enter | Action::Right => self.open(context),
            Action::Approve => self.approve_all(context),
            Action::Open => match self.selected().and_then(|goal| goal.channel.clone()) {
                Some(channel) => context.go(Destination::Conversation(crate::backend::Place::Channel(channel))),
                None => context.note("This goal has no channel."),
            },
            Action::Click { column, row } => return self.click(*column, *row, context),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        if matches!(news, LiveBody::GoalChanged(_) | LiveBody::Reset(_)) {
            self.reading.expire();
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        if self.reading.begins() {
            let wanted = self.wanted;
            context.ask(
                move |hub| async move { read(hub.as_ref(), wanted).await },
                |screen: &mut Self, answer, context| screen.answered(answer, context),
            );
        }
    }

    fn keys(&self) -> Vec<KeyHint> {
        vec![key("Enter", "open"), key("a", "approve all tasks"), key("o", "channel"), key("Ctrl+R", "read again")]
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::goals::draw(self, frame, area, view);
    }
}
