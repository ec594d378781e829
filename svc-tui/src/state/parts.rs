//! Parts of screens that show long texts and repeat requests: scrolling, kept lines, kept keys.

use ratatui::layout::Rect;
use ratatui::text::Line;
use svc_core::messages::Message;

use super::context::Context;
use super::destination::Destination;
use crate::action::Action;
use crate::backend::{Place, Result};

/// The position in a text that may be longer than its area.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Scroll {
    /// The first line on screen.
    pub(crate) offset: usize,
    /// Lines on screen, as of the last drawing.
    pub(crate) height: usize,
}

impl Scroll {
    /// Moves through the text. Says whether the action was a movement. Drawing limits the offset to the text.
    pub(crate) fn act(&mut self, action: &Action) -> bool {
        let page = self.height.max(2) - 1;
        self.offset = match action {
            Action::Up => self.offset.saturating_sub(1),
            Action::Down => self.offset.saturating_add(1),
            Action::PageUp => self.offset.saturating_sub(page),
            Action::PageDown => self.offset.saturating_add(page),
            Action::Top => 0,
            Action::Bottom => usize::MAX,
            _ => return false,
        };
        true
    }
}

/// Lines that are made again only when their source, the columns or the minute change.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    made_for: Option<(usize, i64)>,
    lines: Vec<Line<'static>>,
}

impl Lines {
    /// Forgets the lines, because their source has changed.
    pub(crate) fn forget(&mut self) {
        self.made_for = None;
    }

    /// The lines for these columns and this moment, such as a minute; `make` makes them when they are not known.
    pub(crate) fn get(
        &mut self,
        columns: usize,
        moment: i64,
        make: impl FnOnce() -> Vec<Line<'static>>,
    ) -> &[Line<'static>] {
        if self.made_for != Some((columns, moment)) {
            self.lines = make();
            self.made_for = Some((columns, moment));
        }
        &self.lines
    }
}

/// The idempotency key of a request that may have to be sent again: its answer was lost.
#[derive(Debug, Default)]
pub(crate) struct KeptKey {
    kept: Option<(String, String)>,
}

impl KeptKey {
    /// The key of a request. It is the key of the attempt before, if that was the same request and had no answer.
    pub(crate) fn of(&mut self, request: String, new: impl FnOnce() -> String) -> String {
        if let Some((before, key)) = &self.kept
            && *before == request
        {
            return key.clone();
        }
        let key = new();
        self.kept = Some((request, key.clone()));
        key
    }

    /// Forgets the key when the hub has answered.
    pub(crate) fn answered<T>(&mut self, answer: &Result<T>) {
        if !answer.as_ref().is_err_and(crate::backend::Failure::may_pass) {
            self.kept = None;
        }
    }
}

/// The row of an area at a position of the screen, from 0.
pub(crate) fn row_at(area: Rect, column: u16, row: u16) -> Option<usize> {
    area.contains((column, row).into()).then(|| usize::from(row.saturating_sub(area.y)))
}

/// Goes to a message in its conversation.
pub(crate) fn go_to(message: &Message, context: &mut Context<'_>) {
    if let Some(place) = Place::of(message, &context.shared.me) {
        context.go(Destination::Message(place, message.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Failure;

    #[test]
    fn a_request_without_an_answer_keeps_its_key() {
        let mut kept = KeptKey::default();
        assert_eq!(kept.of("retry 1".into(), || "a".into()), "a");
        kept.answered::<()>(&Err(Failure::unreachable("away")));
        assert_eq!(kept.of("retry 1".into(), || "b".into()), "a");
        assert_eq!(kept.of("retry 2".into(), || "c".into()), "c");
        kept.answered(&Ok(()));
        assert_eq!(kept.of("retry 2".into(), || "d".into()), "d");
    }

    #[test]
    fn the_end_of_a_text_can_be_asked_for() {
        let mut scroll = Scroll { offset: 0, height: 10 };
        assert!(scroll.act(&Action::Bottom));
        assert!(scroll.act(&Action::PageDown));
        assert!(!scroll.act(&Action::Enter));
        assert!(scroll.act(&Action::Top));
        assert_eq!(scroll.offset, 0);
    }
}
