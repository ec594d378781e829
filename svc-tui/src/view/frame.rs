//! The frame around a screen: the list of conversations, the title, the footer, and questions over it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::Timestamp;

use super::look::Look;
use super::{DETAILS_FROM, SIDEBAR_FROM, View, overlay, sidebar};
use crate::state::Ui;
use crate::state::screen::{KeyHint, Mode};
use crate::state::shared::Connection;
use crate::text;

/// Columns of the list of conversations.
const SIDEBAR: u16 = 26;

/// Draws everything.
pub(crate) fn draw(ui: &mut Ui, frame: &mut Frame<'_>, look: &Look, now: Timestamp, zone: i32) {
    let area = frame.area();
    let [middle, footer] = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
    let beside = area.width >= SIDEBAR_FROM;
    let (list, main) = if beside {
        let [list, main] = Layout::horizontal([Constraint::Length(SIDEBAR), Constraint::Fill(1)]).areas(middle);
        (Some(list), Some(main))
    } else if ui.sidebar {
        (Some(middle), None)
    } else {
        (None, Some(middle))
    };
    let (focused, mode) = (ui.sidebar, ui.mode());
    let mut overlay = ui.overlay.take();
    ui.sidebar_area = Rect::default();
    if let Some(list) = list {
        ui.sidebar_area = sidebar::draw(&mut ui.shared, frame, list, focused, look);
    }
    let mut keys = Vec::new();
    if let Some((screen, shared)) = ui.top() {
        let view = View { look: *look, now, zone, wide: area.width >= DETAILS_FROM, shared };
        if let Some(main) = main {
            screen.draw(frame, main, &view);
        }
        keys = if focused { sidebar::KEYS.to_vec() } else { screen.keys() };
        draw_footer(frame, footer, &keys, mode, &view);
        if let Some(overlay) = &mut overlay {
            overlay::draw(frame, area, overlay, &keys, &view);
        }
    }
    ui.overlay = overlay;
    drop(keys);
}

/// The footer: a note or the keys, and the state of the connection.
fn draw_footer(frame: &mut Frame<'_>, area: Rect, keys: &[KeyHint], mode: Mode, view: &View<'_>) {
    let (shared, look) = (view.shared, view.look);
    let waiting = shared.kept.outbox().len();
    let mut right = Vec::new();
    if waiting > 0 {
        right.push(Span::styled(format!(" {waiting} unsent "), look.warn));
    }
    right.push(match &shared.connection {
        Connection::Live => Span::styled(" ● live ", look.good),
        Connection::Connecting => Span::styled(" ○ connecting ", look.warn),
        Connection::Lost(_) => Span::styled(" ○ no connection, trying again ", look.bad),
        Connection::LoggedOut => Span::styled(" ○ logged out ", look.bad),
    });
    let width: usize = right.iter().map(|span| text::width(&span.content)).sum();
    let width = u16::try_from(width).unwrap_or(0).min(area.width);
    let [left, corner] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(width)]).areas(area);
    let columns = usize::from(left.width);
    let line = if let Some(note) = shared.current_note(view.now) {
        let style = if note.failure { look.bad } else { look.good };
        Line::styled(text::fit(&format!(" {}", note.text), columns), style)
    } else {
        hints(keys, mode, columns, &look)
    };
    frame.render_widget(Paragraph::new(line), left);
    frame.render_widget(Paragraph::new(Line::from(right)), corner);
}

/// As many keys as fit, always with the way to the help.
fn hints(keys: &[KeyHint], mode: Mode, columns: usize, look: &Look) -> Line<'static> {
    let help = KeyHint { key: "?", does: "help" };
    let tail: &[KeyHint] = if mode == Mode::Command { &[help] } else { &[] };
    let width = |hint: &KeyHint| text::width(hint.key) + text::width(hint.does) + 3;
    let reserved: usize = tail.iter().map(width).sum();
    let mut used = reserved;
    let mut spans = Vec::new();
    let fitting = keys.iter().take_while(|hint| {
        used += width(hint);
        used <= columns
    });
    for hint in fitting.collect::<Vec<_>>().into_iter().chain(tail) {
        spans.push(Span::styled(format!(" {}", hint.key), look.key));
        spans.push(Span::styled(format!(" {} ", hint.does), look.dim));
    }
    Line::from(spans)
}
