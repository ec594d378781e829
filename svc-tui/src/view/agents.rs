//! The agents: a list with their states, and the budget, the last runs and the loops of the selected one.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use serde_json::Value;
use svc_core::agents::{Agent, TriggerMode};
use svc_core::governance::{BudgetUse, CountUse, Loop, LoopKind, MoneyUse, PausedReason, Period};

use super::runs::facts::{self, Cell, Story};
use super::runs::words::{self, Sign, count, money, sign};
use super::{View, parts};
use crate::state::agents::{About, Agents, Entry};
use crate::state::loaded::Loaded;
use crate::text;

/// Microseconds after which the texts of times are made again.
const STEP: i64 = 5_000_000;

/// Draws the screen.
pub(crate) fn draw(screen: &mut Agents, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    screen.wide = view.wide;
    screen.area = Rect::default();
    let (main, beside) = parts::split(area, view);
    if beside.is_some() || !screen.in_details {
        list(screen, frame, main, view);
    }
    let Some(area) = beside.or_else(|| screen.in_details.then_some(area)) else { return };
    let title = screen.selected().map_or_else(|| "Agent".to_owned(), |entry| format!("@{}", entry.agent.name));
    let inside = parts::pane(frame, area, &title, screen.in_details, view);
    let columns = usize::from(inside.width);
    let mut lines = std::mem::take(&mut screen.lines);
    if let Some(entry) = screen.selected() {
        let about = screen.about(&entry.agent.name);
        let moment = view.now.as_micros().div_euclid(STEP);
        let mut offset = screen.scroll.offset;
        let told = lines.get(columns, moment, || details(entry, about, columns, view));
        parts::scrolled(frame, inside, told, &mut offset);
        screen.scroll.offset = offset;
        screen.scroll.height = usize::from(inside.height);
    }
    screen.lines = lines;
}

fn list(screen: &mut Agents, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let title = screen.entries.get().map_or_else(|| "Agents".to_owned(), |agents| format!("Agents ({})", agents.len()));
    let inside = parts::pane(frame, area, &title, !screen.in_details, view);
    let Some(agents) = parts::here(frame, inside, &screen.entries, view) else { return };
    if agents.is_empty() {
        let hint = "Create one in the web UI, or with svc-admin agents create.";
        return parts::centered(frame, inside, "You have no agents yet.", hint, view);
    }
    let titles = cells(["STATE", "AGENT", "TODAY", "MODE", "NOTE"], view);
    screen.area = facts::titles(frame, inside, &titles, view);
    let row = |index: usize, columns| agents.get(index).map_or_else(Line::default, |entry| line(entry, columns, view));
    parts::rows(frame, screen.area, &mut screen.list, agents.len(), !screen.in_details, view, row);
}

fn cells<'c>(texts: [&'c str; 5], view: &View<'_>) -> [Cell<'c>; 5] {
    let [state, agent, today, mode, note] = texts;
    let (text, dim) = (view.look.text, view.look.dim);
    [(state, 15, text), (agent, 22, view.look.agent), (today, 8, text), (mode, 8, dim), (note, 0, dim)]
}

fn line(entry: &Entry, columns: usize, view: &View<'_>) -> Line<'static> {
    let sign = state(entry, view);
    let state = format!("{} {}", sign.glyph, sign.word);
    let name = format!("@{}", entry.agent.name);
    let today = entry
        .reactive
        .as_ref()
        .map_or_else(String::new, |reactive| format!("{}/{}", reactive.runs_today, reactive.agent.daily_run_budget));
    let note = note(entry, view);
    let mut cells = cells([&state, &name, &today, entry.agent.trigger_mode.as_str(), &note], view);
    cells[0].2 = sign.style;
    if !entry.loops.is_empty() {
        cells[4].2 = view.look.warn;
    }
    facts::row(&cells, columns)
}

/// The state of an agent. One that the hub does not run is only active, paused or quarantined.
fn state(entry: &Entry, view: &View<'_>) -> Sign {
    let look = &view.look;
    match &entry.reactive {
        Some(reactive) => words::state(reactive.state, look),
        None if entry.agent.quarantined_at.is_some() => sign("!", "Quarantined", look.bad),
        None if entry.agent.paused_at.is_some() => sign("‖", "Paused", look.warn),
        None if entry.agent.trigger_mode == TriggerMode::Disabled => sign("–", "Disabled", look.dim),
        None => sign("○", "Active", look.text),
    }
}

/// The most important thing to know besides the state.
fn note(entry: &Entry, view: &View<'_>) -> String {
    if let Some(held) = entry.loops.first() {
        return match other(held, &entry.agent.name) {
            Some(other) => format!("in a loop with @{other}"),
            None => "in a loop".to_owned(),
        };
    }
    if entry.agent.quarantined_at.is_some() {
        return "a ends the quarantine".to_owned();
    }
    if entry.agent.paused_reason == Some(PausedReason::Budget) {
        return "its budget is spent".to_owned();
    }
    let until = entry.reactive.as_ref().and_then(|reactive| reactive.cooldown_until);
    if let Some(until) = until.filter(|until| *until > view.now) {
        return format!("until {}", text::clock(until, view.zone));
    }
    let waits = entry.reactive.as_ref().map_or(entry.agent.pending_work, |reactive| reactive.pending_work);
    if waits { "messages wait".to_owned() } else { String::new() }
}

/// The other agent of a loop.
fn other<'l>(held: &'l Loop, name: &str) -> Option<&'l str> {
    let other = held.other.as_deref()?;
    Some(if other == name { &held.agent } else { other })
}

