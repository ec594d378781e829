//! Picture of the articles of the wiki.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::wiki::{ArticlePage, ArticleSummary};

use super::View;
use super::goals::{count, counted};
use super::look::Look;
use super::parts::{self, Row};
use crate::state::wiki::{NewText, Wiki};
use crate::text;

/// Draws the screen.
pub(crate) fn draw(screen: &mut Wiki, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    screen.area = Rect::default();
    let banner = u16::from(screen.unsaved.is_some());
    let [field, unsaved, below] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(banner), Constraint::Fill(1)]).areas(area);
    head(screen, frame, field, view);
    if let Some(new) = &screen.unsaved {
        let line = not_saved(new, usize::from(unsaved.width), &view.look);
        frame.render_widget(Paragraph::new(line), unsaved);
    }
    let (main, side) = parts::split(below, view);
    let Some(page) = parts::here(frame, main, &screen.articles, view) else { return };
    if page.articles.is_empty() {
        let (title, hint) = if screen.filter.text().trim().is_empty() {
            ("The wiki is empty.", "n writes the first article.")
        } else {
            ("No article matches.", "Esc shows all articles.")
        };
        parts::centered(frame, main, title, hint, view);
        return;
    }
    let articles = &page.articles;
    screen.area = main;
    parts::rows(frame, main, &mut screen.selection, articles.len(), !screen.typing, view, |index, columns| {
        articles.get(index).map_or_else(Line::default, |article| row(article, columns, view))
    });
    let Some((side, article)) = side.zip(articles.get(screen.selection.index)) else { return };
    let inside = parts::pane(frame, side, &article.title, false, view);
    let columns = usize::from(inside.width);
    let minute = view.now.as_micros() / 60_000_000;
    let key = (&article.slug, article.revision, &article.snippet, article.verified_at, article.backlink_count, minute);
    screen.details.renew(&key, columns, || details(article, columns, view));
    screen.details.height = usize::from(inside.height);
    parts::scrolled(frame, inside, &screen.details.lines, &mut screen.details.offset);
}

/// The line of the filter: the text that is searched for, and how much was found.
fn head(screen: &Wiki, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let look = &view.look;
    let text = screen.filter.text();
    if !screen.typing && text.is_empty() {
        let line = Row::new(usize::from(area.width)).part("The latest changes first", look.dim);
        frame.render_widget(Paragraph::new(line.gap(" · ", look.dim).part("/ searches", look.dim).line()), area);
        return;
    }
    let found = match (&screen.problem, screen.articles.get()) {
        (Some(problem), _) => text::one_line(problem),
        (None, _) if screen.is_reading() => "…".to_owned(),
        (None, Some(page)) => total(page),
        (None, None) => String::new(),
    };
    let found = text::fit(&found, usize::from(area.width) / 2);
    let width = u16::try_from(text::width(&found)).unwrap_or(0);
    let [mark, field, _, right] = Layout::horizontal([
        Constraint::Length(2),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(width),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(Span::styled("/", look.key)), mark);
    parts::field(frame, field, &screen.filter, screen.typing, view);
    frame.render_widget(Paragraph::new(Span::styled(found, look.dim)), right);
}

fn total(page: &ArticlePage) -> String {
    let Some(total) = page.total else { return String::new() };
    let found = counted(total, "article", "articles");
    if page.partial { format!("{found} or more") } else { found }
}

fn not_saved(new: &NewText, columns: usize, look: &Look) -> Line<'static> {
    let title = text::fit(&new.title, 30);
    match &new.failed {
        None => Row::new(columns).part(&format!("Saving “{title}” …"), look.dim).line(),
        Some(reason) => Row::new(columns)
            .part("E continues, R tries again, x discards", look.warn)
            .gap(" · ", look.dim)
            .part(&format!("“{title}” is not saved: {reason}"), look.bad)
            .line(),
    }
}

/// The mark of an article: stale, verified, or neither.
fn mark(article: &ArticleSummary, look: &Look) -> (&'static str, Style) {
    match (article.is_stale, article.verified_at) {
        (true, _) => ("!", look.warn),
        (false, Some(_)) => ("✓", look.good),
        (false, None) => (" ", look.dim),
    }
}

