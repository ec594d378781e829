//! A list of messages with a selection: a timeline or a thread.
//!
//! Invariants: messages are in the order of their ids, each once. Their number is bounded. Rendered lines are kept
//! until the message or the width changes.

use std::collections::HashMap;

use ratatui::text::Line;
use svc_core::Timestamp;
use svc_core::ids::MessageId;
use svc_core::messages::Message;

use crate::action::Action;

/// Maximum number of messages that are held; the far end is dropped.
pub(crate) const HELD_MAX: usize = 600;

/// Rendered lines of a message, with what they depend on.
pub(crate) struct Rendered {
    /// The state of the message, and the numbers of its reactions and replies.
    pub(crate) version: ((Timestamp, u32, Option<Timestamp>), usize, u32),
    /// Columns.
    pub(crate) columns: usize,
    /// The lines.
    pub(crate) lines: Vec<Line<'static>>,
}

/// Messages on screen.
#[derive(Default)]
pub(crate) struct Messages {
    list: Vec<Message>,
    /// The selected message.
    pub(crate) selected: usize,
    /// The first line on screen, counted from the first message.
    pub(crate) top: usize,
    /// Whether the end stays on screen when messages are added.
    pub(crate) following: bool,
    /// Lines on screen, and the lines of each message, as of the last drawing.
    pub(crate) drawn: Drawn,
    /// Rendered messages.
    pub(crate) cache: HashMap<MessageId, Rendered>,
}

/// The geometry of the last drawing.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    /// Lines on screen.
    pub(crate) height: usize,
    /// The first line of each message, and the number of all lines at the end.
    pub(crate) starts: Vec<usize>,
}

impl Messages {
    /// The messages.
    pub(crate) fn list(&self) -> &[Message] {
        &self.list
    }

    /// The selected message.
    pub(crate) fn selected(&self) -> Option<&Message> {
        self.list.get(self.selected)
    }

    /// The id of the last message.
    pub(crate) fn last(&self) -> Option<MessageId> {
        self.list.last().map(|message| message.id)
    }

    /// The id of the first message.
    pub(crate) fn first(&self) -> Option<MessageId> {
        self.list.first().map(|message| message.id)
    }

    /// Replaces all messages, and selects the last one.
    pub(crate) fn set(&mut self, list: Vec<Message>) {
        self.list = list;
        self.cache.retain(|id, _| self.list.iter().any(|message| message.id == *id));
        self.selected = self.list.len().saturating_sub(1);
        self.following = true;
        self.drawn.starts.clear();
    }

    /// Selects a message by its id; says whether it is here.
    pub(crate) fn select(&mut self, id: MessageId) -> bool {
        let index = self.list.iter().position(|message| message.id == id);
        if let Some(index) = index {
            self.selected = index;
            self.following = index + 1 == self.list.len();
        }
        index.is_some()
    }

    /// Adds messages at either end or replaces those that are here. The selection and the position stay. Returns
    /// whether messages were dropped at the beginning, and at the end.
    pub(crate) fn merge(&mut self, messages: Vec<Message>) -> (bool, bool) {
        let selected = self.selected().map(|message| message.id);
        let was_last = self.selected + 1 >= self.list.len();
        for message in messages {
            match self.list.binary_search_by_key(&message.id, |known| known.id) {
                Ok(index) => self.list[index] = message,
                Err(index) => self.list.insert(index, message),
            }
        }
        if self.following && was_last {
            self.selected = self.list.len().saturating_sub(1);
        } else if let Some(id) = selected {
            let before = self.selected;
            self.selected = self.list.iter().position(|message| message.id == id).unwrap_or(before);
        }
        self.limit()
    }

    /// Replaces a message that is here.
    pub(crate) fn replace(&mut self, message: Message) {
        if let Ok(index) = self.list.binary_search_by_key(&message.id, |known| known.id) {
            self.list[index] = message;
        }
    }

    /// Drops messages far from the selection.
    fn limit(&mut self) -> (bool, bool) {
        if self.list.len() <= HELD_MAX {
            return (false, false);
        }
        let excess = self.list.len() - HELD_MAX;
        let at_end = self.selected >= self.list.len() / 2;
        if at_end {
            self.list.drain(..excess);
            self.selected = self.selected.saturating_sub(excess);
        } else {
            self.list.truncate(HELD_MAX);
        }
        self.cache.retain(|id, _| self.list.binary_search_by_key(id, |message| message.id).is_ok());
        self.drawn.starts.clear();
        (at_end, !at_end)
    }

    /// Moves the selection, or scrolls within a message that is longer than the screen. Says whether the action was a
    /// movement.
    pub(crate) fn act(&mut self, action: &Action) -> bool {
        let height = self.drawn.height.max(1);
        match action {
            Action::Down => self.step(1),
            Action::Up => self.step_back(1),
            Action::PageDown => self.step(height.saturating_sub(1).max(1)),
            Action::PageUp => self.step_back(height.saturating_sub(1).max(1)),
            Action::Top => {
                (self.selected, self.top) = (0, 0);
            }
            Action::Bottom => {
                self.selected = self.list.len().saturating_sub(1);
                self.top = usize::MAX;
            }
            _ => return false,
        }
        self.following = self.selected + 1 >= self.list.len();
        true
    }

    /// The lines of the selected message.
    fn range(&self) -> Option<(usize, usize)> {
        Some((*self.drawn.starts.get(self.selected)?, *self.drawn.starts.get(self.selected + 1)?))
    }

    fn step(&mut self, lines: usize) {
        let bottom = self.top.saturating_add(self.drawn.height);
        match self.range() {
            // The end of the message is below the screen.
            Some((_, end)) if end > bottom => self.top += lines.min(end - bottom),
            _ if lines > 1 => self.select_line(self.range().map_or(0, |(start, _)| start).saturating_add(lines)),
            _ => self.selected = (self.selected + 1).min(self.list.len().saturating_sub(1)),
        }
    }

    fn step_back(&mut self, lines: usize) {
        match self.range() {
            // The beginning of the message is above the screen.
            Some((start, _)) if start < self.top => self.top -= lines.min(self.top - start),
            _ if lines > 1 => self.select_line(self.range().map_or(0, |(start, _)| start).saturating_sub(lines)),
            _ => self.selected = self.selected.saturating_sub(1),
        }
    }

    /// Selects the message at a line.
    pub(crate) fn select_line(&mut self, line: usize) {
        let after = self.drawn.starts.iter().position(|start| *start > line).unwrap_or(self.list.len());
        self.selected = after.saturating_sub(1).min(self.list.len().saturating_sub(1));
    }
}
