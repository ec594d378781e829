//! What could not be delivered: dead letters, and the deliveries to webhooks.
//!
//! Invariants: the selected row stays selected when a list is read again. The request and the attempts of a delivery
//! are read for the selected one only, with one request at a time.

mod deliveries;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::dead_letters::{DeadLetter, DeadLetterKind, DeadLetterPage};
use svc_core::ids::{DeliveryId, MessageId};
use svc_core::live::LiveBody;
use svc_core::messages::Message;

pub(crate) use self::deliveries::{Deliveries, is_open};
use super::context::Context;
use super::destination::Destination;
use super::list::Selection;
use super::loaded::Loaded;
use super::parts::{Lines, Scroll, go_to, row_at};
use super::reading::Reading;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::Result;
use crate::view::View;

/// Dead letters of a page.
const PAGE: i64 = 50;
/// Dead letters that the hub returns at once, at most.
const PAGE_MAX: i64 = 200;

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    /// Dead letters that are not acknowledged.
    Letters,
    /// Webhooks and their deliveries.
    Deliveries,
}

/// Dead letters and deliveries.
pub(crate) struct DeadLetters {
    /// The part that is shown.
    pub(crate) tab: Tab,
    /// The dead letters, newest first.
    pub(crate) letters: Loaded<Vec<DeadLetter>>,
    /// The number of dead letters that are not acknowledged.
    pub(crate) total: i64,
    /// The selected dead letter.
    pub(crate) list: Selection,
    /// Webhooks and their deliveries.
    pub(crate) deliveries: Deliveries,
    /// Where the rows of the list that is shown are on screen.
    pub(crate) area: Rect,
    /// Whether the details receive the keys; in a narrow window they are shown in place of the list.
    pub(crate) in_details: bool,
    /// Whether list and details were shown when the screen was last drawn.
    pub(crate) wide: bool,
    /// The position in the details.
    pub(crate) scroll: Scroll,
    /// The lines of the details.
    pub(crate) lines: Lines,
    more: bool,
    turn: Reading,
}

impl DeadLetters {
    /// The screen before anything was read.
    pub(crate) fn new() -> Self {
        Self {
            tab: Tab::Letters,
            letters: Loaded::Waiting,
            total: 0,
            list: Selection::default(),
            deliveries: Deliveries::default(),
            area: Rect::default(),
            in_details: false,
            wide: false,
            scroll: Scroll::default(),
            lines: Lines::default(),
            more: false,
            turn: Reading::default(),
        }
    }

    /// The selected dead letter.
    pub(crate) fn letter(&self) -> Option<&DeadLetter> {
        self.letters.get()?.get(self.list.index)
    }

    fn count(&self) -> usize {
        self.letters.get().map_or(0, Vec::len)
    }

    fn read(&mut self, context: &mut Context<'_>) {
        if !self.turn.begins() {
            return;
        }
        let limit = i64::try_from(self.count()).unwrap_or(PAGE_MAX).clamp(PAGE, PAGE_MAX);
        context.ask(
            move |hub| async move { hub.dead_letters(0, limit).await },
            |screen: &mut Self, answer: Result<DeadLetterPage>, context| {
                screen.turn.ends();
                let selected = screen.letter().map(|letter| letter.id);
                let answer = answer.map(|page| {
                    screen.total = page.total;
                    page.dead_letters
                });
                if let Some(failure) = screen.letters.take(answer) {
                    context.fail(&failure);
                }
                let letters = screen.letters.get().map_or(&[][..], Vec::as_slice);
                if let Some(index) = letters.iter().position(|letter| Some(letter.id) == selected) {
                    screen.list.index = index;
                }
                screen.list.limit(screen.count());
                screen.in_details &= screen.tab != Tab::Letters || screen.count() > 0;
                screen.lines.forget();
                screen.read(context);
                screen.read_one(context);
            },
        );
    }

