//! The search: the field at the top, the hits with two lines each, and the message of the selected hit.

pub(crate) mod message;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::messages::MessageStatus;
use svc_core::search::SearchHit;
use unicode_segmentation::UnicodeSegmentation;

use super::View;
use super::parts::{self, Row};
use crate::state::search::snippet::{self, Piece};
use crate::state::search::{Focus, Found, Search};
use crate::text;

/// Lines of a hit.
const HIT: u16 = 2;

/// Examples of the syntax, with their meanings.
const EXAMPLES: &[(&str, &str)] = &[
    ("deploy failed", "Both words"),
    ("\"build failed\"", "Exact phrase"),
    ("deploy -flaky", "Excludes a word"),
    ("migrat*", "Words that start with this"),
    ("in:general", "In a channel; -in: excludes it"),
    ("from:reviewer", "From a person or agent"),
    ("has:attachment", "Also has:reaction, has:mention"),
    ("is:proposed", "In a workflow state"),
    ("after:2026-01-31", "From a day on; also before:"),
    ("sort:newest", "The newest first"),
];

/// Draws the search.
pub(crate) fn draw(search: &mut Search, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let [top, rest] = Layout::vertical([Constraint::Length(3), Constraint::Fill(1)]).areas(area);
    let field = parts::pane(frame, top, "Search messages", search.focus == Focus::Field, view);
    search.field_area = top;
    parts::field(frame, field, &search.editor, search.focus == Focus::Field, view);

    search.list_area = Rect::default();
    if !search.is_asked() {
        return tips(frame, rest, view);
    }
    let (main, details) = parts::split(rest, view);
    if details.is_none() && search.focus == Focus::Message {
        return message(search, frame, main, view);
    }
    hits(search, frame, main, view);
    if let Some(details) = details {
        message(search, frame, details, view);
    }
}

fn tips(frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let inside = parts::pane(frame, area, "Search tips", false, view);
    let columns = usize::from(inside.width);
    let lines: Vec<_> = EXAMPLES
        .iter()
        .map(|(example, meaning)| {
            let example = format!("{example:<20}");
            let shown = example.chars().take(columns).collect::<String>();
            let left = columns.saturating_sub(text::width(&shown));
            Line::from(vec![Span::styled(shown, view.look.code), Span::styled(text::fit(meaning, left), view.look.dim)])
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), inside);
}

fn hits(search: &mut Search, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let title = match search.found.get() {
        _ if search.is_loading() => "Searching …".to_owned(),
        Some(found) => total(found),
        None => "Results".to_owned(),
    };
    let inside = parts::pane(frame, area, &title, search.focus == Focus::Hits, view);
    let Some(found) = parts::here(frame, inside, &search.found, view) else { return };
    if found.hits.is_empty() {
        let (title, hint) = if found.is_partial {
            ("No results yet", "More messages may match. Add a word, a channel or a date, and search again.")
        } else {
            ("No results", "A message must contain all words. Try fewer words or filters, or a prefix such as migrat*.")
        };
        return parts::centered(frame, inside, title, hint, view);
    }
    search.list_area = inside;
    let visible = search.selection.visible(found.hits.len(), usize::from(inside.height / HIT));
    let columns = usize::from(inside.width);
    let places = (inside.y..inside.bottom()).step_by(usize::from(HIT));
    for (y, index) in places.zip(visible) {
        let Some(hit) = found.hits.get(index) else { break };
        let place = Rect { y, height: HIT, ..inside };
        let selected = index == search.selection.index;
        let (head, body) =
            (head(hit, columns.saturating_sub(2), view), snippet_line(hit, columns.saturating_sub(2), view));
        let focused = selected && search.focus == Focus::Hits;
        let style = if focused { view.look.selected } else { Style::new() };
        let mark = if selected { "▌ " } else { "  " };
        let lines = [head, body].map(|line| marked(mark, line, focused, view));
        frame.render_widget(Paragraph::new(lines.to_vec()).style(style), place);
    }
}

