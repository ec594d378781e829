//! The board: columns of cards in a wide window, otherwise one state at a time under tabs.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::messages::Message;
use svc_core::reactions::{ReactionKind, WorkflowState};

use super::View;
use super::parts::{self, Row};
use super::search::message::{name_style, state_style, state_title};
use crate::state::board::{Areas, Board, Column, STATES};
use crate::state::search::snippet;
use crate::text;

/// Minimum width of a column.
const COLUMN: u16 = 20;
/// Minimum number of columns beside each other. With fewer, one state at a time is easier to read.
const COLUMNS_MIN: u16 = 5;
/// Lines of a card in a column, with the empty line below it.
const CARD: u16 = 4;
/// Lines of a message in a list of the whole width.
const ENTRY: u16 = 2;
/// Lines from which the selected message is shown below.
const MESSAGE_FROM: u16 = 27;

/// Draws the board.
pub(crate) fn draw(board: &mut Board, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    board.areas = Areas::default();
    let [top, rest] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    board.areas.tabs = tabs(board, frame, top, view);
    let Some(columns) = parts::here(frame, rest, &board.columns, view) else { return };
    if columns.iter().all(|column| column.messages.is_empty()) {
        let hint = match board.channel {
            Some(_) => "Messages in a channel with a workflow appear here. / chooses another channel.",
            None => "Messages in channels with a workflow appear here.",
        };
        return parts::centered(frame, rest, "No messages", hint, view);
    }
    let below = if rest.height >= MESSAGE_FROM { rest.height / 3 } else { 0 };
    let [main, below] = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).areas(rest);
    let fitting = main.width / COLUMN;
    if fitting >= COLUMNS_MIN {
        cards(board, frame, main, usize::from(fitting).min(STATES.len()), view);
    } else {
        entries(board, frame, main, view);
    }
    message(board, frame, below, view);
}

/// Draws the states with their totals. Returns their areas.
fn tabs(board: &Board, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) -> Vec<(usize, Rect)> {
    let mut areas = Vec::new();
    let mut x = area.x;
    // In a narrow window the selected state must be visible: it comes first when not all fit.
    let widths = STATES.iter().enumerate().map(|(index, state)| text::width(&tab(board, index, *state)));
    let fits = widths.sum::<usize>() <= usize::from(area.width);
    let first = if fits { 0 } else { board.column };
    for (index, state) in STATES.iter().enumerate().skip(first) {
        let left = area.right().saturating_sub(x);
        let label: String = tab(board, index, *state).chars().take(usize::from(left)).collect();
        let Ok(width) = u16::try_from(label.len()) else { break };
        if width == 0 || area.height == 0 {
            break;
        }
        let place = Rect { x, width, height: 1, ..area };
        let style = if index == board.column { view.look.selected } else { state_style(*state, &view.look) };
        frame.render_widget(Paragraph::new(Span::styled(label, style)), place);
        areas.push((index, place));
        x = place.right();
    }
    areas
}

/// The text of a tab, in ASCII.
fn tab(board: &Board, index: usize, state: WorkflowState) -> String {
    match board.columns.get().and_then(|columns| columns.get(index)) {
        Some(column) => format!(" {} {} ", state_title(state), column.total),
        None => format!(" {} ", state_title(state)),
    }
}

fn cards(board: &mut Board, frame: &mut Frame<'_>, area: Rect, count: usize, view: &View<'_>) {
    board.first = board.first.min(board.column).max((board.column + 1).saturating_sub(count)).min(STATES.len() - count);
    let Some(columns) = board.columns.get() else { return };
    board.areas.card = CARD;
    let places = Layout::horizontal(vec![Constraint::Fill(1); count]).split(area);
    let shown = STATES.iter().zip(columns).enumerate().skip(board.first);
    for (place, (index, (state, column))) in places.iter().zip(shown) {
        let focused = index == board.column;
        let inside = parts::pane(frame, *place, state_title(*state), focused, view);
        board.areas.lists.push((index, inside));
        let [list, rest] = with_rest(inside, column);
        hidden(frame, rest, column, view);
        let Some(selection) = board.selections.get_mut(index) else { continue };
        // The last card needs no empty line below it.
        let visible = selection.visible(column.messages.len(), usize::from((list.height + 1) / CARD));
        let tops = (list.y..list.bottom()).step_by(usize::from(CARD));
        for (y, number) in tops.zip(visible) {
            let Some(message) = column.messages.get(number) else { break };
            let selected = number == selection.index && focused;
            let place = Rect { y, height: (CARD - 1).min(list.bottom() - y), ..list };
            let everywhere = board.channel.is_none();
            let lines = card(message, usize::from(list.width), everywhere, view);
            draw_lines(frame, place, lines, selected, view);
        }
    }
}