fn row(article: &ArticleSummary, columns: usize, view: &View<'_>) -> Line<'static> {
    let look = &view.look;
    let (glyph, style) = mark(article, look);
    let (author, when, links) = (16, 9, 6);
    let mut left = columns.saturating_sub(2);
    let mut right = Vec::new();
    if columns >= 50 {
        let text = if article.is_stale { "stale" } else { "" };
        left -= 6;
        right.push(Span::styled(text::padded(text, 6), look.warn));
    }
    if columns >= 74 {
        let text =
            if article.backlink_count > 0 { format!("← {}", count(article.backlink_count)) } else { String::new() };
        left -= links;
        right.push(Span::styled(text::padded(&text, links), look.dim));
    }
    if columns >= 60 {
        left -= author;
        right.push(Span::styled(text::padded(&format!("@{}", article.updated_by), author), look.dim));
    }
    if columns >= 36 {
        left -= when;
        right.push(Span::styled(text::padded(&text::ago(article.updated_at, view.now), when), look.dim));
    }
    let middle = left.saturating_sub(1);
    let words = Row::new(middle).part(&article.title, look.text);
    let words = match &article.snippet {
        Some(snippet) => words.gap("  ", look.dim).part(&plain(snippet), look.dim).line(),
        None => words.line(),
    };
    let used: usize = words.spans.iter().map(|span| text::width(&span.content)).sum();
    let mut spans = vec![Span::styled(glyph, style), Span::raw(" ")];
    spans.extend(words.spans);
    spans.push(Span::raw(" ".repeat(middle.saturating_sub(used) + 1)));
    spans.extend(right);
    Line::from(spans)
}

fn details(article: &ArticleSummary, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let look = &view.look;
    let mut lines = Vec::new();
    let mut fact = |name: &str, value: &str, style: Style| {
        lines.push(Row::new(columns).part(name, look.dim).gap(": ", look.dim).part(value, style).line());
    };
    fact("Slug", &article.slug, look.text);
    let changed = format!("{} by @{}", text::ago(article.updated_at, view.now), article.updated_by);
    fact("Changed", &changed, look.text);
    fact("Revision", &article.revision.to_string(), look.text);
    fact("Size", &counted(article.size, "byte", "bytes"), look.text);
    fact("Linked from", &counted(article.backlink_count, "article", "articles"), look.text);
    if let Some(verified) = article.verified_at {
        fact("Verified", &text::ago(verified, view.now), look.good);
    }
    if article.is_stale {
        fact("Stale", "it has to be verified again", look.warn);
    }
    if article.protected.is_some() {
        fact("Protected", "only humans change it", look.text);
    }
    if let Some(snippet) = &article.snippet {
        lines.push(Line::default());
        lines.extend(text::wrap_spans(marked(snippet, look), columns, ""));
    }
    lines
}

/// The text of a snippet without its marks.
fn plain(snippet: &str) -> String {
    parts_of(snippet).into_iter().map(|(part, _)| part).collect()
}

/// The text of a snippet with the matches in another style.
fn marked(snippet: &str, look: &Look) -> Vec<Span<'static>> {
    let style = |is_match: bool| if is_match { look.mention } else { look.text };
    parts_of(snippet).into_iter().map(|(part, is_match)| Span::styled(text::clean(&part), style(is_match))).collect()
}

/// The parts of a snippet, and whether each is a match. A snippet is HTML with `<mark>` as its only element.
fn parts_of(snippet: &str) -> Vec<(String, bool)> {
    let mut parts = Vec::new();
    for (index, piece) in snippet.split("<mark>").enumerate() {
        match piece.split_once("</mark>").filter(|_| index > 0) {
            Some((found, rest)) => parts.extend([(unescaped(found), true), (unescaped(rest), false)]),
            None => parts.push((unescaped(piece), false)),
        }
    }
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

fn unescaped(html: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&")];
    entities.into_iter().fold(html.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_has_matches() {
        let parts = parts_of("a &lt;b&gt; <mark>de&amp;ploy</mark> &amp;lt;");
        let expected = [("a <b> ", false), ("de&ploy", true), (" &lt;", false)];
        assert_eq!(parts, expected.map(|(part, is_match)| (part.to_owned(), is_match)));
        assert_eq!(plain("<mark>x"), "x");
    }
}
