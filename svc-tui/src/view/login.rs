//! The form for logging in: a box in the middle with two fields.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Borders, Paragraph};
use unicode_segmentation::UnicodeSegmentation;

use super::look::Look;
use super::parts::Row;
use crate::state::login_form::{LoginField, LoginForm};
use crate::text;

/// Size of the box.
const SIZE: (u16, u16) = (56, 10);
/// Columns of the names of the fields.
const LABEL: usize = 10;

/// Columns of a key in the help.
const KEY: usize = 14;
/// Keys and other ways to log in.
const HELP: &[(&str, &str)] = &[
    ("Enter", "next field, then log in"),
    ("Tab ↑ ↓", "other field"),
    ("Ctrl+U", "empty the field"),
    ("F1, ? (name)", "these keys; any key closes them"),
    ("Esc, Ctrl+C", "quit"),
    ("", "Without a password, start svc-tui with"),
    ("login --device", "to log in in a browser, or with"),
    ("SVC_KEY=svck_…", "to act with a key"),
];

/// Draws the form.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, form: &LoginForm, look: &Look) {
    let inside = boxed(frame, area, look);
    let columns = usize::from(inside.width);
    if form.help {
        return draw_help(frame, inside, look);
    }
    let [server, _, username, password, _, below, hint] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Max(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Max(1),
        Constraint::Max(2),
        Constraint::Max(1),
    ])
    .areas(inside);
    let row = Row::new(columns).part("Hub", look.dim).gap("  ", look.dim).part(&form.server, look.strong);
    frame.render_widget(Paragraph::new(row.line()), server);

    let (before, all) = (form.username.before(), form.username.text());
    let after = all.get(before.len()..).unwrap_or_default();
    let focused = |field| !form.busy && form.field == field;
    field(frame, username, "Username", (before, after), focused(LoginField::Username), look);
    let dots = "•".repeat(form.password_length());
    field(frame, password, "Password", (&dots, ""), focused(LoginField::Password), look);

    if form.busy {
        frame.render_widget(Paragraph::new(Span::styled(text::fit("Logging in …", columns), look.dim)), below);
    } else if let Some(error) = &form.error {
        let lines: Vec<_> =
            text::wrapped(error, columns).into_iter().map(|line| Line::styled(line, look.bad)).collect();
        frame.render_widget(Paragraph::new(lines), below);
    }
    let keys = Row::new(columns)
        .part("Enter", look.key)
        .gap(" ", look.dim)
        .part("log in", look.dim)
        .gap("  ", look.dim)
        .part("Tab", look.key)
        .gap(" ", look.dim)
        .part("next field", look.dim)
        .gap("  ", look.dim)
        .part("F1", look.key)
        .gap(" ", look.dim)
        .part("help", look.dim)
        .gap("  ", look.dim)
        .part("Esc", look.key)
        .gap(" ", look.dim)
        .part("quit", look.dim);
    frame.render_widget(Paragraph::new(keys.line()), hint);
}

/// Draws the keys, and the other ways to log in.
fn draw_help(frame: &mut Frame<'_>, area: Rect, look: &Look) {
    let columns = usize::from(area.width);
    let lines = HELP.iter().map(|(key, does)| {
        let key = text::padded(key, KEY.min(columns));
        let room = columns.saturating_sub(text::width(&key));
        Line::from(vec![Span::styled(key, look.key), Span::styled(text::fit(does, room), look.text)])
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}

/// Draws the box, and returns its inside.
fn boxed(frame: &mut Frame<'_>, area: Rect, look: &Look) -> Rect {
    let (width, height) = (SIZE.0.min(area.width), SIZE.1.min(area.height));
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 3, width, height };
    let block = Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(look.border_focused)
        .title(Span::styled(" Log in ", look.title));
    let inside = block.inner(place);
    frame.render_widget(block, place);
    inside
}

/// Draws a field with its name. The text is the one before the cursor and the one after it; the cursor stays visible.
fn field(frame: &mut Frame<'_>, area: Rect, label: &str, (before, after): (&str, &str), focused: bool, look: &Look) {
    let columns = usize::from(area.width);
    if columns == 0 || area.height == 0 {
        return;
    }
    let label = text::padded(label, LABEL.min(columns / 2));
    let room = columns - text::width(&label).min(columns);
    let mut shown = before;
    while text::width(shown) >= room.max(1) {
        let Some(first) = shown.graphemes(true).next() else { break };
        shown = shown.get(first.len()..).unwrap_or_default();
    }
    let cursor = text::width(&label) + text::width(shown);
    let style = if focused { look.key } else { look.dim };
    let line = Line::from(vec![Span::styled(label, style), Span::styled(format!("{shown}{after}"), look.text)]);
    frame.render_widget(Paragraph::new(line), area);
    if focused {
        let x = u16::try_from(cursor).unwrap_or(0).min(area.width - 1);
        frame.set_cursor_position(Position { x: area.x + x, y: area.y });
    }
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    #[test]
    fn the_help_fits_the_box() {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        let mut form = LoginForm::new("http://127.0.0.1:8080".to_owned(), "");
        let mut picture = |form: &LoginForm| {
            terminal.draw(|frame| draw(frame, frame.area(), form, &Look::new(true))).unwrap();
            terminal.backend().to_string()
        };
        assert!(picture(&form).contains("F1 help"));
        form.help = true;
        let help = picture(&form);
        for text in ["Ctrl+U", "login --device", "to act with a key"] {
            assert!(help.contains(text), "{text}\n{help}");
        }
    }
}
