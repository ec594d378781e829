//! What the UI knows, and how it changes: by actions of the person, answers of the hub, and news.
//!
//! Invariants: nothing here waits, draws or reads keys. Screens that are open stay current in the background; their
//! number is bounded.

pub(crate) mod agents;
pub(crate) mod article;
pub(crate) mod board;
pub(crate) mod context;
pub(crate) mod conversation;
pub(crate) mod conversations;
pub(crate) mod dead_letters;
pub(crate) mod decision;
pub(crate) mod destination;
pub(crate) mod editor;
pub(crate) mod goal;
pub(crate) mod goals;
pub(crate) mod headed;
pub(crate) mod kept;
pub(crate) mod list;
pub(crate) mod loaded;
pub(crate) mod login_form;
pub(crate) mod machines;
pub(crate) mod messages;
pub(crate) mod outbox;
pub(crate) mod overlay;
pub(crate) mod palette;
pub(crate) mod parts;
pub(crate) mod reading;
pub(crate) mod rendered;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod screen;
pub(crate) mod search;
pub(crate) mod shared;
mod sidebar;
pub(crate) mod today;
pub(crate) mod wiki;

use std::sync::Arc;

use ratatui::layout::Rect;
use svc_core::Timestamp;
use svc_core::ids::EventSeq;
use svc_core::live::LiveBody;

use self::context::{Context, Edited, Effect, ScreenId, Update, Updates};
use self::conversations::Conversations;
use self::destination::Destination;
use self::overlay::{Menu, Overlay};
use self::palette::{Choice, Outcome, Palette};
use self::screen::{Handled, Mode, Screen};
use self::shared::{Connection, Shared};
use crate::action::Action;
use crate::backend::{Backend, News};

/// Maximum number of screens that are open.
const SCREENS_MAX: usize = 12;

/// The whole state of the UI after logging in.
pub(crate) struct Ui {
    /// What all screens share.
    pub(crate) shared: Shared,
    /// Screens, the one on top last. There is always one.
    screens: Vec<(ScreenId, Box<dyn Screen>)>,
    /// A question over the screen.
    pub(crate) overlay: Option<Overlay>,
    /// Whether the list of conversations takes keys.
    pub(crate) sidebar: bool,
    /// The area of the list of conversations, as of the last drawing.
    pub(crate) sidebar_area: Rect,
    /// Whether the person asked to end the program.
    pub(crate) quit: bool,
    /// Whether the person asked to end the login too.
    pub(crate) logs_out: bool,
    /// The position of the last event.
    pub(crate) seq: Option<EventSeq>,
    hub: Arc<dyn Backend>,
    updates: Updates,
    effects: Vec<Effect>,
    next: u64,
}

/// The screen of a destination.
fn screen(destination: Destination) -> Box<dyn Screen> {
    match destination {
        Destination::Today | Destination::Conversations => Box::new(today::Today::new()),
        Destination::Conversation(place) => Box::new(conversation::Conversation::new(place, None)),
        Destination::Message(place, id) => Box::new(conversation::Conversation::new(place, Some(id))),
        Destination::Board(channel) => Box::new(board::Board::new(channel)),
        Destination::Search(text) => Box::new(search::Search::new(text)),
        Destination::Agents => Box::new(agents::Agents::new()),
        Destination::Runs(agent) => Box::new(runs::Runs::new(agent)),
        Destination::Run(id) => Box::new(run::RunScreen::new(id)),
        Destination::Goals => Box::new(goals::Goals::new()),
        Destination::Goal(id) => Box::new(goal::GoalScreen::new(id)),
        Destination::Wiki => Box::new(wiki::Wiki::new()),
        Destination::Article(slug) => Box::new(article::ArticleScreen::new(slug)),
        Destination::DeadLetters => Box::new(dead_letters::DeadLetters::new()),
        Destination::Machines => Box::new(machines::Machines::new()),
    }
}

impl Ui {
    /// The state right after logging in: the screen `Today`, with everything asked for.
    pub(crate) fn new(hub: Arc<dyn Backend>, shared: Shared, updates: Updates, now: Timestamp) -> Self {
        let mut ui = Self {
            shared,
            screens: Vec::new(),
            overlay: None,
            sidebar: false,
            sidebar_area: Rect::default(),
            quit: false,
            logs_out: false,
            seq: None,
            hub,
            updates,
            effects: Vec::new(),
            next: 0,
        };
        ui.with_shared(now, Conversations::load);
        ui.go(Destination::Today, now);
        ui.with_shared(now, outbox::pump);
        ui
    }

    /// The effects to carry out.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The screen on top.
    pub(crate) fn top(&mut self) -> Option<(&mut dyn Screen, &mut Shared)> {
        let (_, screen) = self.screens.last_mut()?;
        Some((screen.as_mut(), &mut self.shared))
    }

