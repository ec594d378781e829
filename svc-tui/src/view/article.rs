//! Picture of an article, of its outline, and of a conflict between two texts.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::wiki::Article;

use super::View;
use super::goals::counted;
use super::look::Look;
use super::parts::{self, Row};
use crate::state::article::{ArticleScreen, Conflict, SaveState, Side, Unsaved, changed};
use crate::text;

/// Columns of the outline.
const OUTLINE: u16 = 30;
/// Most columns of a text: longer lines are hard to read.
const TEXT_MAX: u16 = 100;

/// Draws the screen.
pub(crate) fn draw(screen: &mut ArticleScreen, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    if let Some(unsaved) = &screen.unsaved
        && let Some(conflict) = unsaved.conflict()
    {
        draw_conflict(unsaved, conflict, screen.side, &mut screen.texts, frame, area, view);
        return;
    }
    let banner = u16::from(screen.unsaved.is_some());
    let [above, rest] = Layout::vertical([Constraint::Length(banner), Constraint::Fill(1)]).areas(area);
    if let Some(unsaved) = &screen.unsaved {
        frame.render_widget(Paragraph::new(not_saved(unsaved, usize::from(above.width), &view.look)), above);
    }
    let Some(article) = parts::here(frame, rest, &screen.article, view) else { return };
    let [head, body] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(rest);
    let columns = usize::from(head.width);
    let facts = vec![facts(article, columns, view), Line::styled("─".repeat(columns), view.look.border)];
    frame.render_widget(Paragraph::new(facts), head);
    let with_outline = view.wide && screen.outline.len() > 1;
    let outline = if with_outline { OUTLINE } else { 0 };
    let [main, side] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(outline)]).areas(body);
    let main = Rect { width: main.width.min(TEXT_MAX), ..main };
    if article.body.trim().is_empty() {
        parts::centered(frame, main, "This article is empty.", "E writes it.", view);
        return;
    }
    let columns = usize::from(main.width);
    screen.body.height = usize::from(main.height);
    screen
        .body
        .renew(&(&article.slug, article.revision), columns, || text::markdown(&article.body, columns, &view.look));
    parts::scrolled(frame, main, &screen.body.lines, &mut screen.body.offset);
    locate(&mut screen.outline, &screen.body.lines);
    if with_outline {
        draw_outline(&screen.outline, screen.body.offset, frame, side, view);
    }
}

/// Who changed an article and when, how it is linked, and whether it holds.
fn facts(article: &Article, columns: usize, view: &View<'_>) -> Line<'static> {
    let look = &view.look;
    let row = Row::new(columns);
    let row = match (&article.verified_by, article.verified_at) {
        _ if article.is_stale => row.part("! stale: it has to be verified again", look.warn),
        (Some(by), Some(at)) => row.part(&format!("✓ verified by @{by}, {}", text::ago(at, view.now)), look.good),
        _ => row.part("not verified", look.dim),
    };
    let row = row
        .gap(" · ", look.dim)
        .part(
            &format!(
                "revision {} by @{}, {}",
                article.revision,
                article.updated_by,
                text::ago(article.updated_at, view.now)
            ),
            look.text,
        )
        .gap(" · ", look.dim)
        .part(&counted(article.backlink_count, "backlink", "backlinks"), look.text);
    match article.protected {
        Some(_) => row.gap(" · ", look.dim).part("only humans change it", look.dim).line(),
        None => row.line(),
    }
}

fn not_saved(unsaved: &Unsaved, columns: usize, look: &Look) -> Line<'static> {
    let row = Row::new(columns);
    match &unsaved.state {
        SaveState::Saving => row.part("Saving …", look.dim).line(),
        SaveState::Kept | SaveState::Conflict(_) => {
            row.part("Your text of last time is not saved: E continues, R saves it, x discards it", look.warn).line()
        }
        SaveState::Failed(reason) => row
            .part("Not saved: E continues, R tries again, x discards", look.warn)
            .gap(" · ", look.dim)
            .part(reason, look.bad)
            .line(),
    }
}