    /// Reads the next page when the end of the list is near.
    fn read_more(&mut self, context: &mut Context<'_>) {
        let count = self.count();
        let near = self.list.index + self.list.height.max(5) >= count;
        let offset = i64::try_from(count).unwrap_or(i64::MAX);
        if self.more || self.turn.is_under_way() || !near || offset >= self.total {
            return;
        }
        self.more = true;
        context.ask(
            move |hub| async move { hub.dead_letters(offset, PAGE).await },
            |screen: &mut Self, answer: Result<DeadLetterPage>, context| {
                screen.more = false;
                match answer {
                    Ok(page) => {
                        screen.total = page.total;
                        if let Some(letters) = screen.letters.get_mut() {
                            // Letters that came or went meanwhile move the others.
                            let new = page.dead_letters.into_iter();
                            let new: Vec<_> = new.filter(|new| letters.iter().all(|old| old.id != new.id)).collect();
                            letters.extend(new);
                        }
                    }
                    Err(failure) => context.fail(&failure),
                }
            },
        );
    }

    fn retry_letter(&self, context: &mut Context<'_>) {
        let Some(letter) = self.letter() else { return };
        if letter.retried_at.is_some() {
            return context.note("It was retried already. A acknowledges it.");
        }
        let (id, kind) = (letter.id, letter.kind);
        context.change(
            move |hub| async move { hub.retry_dead_letter(id).await },
            move |screen: &mut Self, answer: Result<DeadLetter>, context| {
                match answer {
                    Ok(_) if kind == DeadLetterKind::Webhook => context.note("The delivery is queued again."),
                    Ok(_) => context.note("The message is queued again."),
                    Err(failure) => context.fail(&failure),
                }
                screen.deliveries.outdate_one();
                screen.turn.expire();
                screen.read(context);
            },
        );
    }

    fn acknowledge(&self, context: &mut Context<'_>) {
        let Some(letter) = self.letter() else { return };
        let id = letter.id;
        context.change(
            move |hub| async move { hub.acknowledge_dead_letter(id).await },
            |screen: &mut Self, answer: Result<DeadLetter>, context| {
                match answer {
                    Ok(_) => context.note("Acknowledged."),
                    Err(failure) => context.fail(&failure),
                }
                screen.turn.expire();
                screen.read(context);
            },
        );
    }

    fn open_message(&self, context: &mut Context<'_>) {
        match self.tab {
            Tab::Letters if self.letter().is_some_and(|letter| letter.message.is_some()) => {
                if let Some(message) = self.letter().and_then(|letter| letter.message.as_ref()) {
                    go_to(message, context);
                }
            }
            _ => match self.wanted().and_then(|id| self.deliveries.message(id)) {
                Some(id) => ask_message(id, context),
                None => context.note("There is no message that can be opened."),
            },
        }
    }

    /// The delivery whose request and attempts are shown.
    fn wanted(&self) -> Option<DeliveryId> {
        match self.tab {
            Tab::Letters => self.letter().and_then(|letter| letter.delivery_id),
            Tab::Deliveries => self.deliveries.selected().map(|delivery| delivery.id),
        }
    }

    fn moved(&mut self, context: &mut Context<'_>) {
        self.scroll.offset = 0;
        self.lines.forget();
        match self.tab {
            Tab::Letters => self.read_more(context),
            Tab::Deliveries => self.read_more_deliveries(context),
        }
        self.read_one(context);
    }

    fn turn_to(&mut self, tab: Tab, context: &mut Context<'_>) {
        self.tab = tab;
        self.in_details = false;
        if tab == Tab::Deliveries {
            self.load_deliveries(context);
        }
        self.moved(context);
    }

    fn enter(&mut self, context: &mut Context<'_>) {
        match self.tab {
            Tab::Letters => self.in_details = self.count() > 0,
            Tab::Deliveries if self.deliveries.opened.is_none() => self.open_webhook(context),
            Tab::Deliveries => self.in_details = self.deliveries.selected().is_some(),
        }
    }

    /// Goes back by one step within the screen. Says whether there was one.
    fn leave(&mut self, context: &mut Context<'_>) -> bool {
        if std::mem::take(&mut self.in_details) {
            return true;
        }
        let left = self.tab == Tab::Deliveries && self.deliveries.opened.take().is_some();
        if left {
            self.moved(context);
        }
        left
    }