/// A line after a mark of the selection. In the selected row other styles give way to it.
fn marked(mark: &'static str, line: Line<'static>, selected: bool, view: &View<'_>) -> Line<'static> {
    let mut spans = vec![Span::styled(mark, view.look.accent)];
    spans.extend(line.spans);
    if selected { parts::selected(Line::from(spans), &view.look) } else { Line::from(spans) }
}

fn total(found: &Found) -> String {
    let noun = if found.total == 1 && found.is_exact { "message" } else { "messages" };
    let more = if found.is_exact { "" } else { "+" };
    let note = if found.is_partial { " so far: the search timed out" } else { "" };
    format!("{}{more} {noun}{note}", grouped(found.total))
}

/// A number with commas between groups of three digits.
fn grouped(number: i64) -> String {
    let digits = number.max(0).to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The place, the sender and the time of a hit.
fn head(hit: &SearchHit, columns: usize, view: &View<'_>) -> Line<'static> {
    let (message, look) = (&hit.message, &view.look);
    let mut row = Row::new(columns)
        .part(&text::fit(&message::place(message), columns / 3), look.accent)
        .gap(" · ", look.dim)
        .part(&text::fit(&message.from, columns / 3), message::name_style(message, view))
        .gap(" · ", look.dim)
        .part(&text::ago(message.created_at, view.now), look.dim);
    if let Some(state) = message.workflow_state {
        row = row.gap(" · ", look.dim).part(message::state_title(state), message::state_style(state, look));
    }
    if message.status == MessageStatus::Failed {
        row = row.gap(" · ", look.dim).part("failed", look.bad);
    }
    match message.attachments.len() {
        0 => {}
        1 => row = row.gap(" · ", look.dim).part("1 file", look.dim),
        count => row = row.gap(" · ", look.dim).part(&format!("{count} files"), look.dim),
    }
    if !message.subject.is_empty() {
        row = row.gap(" · ", look.dim).part(&message.subject, look.strong);
    }
    row.line()
}

fn snippet_line(hit: &SearchHit, columns: usize, view: &View<'_>) -> Line<'static> {
    let spans = cut(&snippet::read(&hit.snippet), columns)
        .into_iter()
        .map(|piece| Span::styled(piece.text, if piece.marked { view.look.mention } else { view.look.text }));
    Line::from(spans.collect::<Vec<_>>())
}

/// Cuts pieces to a number of columns, so that the first found word is within them.
fn cut(pieces: &[Piece], columns: usize) -> Vec<Piece> {
    let first = pieces.iter().position(|piece| piece.marked).unwrap_or(0);
    let lead: usize = pieces.iter().take(first + 1).map(|piece| text::width(&piece.text)).sum();
    let mut left = columns;
    let mut shown = Vec::new();
    let mut skipped = 0;
    if first > 0 && lead > columns && columns > 0 {
        // A third of the line is for the text before the word.
        let before: String = pieces.iter().take(first).map(|piece| piece.text.as_str()).collect();
        let tail = tail(before.trim_end_matches('…'), (columns / 3).saturating_sub(1));
        let text = format!("…{tail}");
        left = left.saturating_sub(text::width(&text));
        skipped = first;
        shown.push(Piece { text, marked: false });
    }
    for piece in pieces.iter().skip(skipped) {
        let width = text::width(&piece.text);
        if width <= left {
            left -= width;
            shown.push(piece.clone());
            continue;
        }
        if left > 0 {
            let text = format!("{}…", beginning(&piece.text, left - 1));
            shown.push(Piece { text, marked: piece.marked });
        }
        break;
    }
    shown
}

/// The beginning of a text within a number of columns.
fn beginning(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (start, cluster) in text.grapheme_indices(true) {
        used += text::width(cluster);
        if used > columns {
            return text.get(..start).unwrap_or_default();
        }
    }
    text
}

/// The end of a text within a number of columns.
fn tail(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (start, cluster) in text.grapheme_indices(true).rev() {
        used += text::width(cluster);
        if used > columns {
            return text.get(start + cluster.len()..).unwrap_or_default();
        }
    }
    text
}

fn message(search: &mut Search, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let inside = parts::pane(frame, area, "Message", search.focus == Focus::Message, view);
    let hit = search.found.get().and_then(|found| found.hits.get(search.selection.index));
    if let Some(hit) = hit {
        search.shown.draw(frame, inside, &hit.message, view);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(text: &str, marked: bool) -> Piece {
        Piece { text: text.to_owned(), marked }
    }

    #[test]
    fn the_first_found_word_is_on_the_line_at_any_width() {
        let pieces =
            [piece("…a long text before the word that was ", false), piece("found", true), piece(" and after", false)];
        for columns in 0..80 {
            let shown = cut(&pieces, columns);
            let width: usize = shown.iter().map(|piece| text::width(&piece.text)).sum();
            assert!(width <= columns, "{columns}: {shown:?}");
            if columns >= 10 {
                assert!(shown.iter().any(|piece| piece.marked && piece.text == "found"), "{columns}: {shown:?}");
            }
        }
        assert_eq!(cut(&pieces, 80), pieces);
    }

    #[test]
    fn totals_have_groups_of_digits() {
        assert_eq!(["7", "1,000", "1,234,567"].map(str::to_owned), [7, 1000, 1_234_567].map(grouped));
    }
}
