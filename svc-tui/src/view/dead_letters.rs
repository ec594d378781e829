//! Dead letters and deliveries in two tabs, with the details of the selected one.

mod deliveries;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use svc_core::dead_letters::{DeadLetter, DeadLetterKind};
use svc_core::webhooks::DeliveryDetails;

use super::runs::facts::{self, Cell, Story, moment};
use super::{View, parts};
use crate::state::dead_letters::{DeadLetters, Tab};
use crate::state::loaded::Loaded;
use crate::text;

/// Microseconds after which the texts of times are made again.
const STEP: i64 = 15_000_000;

/// Draws the screen.
pub(crate) fn draw(screen: &mut DeadLetters, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    screen.wide = view.wide;
    screen.area = Rect::default();
    let letters = if screen.total > 0 { format!("Dead letters {}", screen.total) } else { "Dead letters".to_owned() };
    let area = facts::tabs(frame, area, &[&letters, "Deliveries"], usize::from(screen.tab == Tab::Deliveries), view);
    let (main, beside) = parts::split(area, view);
    if beside.is_some() || !screen.in_details {
        match screen.tab {
            Tab::Letters => list(screen, frame, main, view),
            Tab::Deliveries => deliveries::lists(screen, frame, main, view),
        }
    }
    let Some(area) = beside.or_else(|| screen.in_details.then_some(area)) else { return };
    let title = match screen.tab {
        Tab::Letters => "Dead letter",
        Tab::Deliveries if screen.deliveries.opened.is_none() => "Webhook",
        Tab::Deliveries => "Delivery",
    };
    let inside = parts::pane(frame, area, title, screen.in_details, view);
    let columns = usize::from(inside.width);
    let mut lines = std::mem::take(&mut screen.lines);
    let told = lines.get(columns, view.now.as_micros().div_euclid(STEP), || details(screen, columns, view));
    parts::scrolled(frame, inside, told, &mut screen.scroll.offset);
    screen.scroll.height = usize::from(inside.height);
    screen.lines = lines;
}

fn list(screen: &mut DeadLetters, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let inside = parts::pane(frame, area, "Dead letters", !screen.in_details, view);
    let Some(letters) = parts::here(frame, inside, &screen.letters, view) else { return };
    if letters.is_empty() {
        let hint = "Messages and deliveries that failed for good wait here until you retry or acknowledge them.";
        return parts::centered(frame, inside, "No dead letters.", hint, view);
    }
    let titles = cells(["WHEN", "FOR", "KIND", "TRIES", "REASON"], view);
    screen.area = facts::titles(frame, inside, &titles, view);
    let row = |index: usize, columns| letters.get(index).map_or_else(Line::default, |one| line(one, columns, view));
    parts::rows(frame, screen.area, &mut screen.list, letters.len(), !screen.in_details, view, row);
}

fn cells<'c>(texts: [&'c str; 5], view: &View<'_>) -> [Cell<'c>; 5] {
    let [when, to, kind, tries, reason] = texts;
    let (text, dim) = (view.look.text, view.look.dim);
    [(when, 8, dim), (to, 18, view.look.agent), (kind, 8, text), (tries, 5, dim), (reason, 0, view.look.bad)]
}

fn line(letter: &DeadLetter, columns: usize, view: &View<'_>) -> Line<'static> {
    let when = text::ago(letter.created_at, view.now);
    let to = format!("@{}", letter.participant);
    let tries = letter.attempts.to_string();
    let retried = letter.retried_at.map(|at| format!("retried {}: {}", text::ago(at, view.now), letter.reason));
    let reason = retried.as_deref().unwrap_or(&letter.reason);
    let mut cells = cells([&when, &to, letter.kind.as_str(), &tries, reason], view);
    if letter.retried_at.is_some() {
        cells[4].2 = view.look.dim;
    }
    facts::row(&cells, columns)
}

fn details(screen: &DeadLetters, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let mut story = Story::new(columns, &view.look);
    match screen.tab {
        Tab::Letters => {
            if let Some(letter) = screen.letter() {
                about(&mut story, letter, view);
                if let Some(id) = letter.delivery_id {
                    delivery(&mut story, screen.deliveries.details(id), view);
                }
            }
        }
        Tab::Deliveries if screen.deliveries.opened.is_none() => {
            if let Some(webhook) = screen.deliveries.webhook() {
                deliveries::webhook(&mut story, webhook, view);
            }
        }
        Tab::Deliveries => {
            if let Some(selected) = screen.deliveries.selected() {
                deliveries::delivery(&mut story, selected, view);
                delivery(&mut story, screen.deliveries.details(selected.id), view);
            }
        }
    }
    story.into_lines()
}

/// The request and the attempts of a delivery, or why they are not here.
fn delivery(story: &mut Story, details: &Loaded<DeliveryDetails>, view: &View<'_>) {
    match details {
        Loaded::Here(details) => deliveries::story(story, details, view),
        Loaded::Waiting => {
            story.line(Line::default());
            story.text("Loading …", view.look.dim);
        }
        Loaded::Failed(failure) => {
            story.line(Line::default());
            story.text(&text::one_line(&failure.message), view.look.bad);
        }
    }
}

fn about(story: &mut Story, letter: &DeadLetter, view: &View<'_>) {
    let look = view.look;
    let kind = match letter.kind {
        DeadLetterKind::Webhook => "Webhook delivery",
        DeadLetterKind::Message => "Message",
        other => other.as_str(),
    };
    story.text(&format!("{kind} for @{}", text::one_line(&letter.participant)), look.strong);
    story.text(&text::one_line(&letter.reason), look.bad);
    story.line(Line::default());
    if let Some(message) = &letter.message {
        story.fact("From", &format!("@{}", message.from));
    }
    story.fact("Failed", &moment(letter.created_at, view));
    story.fact("Attempts", &letter.attempts.to_string());
    if let Some(at) = letter.retried_at {
        story.fact_in("Retried", &moment(at, view), look.accent);
    }
    if let Some(at) = letter.acknowledged_at {
        story.fact("Seen", &moment(at, view));
    }
    if let Some(message) = &letter.message {
        story.section("Message");
        if !message.subject.is_empty() {
            story.text(&text::one_line(&message.subject), look.strong);
        }
        story.markdown(&message.body);
    }
}
