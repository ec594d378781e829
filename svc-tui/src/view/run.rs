//! One run: a summary above, then the log and the details, beside each other in a wide window.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::messages::Message;
use svc_core::runs::{HarnessRun, RunDetails};

use super::runs::facts::{self, Story, below};
use super::runs::{about, words};
use super::{View, parts};
use crate::state::run::{RunScreen, Stream, Tab};
use crate::text;

/// Lines of a prompt that are shown until the whole is asked for.
const PROMPT: usize = 12;
/// Microseconds in a second.
const SECOND: i64 = 1_000_000;
/// Microseconds in a minute.
const MINUTE: i64 = 60 * SECOND;

/// Draws the screen.
pub(crate) fn draw(screen: &mut RunScreen, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    screen.wide = view.wide;
    screen.areas = (Rect::default(), Rect::default());
    if parts::here(frame, area, &screen.details, view).is_none() {
        return;
    }
    let area = header(screen, frame, area, view);
    if view.wide {
        let [left, right] = Layout::horizontal([Constraint::Percentage(58), Constraint::Percentage(42)]).areas(area);
        screen.areas = (left, right);
        let title = log_title(screen);
        let inside = parts::pane(frame, left, &title, screen.tab == Tab::Log, view);
        log(screen, frame, inside, view);
        let inside = parts::pane(frame, right, "Details", screen.tab == Tab::Details, view);
        details(screen, frame, inside, view);
        return;
    }
    let selected = usize::from(screen.tab == Tab::Details);
    let log_tab = log_title(screen);
    let inside = facts::tabs(frame, area, &[&log_tab, "Details"], selected, view);
    match screen.tab {
        Tab::Log => {
            screen.areas.0 = inside;
            log(screen, frame, inside, view);
        }
        Tab::Details => {
            screen.areas.1 = inside;
            details(screen, frame, inside, view);
        }
    }
}

/// The status, the agent and the time in the first row; cost, tokens and the error in the second.
fn header(screen: &RunScreen, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) -> Rect {
    let Some(story) = screen.details.get() else { return area };
    if area.height < 6 {
        return area;
    }
    let (look, run) = (view.look, &story.run);
    let sign = words::status(run.status, &look);
    let took = words::took(run, view.now).map_or_else(String::new, |took| format!(" · {took}"));
    let rest = format!("{} · {}{took}", words::cause(run.cause), text::ago(run.created_at, view.now));
    let first = Line::from(vec![
        Span::styled(format!(" {} {}  ", sign.glyph, sign.word), sign.style),
        Span::styled(format!("@{}  ", text::fit(&run.agent, 32)), look.agent),
        Span::styled(rest, look.dim),
    ]);
    let mut second = vec![Span::raw(" ")];
    if let Some((title, _)) = words::failure(run) {
        let code = story.harness_run.as_ref().and_then(|harness| harness.exit_code);
        let code = code.filter(|_| run.error.as_deref() == Some("exit_code"));
        let code = code.map_or_else(String::new, |code| format!(": {code}"));
        second.push(Span::styled(format!("{}{code}  ", text::fit(title, 40)), look.bad));
    } else if run.cancel_requested_at.is_some() && !run.status.is_final() {
        second.push(Span::styled("being cancelled  ", look.warn));
    }
    let used = story.harness_run.as_ref().map_or_else(Vec::new, |harness| [cost(harness), tokens(harness)].concat());
    second.push(Span::raw(used.join(" · ")));
    let lines = vec![first, Line::from(second)];
    frame.render_widget(Paragraph::new(lines), Rect { height: 2, ..area });
    below(area, 2)
}

fn cost(harness: &HarnessRun) -> Vec<String> {
    let imputed = if harness.cost_imputed { " (from prices)" } else { "" };
    harness.cost_usd.map(|usd| format!("{}{imputed}", words::money(usd))).into_iter().collect()
}

fn tokens(harness: &HarnessRun) -> Vec<String> {
    if harness.tokens_in.is_none() && harness.tokens_out.is_none() {
        return Vec::new();
    }
    let (read, written) = (harness.tokens_in.unwrap_or(0), harness.tokens_out.unwrap_or(0));
    let cached = harness.tokens_cached.filter(|cached| *cached > 0);
    let cached = cached.map_or_else(String::new, |cached| format!(", {} cached", words::count(cached)));
    vec![format!("{} tokens in, {} out{cached}", words::count(read), words::count(written))]
}

fn log_title(screen: &RunScreen) -> String {
    let live = screen.run().is_some_and(|run| !run.status.is_final());
    match (&screen.stream, screen.log.follows()) {
        (Stream::Broken(_), _) => "Log · reconnecting".to_owned(),
        (_, true) if live => "Log · live".to_owned(),
        (_, false) if live => "Log · scrolled, G follows".to_owned(),
        _ => "Log".to_owned(),
    }
}

