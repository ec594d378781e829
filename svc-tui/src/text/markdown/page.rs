//! The lines of a rendered text, each behind the marks of the quotes and lists that contain it.
//!
//! Invariant: the marks take at most half of the columns. Deeper containers have no mark of their own, so that the
//! cost of a line does not depend on the depth.

use ratatui::text::{Line, Span};

use super::LINES_MAX;
use crate::text::wrap::{Break, Row, rows, width};

/// The marks of a container: of its first line, if it has not been drawn, and of the others. Both have one width.
struct Marks {
    first: Option<Span<'static>>,
    rest: Span<'static>,
}

/// Lines and open containers.
pub(super) struct Page {
    columns: usize,
    marks: Vec<Marks>,
    marks_width: usize,
    /// For each open container, whether it has marks.
    containers: Vec<bool>,
    lines: Vec<Line<'static>>,
    beyond: usize,
}

impl Page {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, marks: Vec::new(), marks_width: 0, containers: Vec::new(), lines: Vec::new(), beyond: 0 }
    }

    /// The columns inside the open containers.
    pub(super) fn room(&self) -> usize {
        self.columns - self.marks_width
    }

    /// Opens a container. Returns the mark of the first line if there is no room for marks.
    pub(super) fn open(&mut self, first: Option<Span<'static>>, rest: Span<'static>) -> Option<Span<'static>> {
        let wide = width(&rest.content);
        let fits = self.marks_width + wide <= self.columns / 2;
        self.containers.push(fits);
        if !fits {
            return first;
        }
        self.marks_width += wide;
        self.marks.push(Marks { first, rest });
        None
    }

    /// Closes the last container. One without content has an empty line.
    pub(super) fn close(&mut self) {
        if self.containers.pop() == Some(true) {
            if self.marks.last().is_some_and(|marks| marks.first.is_some()) {
                self.line(Vec::new());
            }
            if let Some(marks) = self.marks.pop() {
                self.marks_width -= width(&marks.rest.content);
            }
        }
    }

    /// The mark of the last container, if its first line is still to come.
    pub(super) fn first_mark(&mut self) -> Option<&mut Span<'static>> {
        if self.containers.last() == Some(&true) { self.marks.last_mut()?.first.as_mut() } else { None }
    }

    /// Adds wrapped text.
    pub(super) fn text(&mut self, spans: Row, breaks: Break) {
        for row in rows(spans, self.room(), breaks) {
            self.line(row);
        }
    }

    /// Adds a line that fits.
    pub(super) fn line(&mut self, row: Row) {
        let marks = self.marks.iter_mut().map(|marks| marks.first.take().unwrap_or_else(|| marks.rest.clone()));
        let mut spans: Row = marks.collect();
        if self.lines.len() >= LINES_MAX {
            self.beyond += 1;
            return;
        }
        if row.is_empty()
            && let Some(last) = spans.last_mut()
        {
            last.content = last.content.trim_end().to_owned().into();
        }
        spans.extend(row);
        self.lines.push(Line::from(spans));
    }

    /// The lines, and the number of those that were left out.
    pub(super) fn finish(self) -> (Vec<Line<'static>>, usize) {
        (self.lines, self.beyond)
    }
}