fn details(entry: &Entry, about: &Loaded<About>, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let (look, agent) = (view.look, &entry.agent);
    let mut story = Story::new(columns, &look);
    let sign = state(entry, view);
    let name = if agent.display_name == agent.name { String::new() } else { text::one_line(&agent.display_name) };
    story.line(Line::from(vec![
        Span::styled(format!("{} {}  ", sign.glyph, sign.word), sign.style),
        Span::styled(text::fit(&name, columns.saturating_sub(20)), look.strong),
    ]));
    standing(&mut story, entry, view);
    story.line(Line::default());
    settings(&mut story, entry, view);
    match about {
        Loaded::Here(about) => {
            if let Some(budget) = &about.budget {
                spending(&mut story, budget, view);
            }
            story.section("Last runs");
            if about.runs.is_empty() {
                story.text("It has no runs yet.", look.dim);
            }
            for run in &about.runs {
                story.line(last_run(run, story.columns(), view));
            }
        }
        Loaded::Waiting => {
            story.line(Line::default());
            story.text("Loading …", look.dim);
        }
        Loaded::Failed(failure) => {
            story.line(Line::default());
            story.text(&text::one_line(&failure.message), look.bad);
        }
    }
    story.into_lines()
}

/// What holds the agent back: quarantine, a pause, loops.
fn standing(story: &mut Story, entry: &Entry, view: &View<'_>) {
    let (look, agent) = (view.look, &entry.agent);
    if let Some(at) = agent.quarantined_at {
        let since = text::ago(at, view.now);
        let reason = "too many of its runs failed or its messages were rejected. The hub does not start it.";
        story.text(&format!("Quarantined ({since}): {reason} a ends the quarantine."), look.bad);
    }
    if let Some(at) = agent.paused_at {
        let since = text::ago(at, view.now);
        let reason = if agent.paused_reason == Some(PausedReason::Budget) {
            "its budget is spent, so the hub does not start it until the next period. p resumes it and adds the limits once more."
        } else {
            "the hub does not start it. p resumes it."
        };
        story.text(&format!("Paused ({since}): {reason}"), look.warn);
    }
    for held in &entry.loops {
        let until = text::clock(held.until, view.zone);
        story.text(&format!("Loop: {} Lifted at {until}; a lifts it now.", loop_in_words(held)), look.warn);
    }
}

fn loop_in_words(held: &Loop) -> String {
    let agent = text::one_line(&held.agent);
    let other = held.other.as_deref().map_or_else(String::new, |other| format!(" and @{}", text::one_line(other)));
    match held.kind {
        LoopKind::Exchange => format!("@{agent}{other} answered each other {} times without a human.", held.count),
        LoopKind::Repetition => format!("@{agent}{other} repeated the same words in {} messages.", held.count),
        LoopKind::Flood => format!("@{agent} sent {} messages in a minute in one conversation.", held.count),
    }
}