    fn click(&mut self, column: u16, row: u16, context: &mut Context<'_>) -> bool {
        let Some(row) = row_at(self.area, column, row) else { return false };
        let letters = self.count();
        let (list, count) = match self.tab {
            Tab::Letters => (&mut self.list, letters),
            Tab::Deliveries => self.deliveries.shown_list(),
        };
        let before = list.index;
        if !list.click(row, count) {
            return false;
        }
        let again = list.index == before;
        self.in_details = false;
        self.moved(context);
        if again {
            self.enter(context);
        }
        true
    }

    fn navigate(&mut self, action: &Action, context: &mut Context<'_>) -> bool {
        let letters = self.count();
        let (list, count) = match self.tab {
            Tab::Letters => (&mut self.list, letters),
            Tab::Deliveries => self.deliveries.shown_list(),
        };
        if !self.in_details && list.act(action, count) {
            self.moved(context);
            return true;
        }
        let top = !self.in_details && self.deliveries.opened.is_none();
        match (action, self.tab) {
            _ if self.in_details && self.scroll.act(action) => {}
            (Action::Right, Tab::Letters) if !self.in_details => self.turn_to(Tab::Deliveries, context),
            (Action::Left, Tab::Deliveries) if top => self.turn_to(Tab::Letters, context),
            (Action::NextPane, Tab::Letters) if !self.wide => self.turn_to(Tab::Deliveries, context),
            (Action::NextPane, Tab::Deliveries) if !self.wide => self.turn_to(Tab::Letters, context),
            (Action::Enter | Action::Right, _) if !self.in_details => self.enter(context),
            (Action::Back | Action::Left, _) => return self.leave(context),
            (Action::Click { column, row }, _) => return self.click(*column, *row, context),
            _ => return false,
        }
        true
    }
}

/// Reads a message, then opens it.
fn ask_message(id: MessageId, context: &mut Context<'_>) {
    context.ask(
        move |hub| async move { hub.message(id).await },
        |_: &mut DeadLetters, answer: Result<Message>, context| match answer {
            Ok(message) => go_to(&message, context),
            Err(failure) => context.fail(&failure),
        },
    );
}

impl Screen for DeadLetters {
    fn destination(&self) -> Destination {
        Destination::DeadLetters
    }

    fn title(&self) -> String {
        "Dead letters".to_owned()
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.turn.expire();
        self.read(context);
        self.deliveries.outdate_one();
        if self.tab == Tab::Deliveries {
            self.load_deliveries(context);
        }
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        if self.navigate(action, context) {
            return Handled::Yes;
        }
        match (action, self.tab) {
            (Action::Retry, Tab::Letters) => self.retry_letter(context),
            (Action::Retry, Tab::Deliveries) => self.retry_delivery(context),
            (Action::Acknowledge, Tab::Letters) => self.acknowledge(context),
            (Action::Open, _) => self.open_message(context),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        match news {
            LiveBody::DeadLettersAdded(_) => self.turn.expire(),
            LiveBody::MessageUpdated(news) => {
                let letters = self.letters.get().map_or(&[][..], Vec::as_slice);
                let of = |letter: &DeadLetter| letter.message.as_ref().map(|message| message.id);
                if letters.iter().any(|letter| of(letter) == Some(news.message_id)) {
                    self.turn.expire();
                }
            }
            // Deliveries have no events; those that have not ended are read again now and then.
            LiveBody::Alive => self.deliveries.outdate_open(),
            _ => {}
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        self.read(context);
        self.read_deliveries(context);
        self.read_one(context);
    }

    fn keys(&self) -> Vec<KeyHint> {
        let mut keys = match self.tab {
            Tab::Letters => vec![
                key("Enter", "details"),
                key("R", "retry"),
                key("A", "acknowledge"),
                key("o", "message"),
                key("→", "deliveries"),
            ],
            Tab::Deliveries if self.deliveries.opened.is_none() => {
                vec![key("Enter", "deliveries"), key("←", "dead letters")]
            }
            Tab::Deliveries => {
                vec![key("Enter", "details"), key("R", "send again"), key("o", "message"), key("←", "webhooks")]
            }
        };
        if !self.wide {
            keys.push(key("Tab", "other part"));
        }
        keys
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::dead_letters::draw(self, frame, area, view);
    }
}
