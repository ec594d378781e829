//! The list of runs, with a summary of the selected one beside it.

pub(crate) mod facts;
pub(crate) mod words;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use svc_core::runs::Run;

use self::facts::{Cell, Story, moment};
use super::{View, parts};
use crate::state::runs::Runs;
use crate::text;

/// Draws the screen.
pub(crate) fn draw(screen: &mut Runs, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let (main, details) = parts::split(area, view);
    let title = match (&screen.agent, screen.read.get()) {
        (_, None) => "Runs".to_owned(),
        (agent, Some(runs)) => {
            let of = agent.as_ref().map_or_else(String::new, |agent| format!(" of @{agent}"));
            let more = if screen.has_more() { "+" } else { "" };
            format!("Runs{of} ({}{more})", runs.len())
        }
    };
    let inside = parts::pane(frame, main, &title, true, view);
    screen.area = Rect::default();
    if let Some(runs) = parts::here(frame, inside, &screen.read, view) {
        if runs.is_empty() {
            let hint = "A message to an agent that the hub runs starts one; n on the screen of agents too.";
            parts::centered(frame, inside, "No runs yet.", hint, view);
        } else {
            let titles = cells(["STATUS", "AGENT", "WHEN", "TOOK", "CAUSE", "ERROR"], view);
            screen.area = facts::titles(frame, inside, &titles, view);
            let row =
                |index: usize, columns| runs.get(index).map_or_else(Line::default, |run| line(run, columns, view));
            parts::rows(frame, screen.area, &mut screen.list, runs.len(), true, view, row);
        }
    }
    if let Some(details) = details {
        let inside = parts::pane(frame, details, "Run", false, view);
        if let Some(run) = screen.selected() {
            let lines = summary(run, usize::from(inside.width), view);
            parts::scrolled(frame, inside, &lines, &mut 0);
        }
    }
}

fn cells<'c>(texts: [&'c str; 6], view: &View<'_>) -> [Cell<'c>; 6] {
    let [status, agent, when, took, cause, error] = texts;
    let (text, dim) = (view.look.text, view.look.dim);
    [
        (status, 17, text),
        (agent, 15, view.look.agent),
        (when, 8, dim),
        (took, 11, text),
        (cause, 7, dim),
        (error, 0, view.look.bad),
    ]
}

/// A run on one line.
pub(crate) fn line(run: &Run, columns: usize, view: &View<'_>) -> Line<'static> {
    let sign = words::status(run.status, &view.look);
    let status = format!("{} {}", sign.glyph, sign.word);
    let when = text::ago(run.created_at, view.now);
    let took = words::took(run, view.now).unwrap_or_default();
    let error = match words::failure(run) {
        Some((title, _)) => title,
        None if run.cancel_requested_at.is_some() && !run.status.is_final() => "being cancelled",
        None => "",
    };
    let agent = format!("@{}", run.agent);
    let mut cells = cells([&status, &agent, &when, &took, words::cause(run.cause), error], view);
    cells[0].2 = sign.style;
    facts::row(&cells, columns)
}

/// The summary of a run that needs no further request.
fn summary(run: &Run, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let look = view.look;
    let sign = words::status(run.status, &look);
    let mut story = Story::new(columns, &look);
    story.line(Line::from(vec![
        Span::styled(format!("{} {} ", sign.glyph, sign.word), sign.style),
        Span::styled(format!("#{}", run.id), look.dim),
    ]));
    story.line(Line::default());
    story.fact_in("Agent", &format!("@{}", run.agent), look.agent);
    about(&mut story, run, view);
    if let Some((title, text)) = words::failure(run) {
        story.section(title);
        story.text(text, look.text);
    }
    if let Some(text) = words::refusal(run) {
        story.section("No run was started");
        story.text(text, look.text);
    }
    story.line(Line::default());
    story.line(Line::styled("Enter opens the run with its log.", look.dim));
    story.into_lines()
}

/// Facts of a run: its cause and its times.
pub(crate) fn about(story: &mut Story, run: &Run, view: &View<'_>) {
    story.fact("Started by", words::cause(run.cause));
    if let Some(id) = run.retry_of {
        story.fact("Repeats", &format!("run #{id}"));
    }
    if run.messages > 0 {
        story.fact("Messages", &run.messages.to_string());
    }
    if run.depth > 0 {
        story.fact("Depth", &run.depth.to_string());
    }
    story.fact("Created", &moment(run.created_at, view));
    if let Some(started) = run.started_at {
        let waited = words::span(started.since(run.created_at));
        story.fact("Started", &format!("{}, after {waited}", moment(started, view)));
    }
    if let Some(ended) = run.ended_at.filter(|_| run.started_at.is_some()) {
        story.fact("Ended", &moment(ended, view));
    }
    story.fact("Duration", &words::took(run, view.now).unwrap_or_else(|| "not started".to_owned()));
    if let Some(asked) = run.cancel_requested_at {
        story.fact_in("Cancelled", &moment(asked, view), view.look.warn);
    }
}