    /// Whether a screen is open, so that its work goes on.
    pub(crate) fn is_open(&self, id: ScreenId) -> bool {
        self.screens.iter().any(|(open, _)| *open == id)
    }

    /// How keys are read now.
    pub(crate) fn mode(&self) -> Mode {
        match (&self.overlay, self.screens.last()) {
            (Some(Overlay::Prompt(_) | Overlay::Palette(_)), _) => Mode::Line,
            (None, Some((_, screen))) if !self.sidebar => screen.mode(),
            _ => Mode::Command,
        }
    }

    fn with_shared(&mut self, now: Timestamp, call: impl FnOnce(&mut Context<'_>)) {
        let screen = self.screens.last().map_or(ScreenId(0), |(id, _)| *id);
        call(&mut Context {
            shared: &mut self.shared,
            now,
            on_top: true,
            hub: &self.hub,
            screen,
            updates: &self.updates,
            effects: &mut self.effects,
            overlay: &mut self.overlay,
        });
    }

    fn with_screen<T>(
        &mut self,
        index: usize,
        now: Timestamp,
        call: impl FnOnce(&mut dyn Screen, &mut Context<'_>) -> T,
    ) -> Option<T> {
        let on_top = index + 1 == self.screens.len();
        let (id, screen) = self.screens.get_mut(index)?;
        let mut context = Context {
            shared: &mut self.shared,
            now,
            on_top,
            hub: &self.hub,
            screen: *id,
            updates: &self.updates,
            effects: &mut self.effects,
            overlay: &mut self.overlay,
        };
        Some(call(screen.as_mut(), &mut context))
    }

    fn with_top<T>(&mut self, now: Timestamp, call: impl FnOnce(&mut dyn Screen, &mut Context<'_>) -> T) -> Option<T> {
        self.with_screen(self.screens.len().checked_sub(1)?, now, call)
    }

    /// Opens a screen, or brings it to the top with its state.
    pub(crate) fn go(&mut self, destination: Destination, now: Timestamp) {
        if destination == Destination::Conversations {
            self.sidebar = true;
            return;
        }
        self.sidebar = false;
        let known = self.screens.iter().position(|(_, screen)| screen.destination() == destination);
        if let Some(index) = known {
            let open = self.screens.remove(index);
            self.screens.push(open);
            self.with_top(now, Screen::settle);
        } else {
            if let Destination::Message(place, _) = &destination {
                // The conversation is opened anew, at the message.
                let conversation = Destination::Conversation(place.clone());
                if let Some(index) = self.screens.iter().position(|(_, screen)| screen.destination() == conversation) {
                    self.with_screen(index, now, Screen::close);
                    self.screens.remove(index);
                }
            }
            self.next += 1;
            self.screens.push((ScreenId(self.next), screen(destination)));
            self.with_top(now, Screen::load);
        }
        if self.screens.len() > SCREENS_MAX {
            self.with_screen(0, now, Screen::close);
            self.screens.remove(0);
        }
    }

    /// Closes the screen on top; the first one stays.
    fn back(&mut self, now: Timestamp) {
        if self.screens.len() > 1 {
            self.with_top(now, Screen::close);
            self.screens.pop();
            self.with_top(now, Screen::settle);
        }
    }

    /// Ends the program: what was written is kept.
    pub(crate) fn end(&mut self, now: Timestamp) {
        for index in 0..self.screens.len() {
            self.with_screen(index, now, Screen::close);
        }
        self.quit = true;
    }

    /// Reacts to an action of the person.
    pub(crate) fn act(&mut self, action: &Action, now: Timestamp) {
        if *action == Action::Quit {
            return self.end(now);
        }
        if let Some(overlay) = self.overlay.take() {
            return self.act_overlay(overlay, action, now);
        }
        let handled = match action {
            _ if self.sidebar => self.act_sidebar(action, now),
            Action::Click { column, row } if self.sidebar_area.contains((*column, *row).into()) => {
                self.click_sidebar(*row, now);
                Handled::Yes
            }
            action => self.with_top(now, |screen, context| screen.act(action, context)).unwrap_or(Handled::No),
        };
        if handled == Handled::No {
            self.act_frame(action, now);
        }
    }

    /// Actions that no screen has used.
    fn act_frame(&mut self, action: &Action, now: Timestamp) {
        match action {
            Action::Back if self.sidebar => self.sidebar = false,
            Action::Back => self.back(now),
            Action::Help => self.overlay = Some(Overlay::Help),
            Action::Palette => self.overlay = Some(Overlay::Palette(Palette::new(&self.shared))),
            Action::Search => self.go(Destination::Search(String::new()), now),
            Action::Refresh => self.reload(now),
            Action::NextPane => self.sidebar = !self.sidebar,
            Action::NextUnread => {
                let here = self.screens.last().map(|(_, screen)| screen.destination());
                let here = if let Some(Destination::Conversation(place)) = here { Some(place) } else { None };
                match self.shared.conversations.next_unread(here.as_ref()) {
                    Some(place) => self.go(Destination::Conversation(place), now),
                    None => self.shared.note("Nothing is unread.", now),
                }
            }
            Action::Go(destination) => self.go(destination.clone(), now),
            Action::LogOut => self.ask_to_log_out(),
            _ => {}
        }
    }

    fn act_overlay(&mut self, overlay: Overlay, action: &Action, now: Timestamp) {
        match overlay {
            Overlay::Menu(menu) => self.act_menu(menu, action, now),
            Overlay::Prompt(mut prompt) => match action {
                Action::Back => {}
                Action::Enter => {
                    let text = prompt.editor.take();
                    self.with_top(now, |screen, context| (prompt.then)(screen, text, context));
                }
                // A field of one line takes one line.
                Action::Paste(text) => {
                    prompt.editor.act(&Action::Paste(crate::text::one_line(text)));
                    self.overlay = Some(Overlay::Prompt(prompt));
                }
                action => {
                    prompt.editor.act(action);
                    self.overlay = Some(Overlay::Prompt(prompt));
                }
            },
            Overlay::Palette(mut palette) => match palette.act(action) {
                Outcome::Closed => {}
                Outcome::Stays => self.overlay = Some(Overlay::Palette(palette)),
                Outcome::Chosen(Choice::Go(destination)) => self.go(destination, now),
                Outcome::Chosen(Choice::Act(action)) => self.act(&action, now),
            },
            // Any key closes the help.
            Overlay::Help => {}
        }
    }

    fn act_menu(&mut self, mut menu: Menu, action: &Action, now: Timestamp) {
        let count = menu.items.len();
        let chosen = match action {
            Action::Back | Action::Left => return,
            Action::Up => {
                menu.selected = menu.selected.saturating_sub(1);
                None
            }
            Action::Down => {
                menu.selected = (menu.selected + 1).min(count.saturating_sub(1));
                None
            }
            Action::Enter => menu.items.get(menu.selected).map(|(key, _)| *key),
            Action::Insert(letter) => menu.items.iter().map(|(key, _)| *key).find(|key| key == letter),
            _ => None,
        };
        match chosen {
            Some(key) => _ = self.with_top(now, |screen, context| (menu.then)(screen, key, context)),
            None => self.overlay = Some(Overlay::Menu(menu)),
        }
    }

    /// Applies a result of work.
    pub(crate) fn update(&mut self, update: Update, now: Timestamp) {
        match update {
            Update::Screen(id, change) => {
                if let Some(index) = self.screens.iter().position(|(open, _)| *open == id) {
                    self.with_screen(index, now, |screen, context| change(screen, context));
                }
            }
            Update::Shared(change) => {
                self.with_shared(now, change);
                if let Some(Overlay::Palette(palette)) = &mut self.overlay {
                    palette.refresh(&self.shared);
                }
            }
        }
    }

    /// Passes the text of an editor on to the screen on top.
    pub(crate) fn edited(&mut self, then: Edited, text: Option<String>, now: Timestamp) {
        self.with_top(now, |screen, context| then(screen, text, context));
    }

    /// Records the state of the connection.
    pub(crate) fn connection(&mut self, connection: Connection, now: Timestamp) {
        let came_back = connection == Connection::Live && matches!(self.shared.connection, Connection::Lost(_));
        self.shared.connection = connection;
        if self.shared.connection == Connection::Live {
            self.with_shared(now, outbox::pump);
        }
        if came_back {
            // Events resume where they ended. Requests that failed meanwhile are repeated.
            self.reload(now);
        }
    }

    /// Takes news.
    pub(crate) fn news(&mut self, news: &News, now: Timestamp) {
        self.seq = news.seq.or(self.seq);
        match &news.body {
            LiveBody::Reset(_) => self.reload(now),
            LiveBody::Hello(hello) => self.seq = self.seq.or(Some(hello.seq)),
            LiveBody::Alive => {}
            body => {
                let me = self.shared.me.clone();
                if self.shared.conversations.news(body, &me) {
                    self.with_shared(now, Conversations::load);
                }
                for index in 0..self.screens.len() {
                    self.with_screen(index, now, |screen, context| screen.news(body, context));
                }
            }
        }
    }

    /// Lets screens ask for what a batch of news has changed.
    pub(crate) fn settle(&mut self, now: Timestamp) {
        for index in 0..self.screens.len() {
            self.with_screen(index, now, Screen::settle);
        }
        self.shared.sent.clear();
    }

    /// Something that happens about once a second: what could not be sent is tried again.
    pub(crate) fn tick(&mut self, now: Timestamp) {
        if self.shared.connection == Connection::Live {
            self.with_shared(now, outbox::pump);
        }
    }

    /// Reads everything again.
    fn reload(&mut self, now: Timestamp) {
        self.with_shared(now, Conversations::load);
        for index in 0..self.screens.len() {
            self.with_screen(index, now, Screen::load);
        }
    }
}
