//! Parts of pictures of runs, agents, machines and deliveries: tables, bars, tabs, and texts of facts and sections.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::Timestamp;

use crate::text;
use crate::view::View;
use crate::view::look::Look;

/// Columns of the names of facts.
const NAMES: usize = 11;
/// Columns of a bar.
const BAR: usize = 16;

/// A cell of a row: its text, its columns and its style.
pub(crate) type Cell<'c> = (&'c str, usize, Style);

/// A row of cells with a space between them. The last cell gets the columns that are left.
pub(crate) fn row(cells: &[Cell<'_>], columns: usize) -> Line<'static> {
    let mut left = columns;
    let mut spans = Vec::with_capacity(cells.len() * 2);
    for (index, (content, width, style)) in cells.iter().enumerate() {
        if left == 0 {
            break;
        }
        let last = index + 1 == cells.len();
        let width = if last { left } else { (*width).min(left) };
        spans.push(Span::styled(if last { text::fit(content, width) } else { text::padded(content, width) }, *style));
        left -= width;
        if left > 0 {
            spans.push(Span::raw(" "));
            left -= 1;
        }
    }
    Line::from(spans)
}

/// Draws the titles of columns in the first row, and returns the area below. A low area has no titles.
pub(crate) fn titles(frame: &mut Frame<'_>, area: Rect, cells: &[Cell<'_>], view: &View<'_>) -> Rect {
    if area.height < 4 {
        return area;
    }
    let cells: Vec<_> = cells.iter().map(|(title, width, _)| (*title, *width, view.look.dim)).collect();
    let line = row(&cells, usize::from(area.width));
    frame.render_widget(Paragraph::new(line), Rect { height: 1, ..area });
    below(area, 1)
}

/// The area without its first rows.
pub(crate) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y.saturating_add(rows), height: area.height - rows, ..area }
}

/// Draws the titles of tabs in the first row, and returns the area below.
pub(crate) fn tabs(frame: &mut Frame<'_>, area: Rect, titles: &[&str], selected: usize, view: &View<'_>) -> Rect {
    if area.height == 0 {
        return area;
    }
    let mut spans = Vec::new();
    for (index, title) in titles.iter().enumerate() {
        let style = if index == selected { view.look.selected } else { view.look.dim };
        spans.push(Span::styled(format!(" {title} "), style));
        spans.push(Span::raw(" "));
    }
    frame.render_widget(Paragraph::new(Line::from(spans)), Rect { height: 1, ..area });
    below(area, 1)
}

/// A bar for a share between 0 and 1.
pub(crate) fn bar(share: f64, columns: usize) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
    let eighths = u32::try_from(columns).unwrap_or(0).saturating_mul(8);
    // The number of eighths is found by comparison, because a number with a fraction does not convert exactly.
    let full = (0..=eighths).rev().find(|eighth| f64::from(*eighth) <= share * f64::from(eighths)).unwrap_or(0);
    let (whole, rest) = (usize::try_from(full / 8).unwrap_or(0), full % 8);
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(usize::try_from(rest).unwrap_or(0)).copied().unwrap_or("");
    let empty = columns.saturating_sub(whole + usize::from(rest > 0));
    format!("{}{part}{}", "█".repeat(whole), "░".repeat(empty))
}

/// A moment as its distance from now and the time of the day.
pub(crate) fn moment(then: Timestamp, view: &View<'_>) -> String {
    let (ago, clock) = (text::ago(then, view.now), text::clock(then, view.zone));
    format!("{ago} · {clock}")
}

/// A text of facts and sections that is made line by line. Everything is cleaned and wrapped.
pub(crate) struct Story {
    lines: Vec<Line<'static>>,
    columns: usize,
    look: Look,
}

impl Story {
    /// An empty text.
    pub(crate) fn new(columns: usize, look: &Look) -> Self {
        Self { lines: Vec::new(), columns: columns.max(4), look: *look }
    }

