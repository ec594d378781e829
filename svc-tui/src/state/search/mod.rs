//! The search of messages: a field, the hits, and the message of the selected hit.
//!
//! Invariants: the hits belong to one question, and an answer to an earlier question is dropped. The hits do not change
//! while they are read; a new search brings new messages.

pub(crate) mod query;
pub(crate) mod snippet;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use svc_core::search::{SearchFilter, SearchHit, SearchPage};

use super::context::Context;
use super::destination::Destination;
use super::editor::Editor;
use super::list::Selection;
use super::loaded::Loaded;
use super::parts::go_to;
use super::screen::{Handled, KeyHint, Mode, Screen, key};
use crate::action::Action;
use crate::backend::Result;
use crate::text;
use crate::view::View;
use crate::view::search::message::MessageView;

/// Hits in a page.
const PAGE: i64 = 25;
/// Maximum number of hits that are read again at once.
const PAGE_MAX: i64 = 200;
/// Hits below the selected one from which the next page is asked for.
const AHEAD: usize = 8;

/// The part of the screen that receives the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The field.
    Field,
    /// The list of hits.
    Hits,
    /// The message of the selected hit.
    Message,
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// The hits that were read so far.
    pub(crate) hits: Vec<SearchHit>,
    /// The number of matches.
    pub(crate) total: i64,
    /// Whether that number is exact; otherwise there are more.
    pub(crate) is_exact: bool,
    /// Whether the search timed out.
    pub(crate) is_partial: bool,
    /// Whether there are no further pages.
    ended: bool,
}

impl Found {
    fn new(page: SearchPage, limit: i64) -> Self {
        Self {
            ended: is_last(&page, limit),
            hits: page.messages,
            total: page.total,
            is_exact: page.total_is_exact,
            is_partial: page.partial,
        }
    }

    fn append(&mut self, page: SearchPage, limit: i64) {
        self.ended = is_last(&page, limit);
        self.is_partial |= page.partial;
        // New messages move older ones to the next page.
        let new =
            page.messages.into_iter().filter(|hit| self.hits.iter().all(|known| known.message.id != hit.message.id));
        let new: Vec<_> = new.collect();
        self.hits.extend(new);
    }
}

fn is_last(page: &SearchPage, limit: i64) -> bool {
    i64::try_from(page.messages.len()).is_ok_and(|count| count < limit)
}

/// The reason of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// A new question.
    Question,
    /// The same question again.
    Again,
    /// The next page.
    More,
}

/// The search.
pub(crate) struct Search {
    /// The field.
    pub(crate) editor: Editor,
    /// The part that receives the keys.
    pub(crate) focus: Focus,
    /// The hits; waiting also while nothing was asked.
    pub(crate) found: Loaded<Found>,
    /// The selected hit.
    pub(crate) selection: Selection,
    /// The message of the selected hit, as it is drawn.
    pub(crate) shown: MessageView,
    /// The request that is on its way.
    wish: Option<Wish>,
    /// The area of the field, as of the last drawing.
    pub(crate) field_area: Rect,
    /// The area of the hits, as of the last drawing.
    pub(crate) list_area: Rect,
    /// The text of the question that was asked last, and the question.
    asked: Option<(String, SearchFilter)>,
    /// Counts requests; an answer to an earlier one is dropped.
    generation: u64,
}

impl Search {
    /// A search for this text; an empty one asks for nothing.
    pub(crate) fn new(text: String) -> Self {
        let filter = query::read(&text);
        let editor = Editor::new(&text::one_line(&text));
        Self {
            editor,
            focus: Focus::Field,
            found: Loaded::Waiting,
            selection: Selection::default(),
            shown: MessageView::default(),
            wish: None,
            field_area: Rect::default(),
            list_area: Rect::default(),
            asked: (!query::is_empty(&filter)).then_some((text, filter)),
            generation: 0,
        }
    }

    /// Whether there is a question.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether a request is on its way.
    pub(crate) fn is_loading(&self) -> bool {
        self.wish.is_some()
    }

    /// The selected hit.
    pub(crate) fn selected(&self) -> Option<&SearchHit> {
        self.found.get()?.hits.get(self.selection.index)
    }

    fn count(&self) -> usize {
        self.found.get().map_or(0, |found| found.hits.len())
    }

    /// Searches for the text of the field.
    fn submit(&mut self, context: &mut Context<'_>) {
        let text = self.editor.text().trim().to_owned();
        if self.asked.as_ref().is_some_and(|(asked, _)| *asked == text) && self.count() > 0 {
            self.focus = Focus::Hits;
            return;
        }
        let filter = query::read(&text);
        if query::is_empty(&filter) {
            self.asked = None;
            self.found = Loaded::Waiting;
            self.generation += 1;
            self.wish = None;
            return;
        }
        self.asked = Some((text, filter));
        self.request(Wish::Question, context);
    }

    fn request(&mut self, wish: Wish, context: &mut Context<'_>) {
        let Some((_, filter)) = &self.asked else { return };
        let known = i64::try_from(self.count()).unwrap_or(0);
        let (limit, offset) = match wish {
            Wish::Question => (PAGE, 0),
            Wish::Again => (known.clamp(PAGE, PAGE_MAX), 0),
            Wish::More => (PAGE, known),
        };
        let filter = SearchFilter { limit: Some(limit), offset: Some(offset), ..filter.clone() };
        self.generation += 1;
        self.wish = Some(wish);
        let generation = self.generation;
        context.ask(
            move |hub| async move { hub.search(filter).await },
            move |search: &mut Self, answer, context| {
                if search.generation == generation {
                    search.wish = None;
                    search.arrived(wish, limit, answer, context);
                }
            },
        );
    }

