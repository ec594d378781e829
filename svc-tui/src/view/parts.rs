//! Parts that several screens draw: panes, lists with a selection, states of loading.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Borders, Paragraph, Wrap};
use unicode_segmentation::UnicodeSegmentation;

use super::View;
use super::look::Look;
use crate::state::editor::Editor;
use crate::state::list::Selection;
use crate::state::loaded::Loaded;
use crate::state::shared::Connection;
use crate::text;

/// Splits the area of a screen into the main part and, in a wide window, the details.
pub(crate) fn split(area: Rect, view: &View<'_>) -> (Rect, Option<Rect>) {
    if !view.wide {
        return (area, None);
    }
    let [main, details] = Layout::horizontal([Constraint::Percentage(58), Constraint::Percentage(42)]).areas(area);
    (main, Some(details))
}

/// Draws a pane with a title and returns its inside.
pub(crate) fn pane(frame: &mut Frame<'_>, area: Rect, title: &str, focused: bool, view: &View<'_>) -> Rect {
    let style = if focused { view.look.border_focused } else { view.look.border };
    let title =
        Span::styled(format!(" {} ", text::fit(title, usize::from(area.width).saturating_sub(4))), view.look.title);
    let block = Block::new().borders(Borders::ALL).border_type(BorderType::Rounded).border_style(style).title(title);
    let inside = block.inner(area);
    frame.render_widget(block, area);
    inside
}

/// Draws rows with a selection; each row is one line. The selected row is drawn in the style `selected`.
pub(crate) fn rows(
    frame: &mut Frame<'_>,
    area: Rect,
    selection: &mut Selection,
    count: usize,
    focused: bool,
    view: &View<'_>,
    mut row: impl FnMut(usize, usize) -> Line<'static>,
) {
    let columns = usize::from(area.width);
    let visible = selection.visible(count, usize::from(area.height));
    for (line, index) in visible.enumerate() {
        let place = Rect { y: area.y + u16::try_from(line).unwrap_or(0), height: 1, ..area };
        let mut drawn = row(index, columns);
        if index == selection.index && focused {
            drawn = selected(drawn, &view.look);
            frame.render_widget(Paragraph::new("").style(view.look.selected), place);
        }
        frame.render_widget(Paragraph::new(drawn), place);
    }
}

/// A line in the style of the selection alone: reversed colours side by side would be a patchwork.
pub(crate) fn selected(mut line: Line<'static>, look: &Look) -> Line<'static> {
    for span in &mut line.spans {
        span.style = look.selected;
    }
    line.style(look.selected)
}

/// Draws a short text in the middle: an empty list, a failure.
pub(crate) fn centered(frame: &mut Frame<'_>, area: Rect, title: &str, hint: &str, view: &View<'_>) {
    let mut lines = vec![Line::styled(title.to_owned(), view.look.strong)];
    if !hint.is_empty() {
        lines.push(Line::default());
        lines.push(Line::styled(hint.to_owned(), view.look.dim));
    }
    let height = u16::try_from(lines.len()).unwrap_or(3) + 1;
    let [_, middle, _] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(height), Constraint::Fill(2)]).areas(area);
    frame.render_widget(Paragraph::new(Text::from(lines)).centered().wrap(Wrap { trim: true }), middle);
}

/// Returns data that is here; otherwise draws that it is loading or failed.
pub(crate) fn here<'d, T>(frame: &mut Frame<'_>, area: Rect, data: &'d Loaded<T>, view: &View<'_>) -> Option<&'d T> {
    match data {
        Loaded::Here(data) => return Some(data),
        Loaded::Waiting => centered(frame, area, "Loading …", "", view),
        Loaded::Failed(failure) => {
            centered(frame, area, &text::one_line(&failure.message), remedy(view), view);
        }
    }
    None
}

/// The remedy when data could not be read.
pub(crate) fn remedy(view: &View<'_>) -> &'static str {
    match view.shared.connection {
        Connection::Lost(_) => "The hub is tried again until it answers.",
        _ => "Ctrl+R tries again.",
    }
}

/// Draws lines of text from `offset` on, and limits `offset` to the text. Returns the number of lines.
pub(crate) fn scrolled(frame: &mut Frame<'_>, area: Rect, lines: &[Line<'static>], offset: &mut usize) {
    let height = usize::from(area.height);
    *offset = (*offset).min(lines.len().saturating_sub(height));
    let shown: Vec<_> = lines.iter().skip(*offset).take(height).cloned().collect();
    frame.render_widget(Paragraph::new(shown), area);
}

/// A line that is built from the left, and never becomes wider than its columns.
pub(crate) struct Row {
    spans: Vec<Span<'static>>,
    left: usize,
}