    /// The lines.
    pub(crate) fn into_lines(self) -> Vec<Line<'static>> {
        self.lines
    }

    /// Adds a heading, with an empty line before it.
    pub(crate) fn section(&mut self, title: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.push(Line::styled(text::fit(title, self.columns), self.look.heading));
    }

    /// Adds a named value. An empty value is left out.
    pub(crate) fn fact(&mut self, name: &str, value: &str) {
        self.fact_in(name, value, self.look.text);
    }

    /// Adds a named value in a style.
    pub(crate) fn fact_in(&mut self, name: &str, value: &str, style: Style) {
        let value = text::one_line(value);
        if value.is_empty() {
            return;
        }
        let names = NAMES.min(self.columns / 2);
        for (index, part) in text::wrapped(&value, self.columns - names).into_iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            // The name keeps a space behind it.
            let name = format!("{} ", text::padded(name, names.saturating_sub(1)));
            self.lines.push(Line::from(vec![Span::styled(name, self.look.dim), Span::styled(part, style)]));
        }
    }

    /// Adds a named share of a limit as a bar, and its amounts.
    pub(crate) fn share(&mut self, name: &str, share: f64, amounts: &str) {
        let look = self.look;
        let style = if share >= 1.0 {
            look.bad
        } else if share >= 0.8 {
            look.warn
        } else {
            look.good
        };
        let names = NAMES.min(self.columns / 2);
        let wide = BAR.min(self.columns - names);
        let name = format!("{} ", text::padded(name, names.saturating_sub(1)));
        let mut spans = vec![Span::styled(name, look.dim), Span::styled(bar(share, wide), style)];
        let left = self.columns.saturating_sub(names + wide + 1);
        if text::width(amounts) <= left {
            spans.push(Span::raw(format!(" {}", text::fit(amounts, left))));
            self.lines.push(Line::from(spans));
        } else {
            self.lines.push(Line::from(spans));
            self.fact("", amounts);
        }
    }

    /// Adds a paragraph of plain text.
    pub(crate) fn text(&mut self, content: &str, style: Style) {
        let content = text::clean(content);
        self.lines
            .extend(text::wrapped(content.trim_end(), self.columns).into_iter().map(|line| Line::styled(line, style)));
    }

    /// Adds plain text of which the first `most` lines are shown.
    pub(crate) fn excerpt(&mut self, content: &str, most: usize, style: Style) {
        let content = text::clean(content);
        let lines = text::wrapped(content.trim_end(), self.columns);
        let hidden = lines.len().saturating_sub(most);
        self.lines.extend(lines.into_iter().take(most).map(|line| Line::styled(line, style)));
        if hidden > 0 {
            let more = if hidden == 1 { "… 1 more line".to_owned() } else { format!("… {hidden} more lines") };
            self.lines.push(Line::styled(more, self.look.dim));
        }
    }

    /// Adds Markdown.
    pub(crate) fn markdown(&mut self, source: &str) {
        self.lines.extend(text::markdown(source, self.columns, &self.look));
    }

    /// Adds a finished line.
    pub(crate) fn line(&mut self, line: Line<'static>) {
        self.lines.push(line);
    }

    /// The columns of a line.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_its_columns_whatever_the_share() {
        for share in [-1.0, 0.0, 0.01, 0.5, 0.99, 1.0, 7.0, f64::NAN, f64::INFINITY] {
            for columns in 0..20 {
                assert_eq!(text::width(&bar(share, columns)), columns, "{share}");
            }
        }
        assert_eq!(bar(0.5, 4), "██░░");
        assert_eq!(bar(1.0, 4), "████");
    }

    #[test]
    fn a_row_is_not_wider_than_its_columns() {
        let cells = [("status", 8, Style::new()), ("agent", 6, Style::new()), ("an error", 0, Style::new())];
        for columns in 0..40 {
            assert!(row(&cells, columns).width() <= columns, "{columns}");
        }
    }
}