fn settings(story: &mut Story, entry: &Entry, view: &View<'_>) {
    let agent = &entry.agent;
    let mode = match agent.trigger_mode {
        TriggerMode::Passive => "passive: it polls for messages",
        TriggerMode::Reactive => "reactive: on direct messages and mentions",
        TriggerMode::Disabled => "disabled: never",
        other => other.as_str(),
    };
    story.fact("Runs", mode);
    story.fact("Harness", &harness(agent));
    if agent.cooldown_seconds > 0 {
        let until = entry.reactive.as_ref().and_then(|reactive| reactive.cooldown_until);
        let until = until.filter(|until| *until > view.now);
        let until = until.map_or_else(String::new, |until| format!(", until {}", text::clock(until, view.zone)));
        story.fact("Cooldown", &format!("{} s{until}", agent.cooldown_seconds));
    }
    story.fact("Chain", &format!("depth {} at most", agent.max_trigger_depth));
    let waits = entry.reactive.as_ref().map_or(agent.pending_work, |reactive| reactive.pending_work);
    if waits {
        story.fact("Waiting", "messages for its next run");
    }
    if let Some(id) = entry.reactive.as_ref().and_then(|reactive| reactive.active_run_id) {
        story.fact_in("Active run", &format!("#{id} (o opens it)"), view.look.accent);
    }
    story.fact("Owner", &format!("@{}", agent.owner));
}

/// The backend of a harness and its program.
fn harness(agent: &Agent) -> String {
    let Some(harness) = agent.harness.as_object().filter(|harness| !harness.is_empty()) else {
        return if agent.trigger_mode == TriggerMode::Reactive { "not set up".to_owned() } else { String::new() };
    };
    let field = |name: &str| harness.get(name).and_then(Value::as_str);
    let backend = field("backend").unwrap_or("subprocess");
    let program = field("preset").or_else(|| field("command")).or_else(|| field("image")).or_else(|| field("url"));
    program.map_or_else(|| backend.to_owned(), |program| format!("{backend}, {program}"))
}

fn spending(story: &mut Story, budget: &BudgetUse, view: &View<'_>) {
    story.section(match budget.period {
        Period::Day => "Budget of the day",
        Period::Month => "Budget of the month",
        Period::Total => "Budget in total",
    });
    spent_money(story, &budget.usd);
    spent_count(story, "Tokens", &budget.tokens);
    spent_count(story, "Runs", &budget.runs);
    spent_count(story, "Runs today", &budget.daily_runs);
    if budget.extensions > 0 {
        let times = if budget.extensions == 1 { "once".to_owned() } else { format!("{} times", budget.extensions) };
        story.fact("Extended", &format!("{times}, by resuming it"));
    }
    if let Some(at) = budget.ends_at {
        let day = text::day(at, view.zone);
        story.fact("Ends", &format!("{day} {}", text::clock(at, view.zone)));
    }
}

fn spent_money(story: &mut Story, used: &MoneyUse) {
    let Some(limit) = used.limit else {
        return story.fact("Cost", &format!("{}, no limit{}", money(used.spent), forecast(used.forecast.map(money))));
    };
    let share = if limit > 0.0 { (used.spent + used.reserved) / limit } else { 1.0 };
    let reserved = if used.reserved > 0.0 { format!(", {} reserved", money(used.reserved)) } else { String::new() };
    let rest = forecast(used.forecast.map(money));
    story.share("Cost", share, &format!("{} of {}{reserved}{rest}", money(used.spent), money(limit)));
}

#[expect(clippy::cast_precision_loss, reason = "a share on screen needs no exact number")]
fn spent_count(story: &mut Story, name: &str, used: &CountUse) {
    let rest = forecast(used.forecast.map(count));
    let Some(limit) = used.limit else {
        if used.spent > 0 {
            story.fact(name, &format!("{}, no limit{rest}", count(used.spent)));
        }
        return;
    };
    let share = if limit > 0 { (used.spent.saturating_add(used.reserved)) as f64 / limit as f64 } else { 1.0 };
    let reserved = if used.reserved > 0 { format!(", {} reserved", count(used.reserved)) } else { String::new() };
    story.share(name, share, &format!("{} of {}{reserved}{rest}", count(used.spent), count(limit)));
}

fn forecast(amount: Option<String>) -> String {
    amount.map_or_else(String::new, |amount| format!(" · forecast {amount}"))
}

/// A run of the agent on one line, without its name.
fn last_run(run: &svc_core::runs::Run, columns: usize, view: &View<'_>) -> Line<'static> {
    let sign = words::status(run.status, &view.look);
    let status = format!("{} {}", sign.glyph, sign.word);
    let when = text::ago(run.created_at, view.now);
    let took = words::took(run, view.now).unwrap_or_default();
    let error = words::failure(run).map_or("", |(title, _)| title);
    let (text, dim) = (view.look.text, view.look.dim);
    facts::row(&[(&status, 17, sign.style), (&when, 8, dim), (&took, 11, text), (error, 0, view.look.bad)], columns)
}
