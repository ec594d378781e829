//! The runs of agents, newest first: a list that grows at both ends.
//!
//! Invariants: the list has no gaps. The selected run stays selected when the list is read again.

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::ids::RunId;
use svc_core::live::LiveBody;
use svc_core::runs::{Run, RunPage};

use super::context::Context;
use super::destination::Destination;
use super::list::Selection;
use super::loaded::Loaded;
use super::parts::{KeptKey, row_at};
use super::reading::Reading;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::Result;
use crate::text;
use crate::view::View;

/// Runs of a page.
const PAGE: i64 = 50;
/// Runs that the hub returns at once, at most.
const PAGE_MAX: i64 = 200;

/// The list of runs.
pub(crate) struct Runs {
    /// Only runs of this agent.
    pub(crate) agent: Option<String>,
    /// The runs, newest first.
    pub(crate) read: Loaded<Vec<Run>>,
    /// The selected run.
    pub(crate) list: Selection,
    /// Where the rows are on screen.
    pub(crate) area: Rect,
    /// Where the next page begins.
    next: Option<RunId>,
    /// Whether the next page is on its way.
    more: bool,
    turn: Reading,
    retry: KeptKey,
}

impl Runs {
    /// The runs of an agent, or of all.
    pub(crate) fn new(agent: Option<String>) -> Self {
        Self {
            agent,
            read: Loaded::Waiting,
            list: Selection::default(),
            area: Rect::default(),
            next: None,
            more: false,
            turn: Reading::default(),
            retry: KeptKey::default(),
        }
    }

    /// The selected run.
    pub(crate) fn selected(&self) -> Option<&Run> {
        self.read.get()?.get(self.list.index)
    }

    /// Whether there are older runs that are not in the list yet.
    pub(crate) fn has_more(&self) -> bool {
        self.next.is_some()
    }

    fn count(&self) -> usize {
        self.read.get().map_or(0, Vec::len)
    }

    fn read(&mut self, context: &mut Context<'_>) {
        if !self.turn.begins() {
            return;
        }
        let agent = self.agent.clone();
        let limit = i64::try_from(self.count()).unwrap_or(PAGE_MAX).clamp(PAGE, PAGE_MAX);
        context.ask(
            move |hub| async move { hub.runs(agent.as_deref(), None, limit).await },
            |screen: &mut Self, answer, context| {
                screen.turn.ends();
                screen.take(answer, context);
                screen.read(context);
            },
        );
    }

    fn take(&mut self, answer: Result<RunPage>, context: &mut Context<'_>) {
        let selected = self.selected().map(|run| run.id);
        let answer = answer.map(|page| {
            let before = self.read.get().map_or(&[][..], Vec::as_slice);
            let (runs, next) = merged(before, self.next, page);
            self.next = next;
            runs
        });
        if let Some(failure) = self.read.take(answer) {
            context.fail(&failure);
        }
        let found = self.read.get().and_then(|runs| runs.iter().position(|run| Some(run.id) == selected));
        if let Some(index) = found {
            self.list.index = index;
        }
        self.list.limit(self.count());
    }

    /// Reads the next page when the end of the list is near.
    fn read_more(&mut self, context: &mut Context<'_>) {
        let near = self.list.index + self.list.height.max(5) >= self.count();
        let Some(cursor) = self.next.filter(|_| near && !self.more) else { return };
        self.more = true;
        let agent = self.agent.clone();
        context.ask(
            move |hub| async move { hub.runs(agent.as_deref(), Some(cursor), PAGE).await },
            move |screen: &mut Self, answer: Result<RunPage>, context| {
                screen.more = false;
                match answer {
                    // The list may have begun anew meanwhile.
                    Ok(page) if screen.next == Some(cursor) => {
                        screen.next = page.next_cursor;
                        if let Some(runs) = screen.read.get_mut() {
                            runs.extend(page.runs);
                        }
                    }
                    Ok(_) => {}
                    Err(failure) => context.fail(&failure),
                }
            },
        );
    }

    fn repeat(&mut self, context: &mut Context<'_>) {
        let Some(run) = self.selected() else { return };
        let id = run.id;
        if !run.status.is_final() {
            return context.note(format!("Run #{id} has not ended. x cancels it."));
        }
        let idempotency = self.retry.of(format!("retry {id}"), || context.shared.new_key());
        context.change(
            move |hub| async move { hub.retry_run(id, &idempotency).await },
            move |screen: &mut Self, answer: Result<Run>, context| {
                screen.retry.answered(&answer);
                match answer {
                    Ok(run) => context.note(format!("Run #{} repeats run #{id}.", run.id)),
                    Err(failure) => context.fail(&failure),
                }
                screen.load(context);
            },
        );
    }

    fn cancel(&self, context: &mut Context<'_>) {
        if let Some(run) = self.selected() {
            ask_to_cancel(run, Self::load, context);
        }
    }

