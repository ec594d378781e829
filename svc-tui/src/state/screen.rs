//! A screen: its state, its reaction to actions, answers and news, and its picture.

use std::any::Any;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::live::LiveBody;

use super::context::Context;
use super::destination::Destination;
use crate::action::Action;
use crate::view::View;

/// Whether a screen has used an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handled {
    /// It has.
    Yes,
    /// It has not: the frame may use it.
    No,
}

/// How keys are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Letters are commands.
    Command,
    /// Letters are typed into a field of one line.
    Line,
    /// Letters are typed into a field of many lines.
    Text,
}

/// A key of a screen, for the footer and the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyHint {
    /// The key, such as `r` or `Ctrl+K`.
    pub(crate) key: &'static str,
    /// What it does, in one or two words.
    pub(crate) does: &'static str,
}

/// A shorthand for [`KeyHint`].
pub(crate) const fn key(key: &'static str, does: &'static str) -> KeyHint {
    KeyHint { key, does }
}

/// A screen.
pub(crate) trait Screen: Any + Send {
    /// Where this is.
    fn destination(&self) -> Destination;
    /// The title, without text of the hub that was not cleaned.
    fn title(&self) -> String;
    /// Reads the data. Called when the screen is opened, on `Refresh`, and when events were missed.
    fn load(&mut self, context: &mut Context<'_>);
    /// Reacts to an action.
    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled;
    /// Reacts to news. Called for every screen that is open, also in the background.
    fn news(&mut self, _news: &LiveBody, _context: &mut Context<'_>) {}
    /// Called once after a batch of news, so that a screen asks the hub once for many events.
    fn settle(&mut self, _context: &mut Context<'_>) {}
    /// How keys are read now.
    fn mode(&self) -> Mode {
        Mode::Command
    }
    /// The keys of this screen, the most useful first.
    fn keys(&self) -> Vec<KeyHint>;
    /// Draws the screen. `area` excludes the frame: title, list of conversations and footer.
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>);
    /// Keeps what must survive, such as a draft, before the screen is closed.
    fn close(&mut self, _context: &mut Context<'_>) {}
}
