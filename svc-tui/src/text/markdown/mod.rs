//! Markdown of messages and articles, as lines for the screen.
//!
//! Invariants: the text is cleaned before it is parsed and again after entities are decoded, so that `&#27;` is no
//! escape. No line is wider than the columns. HTML is shown as it is written. Size is limited: 64 KiB of source, 2,000
//! lines of output, and a number of parser events that no honest text reaches.

mod block;
mod inline;
mod link;
mod page;

use pulldown_cmark::{Event, Options, Parser, TextMergeStream};
use ratatui::text::{Line, Span};

pub(crate) use self::link::links;
use super::clean::clean;
use super::wrap::fit;
use crate::view::look::Look;

/// Maximum size of the rendered source, in bytes.
const SOURCE_MAX: usize = 64 * 1024;
/// Maximum number of rendered lines.
const LINES_MAX: usize = 2_000;
/// Maximum number of events of the parser. Tables may have many more cells than characters.
const EVENTS_MAX: usize = 300_000;

/// Renders Markdown for a number of columns. A line at the end says how many more there are, if the text is cut.
pub(crate) fn markdown(source: &str, columns: usize, look: &Look) -> Vec<Line<'static>> {
    let (head, mut beyond) = cut(source);
    let text = clean(head);
    let mut block = block::Renderer::new(columns.max(1), look);
    let mut events = events(&text);
    for event in events.by_ref().take(EVENTS_MAX) {
        block.event(event);
    }
    if events.next().is_some() {
        beyond += 1;
    }
    let (mut lines, more) = block.finish();
    beyond += more;
    if beyond > 0 {
        let noun = if beyond == 1 { "line" } else { "lines" };
        lines.push(Line::from(Span::styled(fit(&format!("… {beyond} more {noun}"), columns.max(1)), look.dim)));
    }
    lines
}

/// The events of a clean text.
fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    TextMergeStream::new(Parser::new_ext(text, options))
}

/// The beginning of a source that is rendered, up to the end of a line if possible, and the number of lines after it.
fn cut(source: &str) -> (&str, usize) {
    if source.len() <= SOURCE_MAX {
        return (source, 0);
    }
    let head = source.get(..source.floor_char_boundary(SOURCE_MAX)).unwrap_or_default();
    let head = head.rfind('\n').and_then(|end| head.get(..end)).unwrap_or(head);
    let rest = source.get(head.len()..).unwrap_or_default();
    (head, rest.strip_prefix('\n').unwrap_or(rest).lines().count())
}

#[cfg(test)]
mod tests;
