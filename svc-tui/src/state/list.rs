//! The selection in a list, and the part of the list that is on screen.

use crate::action::Action;

/// A selected row and the first row on screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The selected row, from 0.
    pub(crate) index: usize,
    /// The first row on screen.
    pub(crate) first: usize,
    /// Rows on screen, as of the last drawing.
    pub(crate) height: usize,
}

impl Selection {
    /// Moves the selection in a list of `count` rows. Says whether the action was a movement.
    pub(crate) fn act(&mut self, action: &Action, count: usize) -> bool {
        let page = self.height.max(2) - 1;
        self.index = match action {
            Action::Up => self.index.saturating_sub(1),
            Action::Down => self.index + 1,
            Action::PageUp => self.index.saturating_sub(page),
            Action::PageDown => self.index + page,
            Action::Top => 0,
            Action::Bottom => count,
            _ => return false,
        };
        self.limit(count);
        true
    }

    /// Keeps the selection within a list of `count` rows.
    pub(crate) fn limit(&mut self, count: usize) {
        self.index = self.index.min(count.saturating_sub(1));
    }

    /// Scrolls so that the selected row is within `height` rows of `count`, and returns the rows on screen.
    pub(crate) fn visible(&mut self, count: usize, height: usize) -> std::ops::Range<usize> {
        self.limit(count);
        self.height = height;
        if height == 0 {
            return 0..0;
        }
        self.first =
            self.first.min(self.index).max((self.index + 1).saturating_sub(height)).min(count.saturating_sub(height));
        self.first..count.min(self.first + height)
    }

    /// Selects the row at this row of the screen area; says whether there is one.
    pub(crate) fn click(&mut self, row: usize, count: usize) -> bool {
        let index = self.first + row;
        let exists = row < self.height && index < count;
        if exists {
            self.index = index;
        }
        exists
    }
}