fn log(screen: &mut RunScreen, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    if screen.log.is_empty() {
        return empty_log(screen, frame, area, view);
    }
    let mut area = area;
    let dropped = screen.log.dropped();
    if dropped > 0 && area.height > 3 {
        let note =
            format!("… the first {} lines are not kept", words::count(i64::try_from(dropped).unwrap_or(i64::MAX)));
        let note = text::fit(&note, usize::from(area.width));
        frame.render_widget(Paragraph::new(Line::styled(note, view.look.dim)), Rect { height: 1, ..area });
        area = below(area, 1);
    }
    let rows = screen.log.visible(usize::from(area.width), usize::from(area.height));
    let lines: Vec<_> = rows.into_iter().map(|row| Line::styled(row, view.look.text)).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

fn empty_log(screen: &RunScreen, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let Some(run) = screen.run() else { return };
    match &screen.stream {
        Stream::Refused(failure) => {
            parts::centered(frame, area, &text::one_line(&failure.message), "Ctrl+R tries again.", view);
        }
        Stream::Broken(failure) => {
            parts::centered(frame, area, &text::one_line(&failure.message), "It is tried again soon.", view);
        }
        _ if words::refusal(run).is_some() => {
            parts::centered(frame, area, "No run was started.", words::refusal(run).unwrap_or_default(), view);
        }
        Stream::Open if run.started_at.is_none() && !run.status.is_final() => {
            parts::centered(frame, area, "The run waits for a node that has room.", "", view);
        }
        Stream::Open => parts::centered(frame, area, "Nothing was printed yet.", "", view),
        Stream::Ended => parts::centered(frame, area, "The run printed nothing.", "", view),
    }
}

fn details(screen: &mut RunScreen, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let Some(told) = screen.details.get() else { return };
    let columns = usize::from(area.width);
    // The duration of a run that has not ended changes with the second, other times with the minute.
    let step = if told.run.status.is_final() { MINUTE } else { SECOND };
    let moment = view.now.as_micros().div_euclid(step);
    let whole = screen.whole_prompt;
    let lines = screen.lines.get(columns, moment, || story(told, whole, columns, view));
    screen.scroll.height = usize::from(area.height);
    parts::scrolled(frame, area, lines, &mut screen.scroll.offset);
}

fn story(told: &RunDetails, whole_prompt: bool, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let (look, run) = (view.look, &told.run);
    let mut story = Story::new(columns, &look);
    if let Some((title, sentence)) = words::failure(run) {
        story.line(Line::styled(text::fit(title, story.columns()), look.bad));
        story.text(sentence, look.text);
        story.line(Line::default());
    }
    if let Some(sentence) = words::refusal(run) {
        story.line(Line::styled("No run was started", look.warn));
        story.text(sentence, look.text);
        story.line(Line::default());
    }
    let agent = &told.agent;
    let name = if agent.display_name == agent.name { String::new() } else { format!("{} ", agent.display_name) };
    story.fact_in("Agent", &format!("{name}@{}", agent.name), look.agent);
    about(&mut story, run, view);
    let harness = told.harness_run.as_ref();
    if let Some(harness) = harness {
        usage(&mut story, harness);
        if let Some(error) = harness.error_log.as_deref().filter(|error| !error.trim().is_empty()) {
            story.section("Error");
            story.text(error, look.code);
        }
    }
    if let Some(message) = &told.trigger_message {
        quote(&mut story, "Trigger", message, view);
    }
    if let Some(harness) = harness {
        let cut = if harness.prompt_truncated { " (cut)" } else { "" };
        story.section(&format!("Prompt{cut}"));
        story.excerpt(&harness.prompt, if whole_prompt { usize::MAX } else { PROMPT }, look.text);
        if let Some(response) = harness.response.as_deref().filter(|response| !response.trim().is_empty()) {
            let cut = if harness.response_truncated { " (cut)" } else { "" };
            story.section(&format!("Response{cut}"));
            story.markdown(response);
        }
    }
    if let Some(message) = &told.outgoing_message {
        quote(&mut story, "First message sent", message, view);
    }
    story.into_lines()
}

fn usage(story: &mut Story, harness: &HarnessRun) {
    story.fact("Backend", &harness.backend);
    story.fact("Cost", &cost(harness).concat());
    story.fact("Tokens", &tokens(harness).concat());
    if let Some(code) = harness.exit_code {
        story.fact("Exit code", &code.to_string());
    }
    story.fact("Session", harness.session_id.as_deref().unwrap_or_default());
    story.fact("Trace", harness.trace_id.as_deref().unwrap_or_default());
}

/// A message: who wrote it and where, and its text.
fn quote(story: &mut Story, title: &str, message: &Message, view: &View<'_>) {
    story.section(title);
    let place = match (&message.channel, &message.to) {
        (Some(channel), _) => format!("#{channel}"),
        (None, Some(to)) => format!("to @{to}"),
        (None, None) => String::new(),
    };
    let when = facts::moment(message.created_at, view);
    story.text(&text::one_line(&format!("@{} {place} · {when}", message.from)), view.look.dim);
    if !message.subject.is_empty() {
        story.text(&text::one_line(&message.subject), view.look.strong);
    }
    story.markdown(&message.body);
}
