//! The machines: the registry, the condition of each machine, and what it reported.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::principals::{RegistryPrincipal, RegistryView};

use super::runs::facts::{self, Cell, Story, below, moment};
use super::runs::words::count;
use super::{View, parts};
use crate::state::machines::{Condition, Machines, condition};
use crate::text;

/// Draws the screen.
pub(crate) fn draw(screen: &mut Machines, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    screen.area = Rect::default();
    let (main, beside) = parts::split(area, view);
    if beside.is_some() || !screen.in_details {
        list(screen, frame, main, view);
    }
    if let Some(area) = beside.or_else(|| screen.in_details.then_some(area)) {
        let inside = parts::pane(frame, area, "Machine", screen.in_details, view);
        if let Some(machine) = screen.selected() {
            let lines = details(machine, usize::from(inside.width), view);
            screen.scroll.height = usize::from(inside.height);
            parts::scrolled(frame, inside, &lines, &mut screen.scroll.offset);
        }
    }
}

fn list(screen: &mut Machines, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let title = match screen.registry.get() {
        Some(registry) if registry.truncated => format!("Machines ({}+)", registry.principals.len()),
        Some(registry) => format!("Machines ({})", registry.principals.len()),
        None => "Machines".to_owned(),
    };
    let inside = parts::pane(frame, area, &title, !screen.in_details, view);
    let Some(registry) = parts::here(frame, inside, &screen.registry, view) else { return };
    let inside = about(registry, frame, inside, view);
    if registry.principals.is_empty() {
        let hint = "A registry file lists machines: svc-admin machines, and docs/machines.md.";
        return parts::centered(frame, inside, "No machines are registered.", hint, view);
    }
    let titles = cells(["CONDITION", "MACHINE", "SEEN", "EVENTS", "MESSAGE"], view);
    screen.area = facts::titles(frame, inside, &titles, view);
    let machines = &registry.principals;
    let row = |index: usize, columns| machines.get(index).map_or_else(Line::default, |one| line(one, columns, view));
    parts::rows(frame, screen.area, &mut screen.list, machines.len(), !screen.in_details, view, row);
}

/// The registry in one row, and the problem with a newer one. Returns the area below.
fn about(registry: &RegistryView, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) -> Rect {
    let (look, columns) = (view.look, usize::from(area.width));
    let mut lines = Vec::new();
    if let Some(problem) = &registry.problem {
        let stays = if registry.registry.is_some() { " (the version before stays active)" } else { "" };
        let text = format!("The registry file was not loaded{stays}: {}", problem.message);
        let rows = text::wrapped(&text::one_line(&text), columns);
        lines.extend(rows.into_iter().take(3).map(|row| Line::styled(row, look.bad)));
    }
    if let Some(loaded) = &registry.registry {
        let facts = format!(
            "{} · {} principals, {} keys · loaded {}{}",
            loaded.audience,
            count(loaded.principals),
            count(loaded.keys),
            text::ago(loaded.loaded_at, view.now),
            loaded.source.as_ref().map_or_else(String::new, |source| format!(" from {source}")),
        );
        lines.push(Line::styled(text::fit(&facts, columns), look.dim));
    }
    let height = u16::try_from(lines.len()).unwrap_or(0);
    if height == 0 || area.height < height.saturating_add(4) {
        return area;
    }
    frame.render_widget(Paragraph::new(lines), Rect { height, ..area });
    below(area, height)
}

fn cells<'c>(texts: [&'c str; 5], view: &View<'_>) -> [Cell<'c>; 5] {
    let [condition, machine, seen, events, message] = texts;
    let (text, dim) = (view.look.text, view.look.dim);
    [(condition, 16, text), (machine, 30, text), (seen, 8, dim), (events, 7, dim), (message, 0, dim)]
}

fn line(machine: &RegistryPrincipal, columns: usize, view: &View<'_>) -> Line<'static> {
    let (glyph, word, style) = sign(machine, view);
    let status = machine.status.as_ref();
    let seen = status.map_or_else(String::new, |status| text::ago(status.seen_at, view.now));
    let events = count(machine.events);
    let message = status.and_then(|status| status.message.as_deref()).unwrap_or_default();
    let condition = format!("{glyph} {word}");
    let mut cells = cells([&condition, &machine.principal_id, &seen, &events, message], view);
    cells[0].2 = style;
    facts::row(&cells, columns)
}

/// The condition as a sign of one column, a word and a style.
fn sign(machine: &RegistryPrincipal, view: &View<'_>) -> (&'static str, String, Style) {
    let look = view.look;
    let state = || machine.status.as_ref().map_or_else(String::new, |status| status.state.replace(['_', '-'], " "));
    match condition(machine, view.now) {
        Condition::NotRegistered => ("–", "Not registered".to_owned(), look.dim),
        Condition::Disabled => ("‖", "Disabled".to_owned(), look.warn),
        Condition::NoKey => ("!", "No active key".to_owned(), look.warn),
        Condition::NeverSeen => ("○", "Never seen".to_owned(), look.dim),
        Condition::Silent => ("✗", "Silent".to_owned(), look.bad),
        Condition::Bad => ("✗", state(), look.bad),
        Condition::Odd => ("!", state(), look.warn),
        Condition::Good => ("●", state(), look.good),
    }
}

fn reason(machine: &RegistryPrincipal, view: &View<'_>) -> String {
    let status = machine.status.as_ref();
    match condition(machine, view.now) {
        Condition::NotRegistered => "Removed from the registry. Its requests are rejected.".to_owned(),
        Condition::Disabled => "Disabled in the registry. Its requests are rejected.".to_owned(),
        Condition::NoKey => "All its keys are revoked.".to_owned(),
        Condition::NeverSeen => "It has not reported a status yet.".to_owned(),
        Condition::Silent => {
            let state = status.map_or("", |status| &status.state);
            format!("Last status: {state}. Its heartbeat is overdue.")
        }
        Condition::Bad | Condition::Odd | Condition::Good => {
            status.and_then(|status| status.message.clone()).unwrap_or_default()
        }
    }
}

fn details(machine: &RegistryPrincipal, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let look = view.look;
    let mut story = Story::new(columns, &look);
    let (glyph, word, style) = sign(machine, view);
    story.text(&text::one_line(&machine.principal_id), look.strong);
    story.line(Line::from(Span::styled(text::fit(&format!("{glyph} {word}"), story.columns()), style)));
    let reason = reason(machine, view);
    if !reason.is_empty() {
        story.text(&text::one_line(&reason), look.text);
    }
    story.line(Line::default());
    if let Some(status) = &machine.status {
        story.fact("Last seen", &moment(status.seen_at, view));
        story.fact("Since", &moment(status.since, view));
        story.fact("Heartbeat", &format!("every {} s; silent after three missed", status.heartbeat_seconds));
        story.fact("Reports", &count(status.beats));
    }
    let last = machine.last_event_at.map_or_else(String::new, |at| format!(", last {}", moment(at, view)));
    story.fact("Events", &format!("{}{last}", count(machine.events)));
    story.fact("Keys", &format!("{} active, {} revoked", machine.active_keys, machine.revoked_keys));
    let scopes: Vec<_> = machine.scopes.iter().map(|scope| scope.as_str()).collect();
    story.fact("Scopes", if scopes.is_empty() { "none".to_owned() } else { scopes.join(", ") }.as_str());
    if !machine.sources.is_empty() {
        story.section("Sources");
        for source in &machine.sources {
            let line = format!("{} v{} · {}", source.source, source.version, moment(source.created_at, view));
            story.text(&text::one_line(&line), look.text);
        }
    }
    story.into_lines()
}