impl Row {
    /// An empty line of this many columns.
    pub(crate) fn new(columns: usize) -> Self {
        Self { spans: Vec::new(), left: columns }
    }

    /// Adds a text, cut to the columns that are left.
    #[must_use]
    pub(crate) fn part(mut self, text: &str, style: Style) -> Self {
        let text = text::fit(text, self.left);
        if !text.is_empty() {
            self.left = self.left.saturating_sub(text::width(&text));
            self.spans.push(Span::styled(text, style));
        }
        self
    }

    /// Adds a separator such as ` · `, or nothing at the beginning or without space for more.
    #[must_use]
    pub(crate) fn gap(mut self, separator: &'static str, style: Style) -> Self {
        let columns = text::width(separator);
        if !self.spans.is_empty() && columns < self.left {
            self.left -= columns;
            self.spans.push(Span::styled(separator, style));
        }
        self
    }

    /// Adds a text at the right end, if it fits as a whole after a space.
    #[must_use]
    pub(crate) fn right(mut self, text: &str, style: Style) -> Self {
        let text = text::one_line(text);
        let columns = text::width(&text);
        if columns < self.left {
            self.spans.push(Span::raw(" ".repeat(self.left - columns)));
            self.spans.push(Span::styled(text, style));
            self.left = 0;
        }
        self
    }

    /// The line.
    pub(crate) fn line(self) -> Line<'static> {
        Line::from(self.spans)
    }
}

/// The lines of a text that is being written, wrapped, and the row and column of the cursor at the end of the tuple.
pub(crate) fn field_lines(editor: &Editor, columns: usize) -> Vec<String> {
    layout(editor, columns.max(1)).0
}

/// Wraps by columns, without regard to words, so that the cursor has one obvious place.
fn layout(editor: &Editor, columns: usize) -> (Vec<String>, (usize, usize)) {
    let (mut lines, mut used) = (vec![String::new()], 0);
    let mut cursor = (0, 0);
    let mut passed = 0;
    for cluster in editor.text().graphemes(true) {
        if passed == editor.before().len() {
            cursor = (lines.len() - 1, used);
        }
        passed += cluster.len();
        if cluster == "\n" {
            lines.push(String::new());
            used = 0;
            continue;
        }
        let width = text::width(cluster);
        if used + width > columns {
            if cursor == (lines.len() - 1, used) && passed - cluster.len() == editor.before().len() {
                cursor = (lines.len(), 0);
            }
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(cluster);
        }
        used += width;
    }
    if passed == editor.before().len() {
        cursor = if used >= columns { (lines.len(), 0) } else { (lines.len() - 1, used) };
        if cursor.0 == lines.len() {
            lines.push(String::new());
        }
    }
    (lines, cursor)
}

/// Draws a text of many lines that is being written, with the cursor on screen.
pub(crate) fn area(frame: &mut Frame<'_>, area: Rect, editor: &Editor, focused: bool, view: &View<'_>) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    let (lines, (row, column)) = layout(editor, usize::from(area.width));
    let height = usize::from(area.height);
    let first = (row + 1).saturating_sub(height);
    let shown: Vec<_> =
        lines.into_iter().skip(first).take(height).map(|line| Line::styled(line, view.look.text)).collect();
    frame.render_widget(Paragraph::new(shown), area);
    if focused {
        let place = |offset: usize, start: u16| start + u16::try_from(offset).unwrap_or(0);
        frame.set_cursor_position((place(column, area.x), place(row - first, area.y)));
    }
}

/// Draws a text of one line that is being written, with the cursor on screen.
pub(crate) fn field(frame: &mut Frame<'_>, area: Rect, editor: &Editor, focused: bool, view: &View<'_>) {
    let columns = usize::from(area.width);
    if columns == 0 || area.height == 0 {
        return;
    }
    let before = editor.before().replace('\n', " ");
    let skipped = (text::width(&before) + 1).saturating_sub(columns);
    let whole = editor.text().replace('\n', " ");
    let (mut passed, mut used) = (0, 0);
    let mut shown = String::new();
    for cluster in whole.graphemes(true) {
        let width = text::width(cluster);
        if passed < skipped {
            passed += width;
        } else if used + width <= columns {
            shown.push_str(cluster);
            used += width;
        } else {
            break;
        }
    }
    let line = Rect { height: 1, ..area };
    frame.render_widget(Paragraph::new(Span::styled(shown, view.look.text)), line);
    if focused {
        let column = text::width(&before).saturating_sub(passed);
        frame.set_cursor_position((area.x + u16::try_from(column).unwrap_or(0).min(area.width - 1), area.y));
    }
}