    fn open(&self, context: &mut Context<'_>) {
        if let Some(run) = self.selected() {
            context.go(Destination::Run(run.id));
        }
    }
}

/// The newest page with older runs that are known. When there may be runs between them, the list begins anew.
fn merged(before: &[Run], next: Option<RunId>, page: RunPage) -> (Vec<Run>, Option<RunId>) {
    let RunPage { mut runs, next_cursor } = page;
    let Some(oldest) = runs.last().map(|run| run.id).filter(|_| next_cursor.is_some()) else {
        return (runs, next_cursor);
    };
    let joined = before.iter().any(|run| run.id >= oldest);
    let older: Vec<_> = before.iter().filter(|run| run.id < oldest).cloned().collect();
    if !joined || older.is_empty() {
        return (runs, next_cursor);
    }
    runs.extend(older);
    (runs, next)
}

/// Asks whether to cancel a run, and calls `then` on the screen when the hub has answered.
pub(super) fn ask_to_cancel<S: Screen>(run: &Run, then: fn(&mut S, &mut Context<'_>), context: &mut Context<'_>) {
    let id = run.id;
    if run.status.is_final() {
        return context.note(format!("Run #{id} has ended."));
    }
    let question = format!("Cancel run #{id} of @{}? Its message fails.", text::one_line(&run.agent));
    context.confirm(question, move |_: &mut S, context| {
        context.change(
            move |hub| async move { hub.cancel_run(id).await },
            move |screen: &mut S, answer: Result<Run>, context| {
                match answer {
                    Ok(_) => context.note(format!("Run #{id} is being cancelled.")),
                    Err(failure) => context.fail(&failure),
                }
                then(screen, context);
            },
        );
    });
}

impl Screen for Runs {
    fn destination(&self) -> Destination {
        Destination::Runs(self.agent.clone())
    }

    fn title(&self) -> String {
        self.agent.as_ref().map_or_else(|| "Runs".to_owned(), |agent| format!("Runs of @{}", text::one_line(agent)))
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.turn.expire();
        self.read(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let count = self.count();
        if self.list.act(action, count) {
            self.read_more(context);
            return Handled::Yes;
        }
        match action {
            Action::Enter | Action::Right => self.open(context),
            Action::Retry => self.repeat(context),
            Action::Reject => self.cancel(context),
            Action::Click { column, row } => {
                let before = self.list.index;
                let clicked = row_at(self.area, *column, *row).is_some_and(|row| self.list.click(row, count));
                if clicked && self.list.index == before {
                    self.open(context);
                }
                return if clicked { Handled::Yes } else { Handled::No };
            }
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        let LiveBody::RunChanged(news) = news else { return };
        if self.agent.as_ref().is_some_and(|agent| *agent != news.agent) {
            return;
        }
        self.turn.expire();
        if let Some(run) = self.read.get_mut().and_then(|runs| runs.iter_mut().find(|run| run.id == news.run_id)) {
            run.status = news.status;
            run.error.clone_from(&news.error);
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        self.read(context);
    }

    fn keys(&self) -> Vec<KeyHint> {
        vec![key("Enter", "open"), key("R", "retry"), key("x", "cancel")]
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::runs::draw(self, frame, area, view);
    }
}

#[cfg(test)]
mod tests {
    use svc_core::Timestamp;
    use svc_core::runs::{RunCause, RunStatus};

    use super::*;

    fn run(id: i64) -> Run {
        Run {
            id: RunId(id),
            agent: "bot".into(),
            status: RunStatus::Succeeded,
            cause: RunCause::Message,
            trigger_message_id: None,
            depth: 0,
            messages: 1,
            retry_of: None,
            error: None,
            cancel_requested_at: None,
            created_at: Timestamp::from_micros(id),
            started_at: None,
            ended_at: None,
        }
    }

    fn runs(ids: &[i64]) -> Vec<Run> {
        ids.iter().copied().map(run).collect()
    }

    fn page(ids: &[i64], next: Option<i64>) -> RunPage {
        RunPage { runs: runs(ids), next_cursor: next.map(RunId) }
    }

    #[test]
    fn older_runs_stay_when_the_newest_are_read_again() {
        let (list, next) = merged(&runs(&[4, 3, 2, 1]), None, page(&[5, 4], Some(4)));
        assert_eq!(list, runs(&[5, 4, 3, 2, 1]));
        assert_eq!(next, None);
    }

    #[test]
    fn the_list_begins_anew_when_runs_may_be_missing() {
        let (list, next) = merged(&runs(&[4, 3]), Some(RunId(3)), page(&[90, 89], Some(89)));
        assert_eq!(list, runs(&[90, 89]));
        assert_eq!(next, Some(RunId(89)));
    }

    #[test]
    fn a_last_page_is_the_whole_list() {
        let (list, next) = merged(&runs(&[4, 3, 2]), Some(RunId(2)), page(&[5], None));
        assert_eq!(list, runs(&[5]));
        assert_eq!(next, None);
    }
}