fn entries(board: &mut Board, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let Some(columns) = board.columns.get() else { return };
    let (Some(column), Some(state)) = (columns.get(board.column), STATES.get(board.column)) else { return };
    let inside = parts::pane(frame, area, state_title(*state), true, view);
    if column.messages.is_empty() {
        return parts::centered(frame, inside, "No messages", "h and l show the other states.", view);
    }
    board.areas.card = ENTRY;
    let [list, rest] = with_rest(inside, column);
    board.areas.lists.push((board.column, list));
    hidden(frame, rest, column, view);
    let Some(selection) = board.selections.get_mut(board.column) else { return };
    let visible = selection.visible(column.messages.len(), usize::from(list.height / ENTRY));
    let tops = (list.y..list.bottom()).step_by(usize::from(ENTRY));
    for (y, number) in tops.zip(visible) {
        let Some(message) = column.messages.get(number) else { break };
        let lines = entry(message, usize::from(list.width), board.channel.is_none(), view);
        let place = Rect { y, height: ENTRY.min(list.bottom() - y), ..list };
        draw_lines(frame, place, lines, number == selection.index, view);
    }
}

/// The list, and a line for the number of messages that are not in it.
fn with_rest(area: Rect, column: &Column) -> [Rect; 2] {
    let line = u16::from(older(column) > 0 && area.height > CARD);
    Layout::vertical([Constraint::Fill(1), Constraint::Length(line)]).areas(area)
}

fn older(column: &Column) -> i64 {
    column.total.saturating_sub(i64::try_from(column.messages.len()).unwrap_or(i64::MAX))
}

fn hidden(frame: &mut Frame<'_>, area: Rect, column: &Column, view: &View<'_>) {
    let text = text::fit(&format!("{} older not shown", older(column)), usize::from(area.width));
    frame.render_widget(Paragraph::new(Span::styled(text, view.look.dim)), area);
}

fn draw_lines(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'static>>, selected: bool, view: &View<'_>) {
    let style = if selected { view.look.selected } else { Style::new() };
    let shown = |line| if selected { parts::selected(line, &view.look) } else { line };
    let lines: Vec<_> = lines.into_iter().map(shown).collect();
    frame.render_widget(Paragraph::new(lines).style(style), area);
}

/// A message in a column: its sender and time, its beginning, and the channel or the participant who works on it.
fn card(message: &Message, columns: usize, everywhere: bool, view: &View<'_>) -> Vec<Line<'static>> {
    let look = &view.look;
    let when = text::ago(message.created_at, view.now);
    let name = text::fit(&message.from, columns.saturating_sub(text::width(&when) + 1));
    let preview = snippet::preview(&message.body);
    let facts = match (worker(message), &message.channel) {
        _ if message.escalated_at.is_some() => Row::new(columns).part("escalated", look.bad),
        (Some(worker), _) => Row::new(columns).part(&format!("by {worker}"), look.warn),
        (None, Some(channel)) if everywhere => Row::new(columns).part(&format!("#{channel}"), look.accent),
        _ => Row::new(columns),
    };
    let facts = facts.line();
    let mut body = text::wrapped(&preview, columns);
    let rows = if facts.spans.is_empty() { 2 } else { 1 };
    if body.len() > rows {
        let rest = body.split_off(rows - 1).join(" ");
        body.push(text::fit(&rest, columns));
    }
    let mut lines = vec![Row::new(columns).part(&name, name_style(message, view)).right(&when, look.dim).line()];
    lines.extend(body.into_iter().map(|line| Line::styled(line, look.text)));
    if !facts.spans.is_empty() {
        lines.push(facts);
    }
    lines
}

/// A message in a list of the whole width.
fn entry(message: &Message, columns: usize, everywhere: bool, view: &View<'_>) -> Vec<Line<'static>> {
    let look = &view.look;
    let mut row = Row::new(columns).part(&text::fit(&message.from, columns / 3), name_style(message, view));
    if let (Some(channel), true) = (&message.channel, everywhere) {
        row = row.gap(" · ", look.dim).part(&text::fit(&format!("#{channel}"), columns / 3), look.accent);
    }
    row = row.gap(" · ", look.dim).part(&text::ago(message.created_at, view.now), look.dim);
    if let Some(worker) = worker(message) {
        row = row.gap(" · ", look.dim).part(&format!("claimed by {worker}"), look.warn);
    }
    if message.escalated_at.is_some() {
        row = row.gap(" · ", look.dim).part("escalated", look.bad);
    }
    match message.reply_count {
        0 => {}
        1 => row = row.gap(" · ", look.dim).part("1 reply", look.dim),
        count => row = row.gap(" · ", look.dim).part(&format!("{count} replies"), look.dim),
    }
    let preview = text::fit(&snippet::preview(&message.body), columns.saturating_sub(2));
    vec![row.line(), Line::from(vec![Span::raw("  "), Span::styled(preview, look.text)])]
}

/// The handle of the participant who works on a message.
fn worker(message: &Message) -> Option<&str> {
    let claim = message.reactions.iter().find(|reaction| reaction.reaction == ReactionKind::InProgress)?;
    Some(claim.by.as_str())
}

fn message(board: &mut Board, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    if area.height < 4 {
        return;
    }
    let inside = parts::pane(frame, area, "Message", false, view);
    let selected = board.selections.get(board.column).zip(board.columns.get().and_then(|all| all.get(board.column)));
    if let Some(message) = selected.and_then(|(selection, column)| column.messages.get(selection.index)) {
        board.shown.draw(frame, inside, message, view);
    }
}
