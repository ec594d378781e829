//! The list of conversations.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Borders, Paragraph};
use svc_core::participants::ParticipantKind;

use super::look::Look;
use super::parts;
use crate::state::conversations::{Conversations, Entry};
use crate::state::screen::{KeyHint, key};
use crate::state::shared::{Connection, Shared};
use crate::text;

/// The keys of the list.
pub(crate) const KEYS: &[KeyHint] = &[
    key("Enter", "open"),
    key("n", "join or write"),
    key("x", "leave"),
    key("u", "next unread"),
    key("Ctrl+K", "palette"),
    key("Tab", "back"),
];

/// A row: a heading or a conversation.
enum Row {
    Heading(&'static str),
    Entry(usize),
}

fn rows(conversations: &Conversations) -> Vec<Row> {
    let entries = conversations.entries();
    let channels = entries.iter().take_while(|entry| entry.partner.is_none()).count();
    let mut rows = Vec::new();
    if channels > 0 {
        rows.push(Row::Heading("Channels"));
        rows.extend((0..channels).map(Row::Entry));
    }
    if channels < entries.len() {
        rows.push(Row::Heading("Direct messages"));
        rows.extend((channels..entries.len()).map(Row::Entry));
    }
    rows
}

/// The conversation at a row of the list on screen.
pub(crate) fn entry_at(conversations: &Conversations, row: usize) -> Option<usize> {
    match rows(conversations).get(conversations.selection.first + row)? {
        Row::Heading(_) => None,
        Row::Entry(index) => Some(*index),
    }
}

/// Draws the list, and returns the area of its rows.
pub(crate) fn draw(shared: &mut Shared, frame: &mut Frame<'_>, area: Rect, focused: bool, look: &Look) -> Rect {
    let border = if focused { look.border_focused } else { look.border };
    let title = format!(" {} ", text::fit(&shared.me, usize::from(area.width).saturating_sub(4)));
    let server = shared.server.trim_start_matches("https://").trim_start_matches("http://");
    let server = format!(" {} ", text::fit(server, usize::from(area.width).saturating_sub(4)));
    let block = Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(border)
        .title(Span::styled(title, look.title))
        .title_bottom(Span::styled(server, look.dim));
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let conversations = &mut shared.conversations;
    let rows = rows(conversations);
    if rows.is_empty() {
        let text = match (conversations.known, &shared.connection) {
            (true, _) => "No conversations yet: n joins a channel.",
            (false, Connection::Lost(_)) => "They are read when the hub can be reached.",
            (false, _) => "Loading …",
        };
        let lines: Vec<_> = text::wrapped(text, usize::from(inside.width))
            .into_iter()
            .map(|line| Line::styled(line, look.dim))
            .collect();
        frame.render_widget(Paragraph::new(lines), inside);
        return inside;
    }
    // The selection counts conversations; the screen counts rows, with headings.
    let chosen = conversations.selection.index;
    let row = rows.iter().position(|row| matches!(row, Row::Entry(index) if *index == chosen)).unwrap_or(0);
    let height = usize::from(inside.height);
    let mut first = conversations.selection.first.min(row.saturating_sub(1)).max((row + 1).saturating_sub(height));
    first = first.min(rows.len().saturating_sub(height));
    conversations.selection.first = first;
    conversations.selection.height = height;
    for (line, row) in rows.iter().skip(first).take(height).enumerate() {
        let place = Rect { y: inside.y + u16::try_from(line).unwrap_or(0), height: 1, ..inside };
        let columns = usize::from(inside.width);
        let drawn = match row {
            Row::Heading(heading) => Line::styled(text::fit(heading, columns), look.dim),
            Row::Entry(index) => {
                let mut line = conversations
                    .entries()
                    .get(*index)
                    .map_or_else(Line::default, |entry| entry_line(entry, columns, look));
                if *index == chosen && focused {
                    line = parts::selected(line, look);
                }
                line
            }
        };
        frame.render_widget(Paragraph::new(drawn), place);
    }
    inside
}

fn entry_line(entry: &Entry, columns: usize, look: &Look) -> Line<'static> {
    let name = entry.place.name();
    let count = match (entry.mentioned(), entry.counted()) {
        (mentions @ 1.., unread) => format!(" @{}", unread.max(mentions)),
        (_, 1..) => format!(" {}", entry.counted()),
        _ if entry.muted() => " muted".to_owned(),
        _ => String::new(),
    };
    let style = if entry.muted() {
        look.dim
    } else if entry.counted() > 0 {
        look.unread
    } else if entry.partner == Some(ParticipantKind::Agent) {
        look.agent
    } else {
        look.text
    };
    let badge = if entry.mentioned() > 0 { look.mention } else { style };
    let room = columns.saturating_sub(text::width(&count) + 2);
    Line::from(vec![
        Span::styled(" ", style),
        Span::styled(text::padded(&name, room), style),
        Span::styled(count, badge),
        Span::styled(" ", style),
    ])
}
