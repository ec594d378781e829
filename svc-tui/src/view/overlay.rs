//! Questions over the screen: menus, prompts, the keys, and the palette. Each is a box in the middle.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

use super::View;
use super::parts::{self, Row};
use crate::state::overlay::{Menu, Overlay, Prompt};
use crate::state::palette::Palette;
use crate::state::screen::{KeyHint, key};
use crate::text;

/// Keys that work on every screen.
pub(crate) const GLOBAL_KEYS: &[KeyHint] = &[
    key("Ctrl+K", "palette"),
    key("/", "search or filter"),
    key("? F1", "these keys"),
    key("Esc", "back"),
    key("Tab", "conversations"),
    key("u", "next unread"),
    key("↑↓ j k", "move"),
    key("←→ h l", "close, open"),
    key("PgUp PgDn", "page"),
    key("g g, G", "top, bottom"),
    key("g t, g c", "today, conversations"),
    key("g b, g s", "board, search"),
    key("g a, g r", "agents, runs"),
    key("g o, g w", "goals, wiki"),
    key("g d, g m", "dead letters, machines"),
    key("Ctrl+R", "read again"),
    key("q, Ctrl+C", "quit"),
];

/// Columns from which the help has two columns.
const TWO_COLUMNS_FROM: u16 = 60;
/// Columns of a key in the help.
const KEY: usize = 11;

/// Draws a question over the screen.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, overlay: &mut Overlay, screen_keys: &[KeyHint], view: &View<'_>) {
    match overlay {
        Overlay::Menu(menu) => draw_menu(frame, area, menu, view),
        Overlay::Prompt(prompt) => draw_prompt(frame, area, prompt, view),
        Overlay::Help => draw_help(frame, area, screen_keys, view),
        Overlay::Palette(palette) => draw_palette(frame, area, palette, view),
    }
}

/// Clears a box in the middle and draws its border. Returns its inside. It is never larger than the area.
fn boxed(frame: &mut Frame<'_>, area: Rect, (columns, rows): (usize, usize), title: &str, view: &View<'_>) -> Rect {
    let width = u16::try_from(columns).unwrap_or(u16::MAX).saturating_add(2).min(area.width);
    let height = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(2).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        // A little above the middle, where the eye looks first.
        y: area.y + (area.height - height) / 3,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    parts::pane(frame, place, title, true, view)
}

fn draw_menu(frame: &mut Frame<'_>, area: Rect, menu: &Menu, view: &View<'_>) {
    let longest = menu.items.iter().map(|(_, item)| text::width(item) + 4).max().unwrap_or(0);
    let question = text::clean(&menu.title);
    // A long question is wrapped above the items; a short one is the title.
    let short = text::width(&question) <= 56 && !question.contains('\n');
    let columns = longest.max(if short { text::width(&question) + 4 } else { 60 }).clamp(24, 72);
    let columns = columns.min(usize::from(area.width.saturating_sub(2)));
    let asked = if short { Vec::new() } else { text::wrapped(&question, columns) };
    let asked: Vec<_> = asked.into_iter().take(8).map(Line::from).collect();
    let rows = asked.len() + menu.items.len();
    let inside = boxed(frame, area, (columns, rows), if short { &question } else { "" }, view);
    let above = u16::try_from(asked.len()).unwrap_or(0);
    let [top, list] = Layout::vertical([Constraint::Max(above), Constraint::Fill(1)]).areas(inside);
    frame.render_widget(Paragraph::new(asked), top);
    let mut selection = crate::state::list::Selection { index: menu.selected, ..Default::default() };
    parts::rows(frame, list, &mut selection, menu.items.len(), true, view, |index, columns| {
        let Some((letter, item)) = menu.items.get(index) else { return Line::default() };
        Row::new(columns)
            .part(&letter.to_string(), view.look.key)
            .gap("  ", view.look.text)
            .part(item, view.look.text)
            .line()
    });
}

