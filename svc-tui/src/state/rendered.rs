//! Lines that were made from a text, kept because making them takes time.

use std::hash::{DefaultHasher, Hash, Hasher};

use ratatui::text::Line;

use crate::action::Action;

/// Lines for one width, and the first of them on screen.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    key: Option<u64>,
    pub(crate) lines: Vec<Line<'static>>,
    /// The first line on screen.
    pub(crate) offset: usize,
    /// The number of lines on screen, as of the last drawing.
    pub(crate) height: usize,
}

impl Rendered {
    /// Makes the lines again if the key or the width has changed.
    pub(crate) fn renew(&mut self, key: &impl Hash, columns: usize, make: impl FnOnce() -> Vec<Line<'static>>) {
        let mut hasher = DefaultHasher::new();
        (key, columns).hash(&mut hasher);
        let key = Some(hasher.finish());
        if self.key != key {
            self.key = key;
            self.lines = make();
        }
    }

    /// Goes back to the first line, for another text.
    pub(crate) fn rewind(&mut self) {
        self.offset = 0;
    }

    /// Scrolls. Says whether the action was a movement.
    pub(crate) fn act(&mut self, action: &Action) -> bool {
        let page = self.height.max(2) - 1;
        let most = self.lines.len().saturating_sub(self.height);
        let offset = match action {
            Action::Up => self.offset.saturating_sub(1),
            Action::Down => self.offset + 1,
            Action::PageUp => self.offset.saturating_sub(page),
            Action::PageDown => self.offset + page,
            Action::Top => 0,
            Action::Bottom => most,
            _ => return false,
        };
        self.offset = offset.min(most);
        true
    }
}