/// Finds the line of each heading on the screen, in order. A heading that is not found has the line of the one before.
fn locate(outline: &mut [(usize, String, usize)], lines: &[Line<'static>]) {
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    let plain: Vec<_> = lines
        .iter()
        .map(|line| letters(&line.spans.iter().map(|span| span.content.as_ref()).collect::<String>()))
        .collect();
    let mut from = 0;
    for (_, heading, at) in outline {
        let heading = letters(heading);
        // A long heading goes on in the next line.
        let is_heading = |line: &String| !line.is_empty() && heading.starts_with(line.as_str());
        let exact = plain.iter().skip(from).position(|line| *line == heading && !heading.is_empty());
        let found = exact.or_else(|| plain.iter().skip(from).position(is_heading));
        if let Some(found) = found {
            from += found;
            *at = from;
            from += 1;
        } else {
            *at = from.saturating_sub(1);
        }
    }
}

fn draw_outline(outline: &[(usize, String, usize)], offset: usize, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let inside = parts::pane(frame, area, "Outline", false, view);
    let columns = usize::from(inside.width);
    let height = usize::from(inside.height);
    let current = outline.iter().rposition(|(_, _, line)| *line <= offset).unwrap_or(0);
    let first = (current + 1).saturating_sub(height);
    let lines: Vec<_> = outline
        .iter()
        .enumerate()
        .skip(first)
        .take(height)
        .map(|(index, (level, heading, _))| {
            let indent = level.saturating_sub(1).min(4) * 2;
            let style = if index == current { view.look.strong } else { view.look.dim };
            let heading = text::fit(heading, columns.saturating_sub(indent));
            Line::from(vec![Span::raw(" ".repeat(indent.min(columns))), Span::styled(heading, style)])
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), inside);
}

fn draw_conflict(
    unsaved: &Unsaved,
    conflict: &Conflict,
    side: Side,
    texts: &mut [crate::state::rendered::Rendered; 2],
    frame: &mut Frame<'_>,
    area: Rect,
    view: &View<'_>,
) {
    let look = &view.look;
    let [head, body] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    let columns = usize::from(head.width);
    let when = text::ago(conflict.updated_at, view.now);
    let lines = vec![
        Row::new(columns)
            .part("Another change was saved first", look.bad)
            .gap(" · ", look.dim)
            .part(&format!("@{}, revision {}, {when}", conflict.updated_by, conflict.revision), look.text)
            .line(),
        Row::new(columns)
            .part("E merges both in the editor", look.key)
            .gap(" · ", look.dim)
            .part("o overwrites with yours", look.text)
            .gap(" · ", look.dim)
            .part("x discards yours", look.text)
            .line(),
    ];
    frame.render_widget(Paragraph::new(lines), head);
    let both = view.wide;
    let [left, right] = if both {
        Layout::horizontal([Constraint::Percentage(50), Constraint::Percentage(50)]).areas(body)
    } else {
        [body, body]
    };
    let theirs = format!("Theirs: revision {}", conflict.revision);
    let yours = format!("Yours, from revision {}", unsaved.base_revision);
    let other = if both { "" } else { "  (← → the other)" };
    let sides =
        [(Side::Theirs, left, theirs, conflict.body.as_str()), (Side::Yours, right, yours, unsaved.text.as_str())];
    for ((which, area, title, source), text) in sides.into_iter().zip(texts) {
        if !both && which != side {
            continue;
        }
        let inside = parts::pane(frame, area, &format!("{title}{other}"), which == side, view);
        let columns = usize::from(inside.width);
        let key = (conflict.revision, source.len(), unsaved.base_revision);
        text.renew(&key, columns, || source_lines(&unsaved.base, source, columns, look));
        text.height = usize::from(inside.height);
        parts::scrolled(frame, inside, &text.lines, &mut text.offset);
    }
}

/// The lines of a text, with a mark at those that are not in the base.
fn source_lines(base: &str, source: &str, columns: usize, look: &Look) -> Vec<Line<'static>> {
    let columns = columns.saturating_sub(2);
    let mut lines = Vec::new();
    for (line, is_changed) in source.lines().zip(changed(base, source)) {
        let (mark, style) = if is_changed { ("+ ", look.accent) } else { ("  ", look.text) };
        for (index, part) in text::wrapped(&text::clean(line), columns).into_iter().enumerate() {
            let mark = if index == 0 { mark } else { "  " };
            lines.push(Line::from(vec![Span::styled(mark, style), Span::styled(part, style)]));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_found_in_order() {
        let lines: Vec<_> =
            ["Steps are these", "# Steps", "", "text", "## A very long", "heading", "# Steps"].map(Line::from).into();
        let mut outline =
            [(1, "Steps".to_owned(), 0), (2, "A very `long` heading".to_owned(), 0), (1, "Steps".to_owned(), 0)];
        locate(&mut outline, &lines);
        assert_eq!(outline.map(|(_, _, line)| line), [1, 4, 6]);
    }
}