fn draw_prompt(frame: &mut Frame<'_>, area: Rect, prompt: &Prompt, view: &View<'_>) {
    let columns = (text::width(&prompt.title) + 4).clamp(50, 76);
    let inside = boxed(frame, area, (columns, 2), &prompt.title, view);
    let [field, hint] = Layout::vertical([Constraint::Length(1), Constraint::Length(1)]).areas(inside);
    parts::field(frame, field, &prompt.editor, true, view);
    hints(frame, hint, &[key("Enter", "accepts"), key("Esc", "cancels")], view);
}

fn hints(frame: &mut Frame<'_>, area: Rect, keys: &[KeyHint], view: &View<'_>) {
    let row = keys.iter().fold(Row::new(usize::from(area.width)), |row, hint| {
        row.gap("  ", view.look.dim)
            .part(hint.key, view.look.key)
            .gap(" ", view.look.dim)
            .part(hint.does, view.look.dim)
    });
    frame.render_widget(Paragraph::new(row.line()), area);
}

fn draw_help(frame: &mut Frame<'_>, area: Rect, screen_keys: &[KeyHint], view: &View<'_>) {
    let two = area.width >= TWO_COLUMNS_FROM;
    let rows = if two { screen_keys.len().max(GLOBAL_KEYS.len()) } else { screen_keys.len() + 2 + GLOBAL_KEYS.len() };
    let columns = if two { 70 } else { 36 };
    let inside = boxed(frame, area, (columns, rows + 1), "Keys", view);
    let lines = |title: &'static str, keys: &[KeyHint], columns: usize| {
        let heading = Line::styled(text::fit(title, columns), view.look.heading);
        let keys = keys.iter().map(|hint| key_line(*hint, columns, view));
        std::iter::once(heading).chain(keys).collect::<Vec<_>>()
    };
    if two {
        let [left, right] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).spacing(2).areas(inside);
        frame.render_widget(Paragraph::new(lines("This screen", screen_keys, usize::from(left.width))), left);
        frame.render_widget(Paragraph::new(lines("Everywhere", GLOBAL_KEYS, usize::from(right.width))), right);
    } else {
        let columns = usize::from(inside.width);
        let mut all = lines("This screen", screen_keys, columns);
        all.push(Line::default());
        all.extend(lines("Everywhere", GLOBAL_KEYS, columns));
        frame.render_widget(Paragraph::new(all), inside);
    }
}

fn key_line(hint: KeyHint, columns: usize, view: &View<'_>) -> Line<'static> {
    let name = text::padded(hint.key, KEY.min(columns));
    let does = text::fit(hint.does, columns.saturating_sub(text::width(&name)));
    Line::from(vec![Span::styled(name, view.look.key), Span::styled(does, view.look.text)])
}

fn draw_palette(frame: &mut Frame<'_>, area: Rect, palette: &mut Palette, view: &View<'_>) {
    // The height does not follow the number of matches: the box must not jump while one types.
    let inside = boxed(frame, area, (64, 16), "Go to", view);
    let [field, line, list] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1)]).areas(inside);
    parts::field(frame, field, &palette.editor, true, view);
    let rule = "─".repeat(usize::from(line.width));
    frame.render_widget(Paragraph::new(Span::styled(rule, view.look.border)), line);
    palette.area = list;
    let matches = &palette.matches;
    parts::rows(frame, list, &mut palette.selected, matches.len(), true, view, |index, columns| {
        let Some(item) = matches.get(index) else { return Line::default() };
        let style = if item.unread { view.look.unread } else { view.look.text };
        let kind = text::width(&item.kind) + 1;
        let name = text::fit(&item.name, columns.saturating_sub(kind).max(columns / 2));
        Row::new(columns).part(&name, style).right(&item.kind, view.look.dim).line()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_fits_a_small_window() {
        assert!(GLOBAL_KEYS.len() + 3 <= 20);
        for hint in GLOBAL_KEYS {
            assert!(text::width(hint.key) < KEY, "{}", hint.key);
        }
    }
}