    fn arrived(&mut self, wish: Wish, limit: i64, answer: Result<SearchPage>, context: &mut Context<'_>) {
        match (wish, answer) {
            (Wish::Question, answer) => {
                self.found = Loaded::Waiting;
                self.found.take(answer.map(|page| Found::new(page, limit)));
                self.selection = Selection::default();
            }
            (Wish::Again, answer) => {
                let chosen = self.selected().map(|hit| hit.message.id);
                if let Some(failure) = self.found.take(answer.map(|page| Found::new(page, limit))) {
                    context.fail(&failure);
                }
                let hits = self.found.get().map_or(&[][..], |found| &found.hits);
                if let Some(index) = hits.iter().position(|hit| Some(hit.message.id) == chosen) {
                    self.selection.index = index;
                }
            }
            (Wish::More, Ok(page)) => {
                if let Some(found) = self.found.get_mut() {
                    found.append(page, limit);
                }
            }
            (Wish::More, Err(failure)) => context.fail(&failure),
        }
        let count = self.count();
        self.selection.limit(count);
        if count == 0 {
            self.focus = Focus::Field;
        }
    }

    /// Asks for the next page when the selection is near the end.
    fn more(&mut self, context: &mut Context<'_>) {
        let near = self.selection.index + AHEAD >= self.count();
        if near && self.wish.is_none() && self.found.get().is_some_and(|found| !found.ended) {
            self.request(Wish::More, context);
        }
    }

    /// Goes to the message of the selected hit.
    fn open(&self, context: &mut Context<'_>) {
        if let Some(hit) = self.selected() {
            go_to(&hit.message, context);
        }
    }

    fn act_in_field(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        match action {
            Action::Enter => self.submit(context),
            Action::Down | Action::PageDown | Action::NextPane | Action::Complete if self.count() > 0 => {
                self.focus = Focus::Hits;
            }
            Action::Back if self.count() > 0 => self.focus = Focus::Hits,
            Action::Paste(text) => {
                self.editor.act(&Action::Paste(text::one_line(text)));
            }
            Action::Up | Action::Down | Action::NewLine => {}
            action if self.editor.act(action) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn act_in_hits(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let count = self.count();
        match action {
            Action::Up if self.selection.index == 0 => self.focus = Focus::Field,
            Action::Search | Action::Write => self.focus = Focus::Field,
            Action::Enter | Action::Open => self.open(context),
            Action::Right if count > 0 => self.focus = Focus::Message,
            action if self.selection.act(action, count) => self.more(context),
            _ => return self.copy(action, context),
        }
        Handled::Yes
    }

    fn act_in_message(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        match action {
            Action::Left | Action::Back => self.focus = Focus::Hits,
            Action::Search => self.focus = Focus::Field,
            Action::Enter => self.open(context),
            action if self.shown.act(action) => {}
            _ => return self.copy(action, context),
        }
        Handled::Yes
    }

    fn copy(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let (Action::Copy, Some(hit)) = (action, self.selected()) else { return Handled::No };
        context.copy(hit.message.body.clone());
        context.note("The message is copied.");
        Handled::Yes
    }

    fn click(&mut self, place: Position, context: &mut Context<'_>) -> Handled {
        if self.field_area.contains(place) {
            self.focus = Focus::Field;
            return Handled::Yes;
        }
        if !self.list_area.contains(place) {
            return Handled::No;
        }
        let row = usize::from(place.y - self.list_area.y) / 2;
        let count = self.count();
        if self.selection.click(row, count) {
            self.focus = Focus::Hits;
            self.more(context);
        }
        Handled::Yes
    }
}

impl Screen for Search {
    fn destination(&self) -> Destination {
        Destination::Search(self.asked.as_ref().map_or_else(String::new, |(text, _)| text.clone()))
    }

    fn title(&self) -> String {
        "Search".to_owned()
    }

    fn load(&mut self, context: &mut Context<'_>) {
        // An answer to a question that is on its way must not be taken for one to the question before.
        let wish = if self.wish == Some(Wish::Question) { Wish::Question } else { Wish::Again };
        self.request(wish, context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        if let Action::Click { column, row } = *action {
            return self.click(Position { x: column, y: row }, context);
        }
        match self.focus {
            Focus::Field => self.act_in_field(action, context),
            Focus::Hits => self.act_in_hits(action, context),
            Focus::Message => self.act_in_message(action, context),
        }
    }

    fn mode(&self) -> Mode {
        if self.focus == Focus::Field { Mode::Line } else { Mode::Command }
    }

    fn keys(&self) -> Vec<KeyHint> {
        match self.focus {
            Focus::Field => vec![key("Enter", "search"), key("↓", "results"), key("Esc", "leave the field")],
            Focus::Hits => {
                vec![key("Enter", "go to message"), key("→", "read"), key("/", "change search"), key("y", "copy")]
            }
            Focus::Message => {
                vec![key("Enter", "go to message"), key("←", "results"), key("/", "change search"), key("y", "copy")]
            }
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::search::draw(self, frame, area, view);
    }
}
