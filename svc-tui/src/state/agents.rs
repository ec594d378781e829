//! The agents of the user: what each is doing, its budget, its last runs, and what holds it back.
//!
//! Invariants: the selected agent stays selected when the list is read again. Budget and runs are read for the
//! selected agent only.

use std::collections::BTreeMap;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::agents::{Agent, AgentSettings};
use svc_core::governance::{BudgetUse, Loop, PausedReason};
use svc_core::live::LiveBody;
use svc_core::runs::{NewRun, ReactiveAgent, Run};

use super::context::Context;
use super::destination::Destination;
use super::list::Selection;
use super::loaded::Loaded;
use super::parts::{KeptKey, Lines, Scroll, row_at};
use super::reading::Reading;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::{Cause, Place, Result};
use crate::text;
use crate::view::View;

/// Runs that are shown with an agent.
const LAST_RUNS: i64 = 8;

/// An agent with what the hub knows of it at the moment.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The agent.
    pub(crate) agent: Agent,
    /// What it is doing; none for an agent that the hub does not run.
    pub(crate) reactive: Option<ReactiveAgent>,
    /// Loops with it that are held.
    pub(crate) loops: Vec<Loop>,
}

/// The budget and the last runs of an agent.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// The budget; none when the user may not see it.
    pub(crate) budget: Option<BudgetUse>,
    /// The last runs, newest first.
    pub(crate) runs: Vec<Run>,
}

/// What was read about an agent.
#[derive(Default)]
struct Read {
    about: Loaded<About>,
    outdated: bool,
}

/// The agents.
pub(crate) struct Agents {
    /// The agents, by name.
    pub(crate) entries: Loaded<Vec<Entry>>,
    /// The selected agent.
    pub(crate) list: Selection,
    /// Where the rows are on screen.
    pub(crate) area: Rect,
    /// Whether the details receive the keys; in a narrow window they are shown in place of the list.
    pub(crate) in_details: bool,
    /// Whether list and details were shown when the screen was last drawn.
    pub(crate) wide: bool,
    /// The position in the details.
    pub(crate) scroll: Scroll,
    /// The lines of the details.
    pub(crate) lines: Lines,
    read: BTreeMap<String, Read>,
    turn: Reading,
    about_turn: Reading,
    start: KeptKey,
}

impl Agents {
    /// The screen before anything was read.
    pub(crate) fn new() -> Self {
        Self {
            entries: Loaded::Waiting,
            list: Selection::default(),
            area: Rect::default(),
            in_details: false,
            wide: false,
            scroll: Scroll::default(),
            lines: Lines::default(),
            read: BTreeMap::new(),
            turn: Reading::default(),
            about_turn: Reading::default(),
            start: KeptKey::default(),
        }
    }

    /// The selected agent.
    pub(crate) fn selected(&self) -> Option<&Entry> {
        self.entries.get()?.get(self.list.index)
    }

    /// The budget and the runs of an agent, as far as they were read.
    pub(crate) fn about(&self, name: &str) -> &Loaded<About> {
        self.read.get(name).map_or(&Loaded::Waiting, |read| &read.about)
    }

    fn count(&self) -> usize {
        self.entries.get().map_or(0, Vec::len)
    }

    fn name(&self) -> Option<String> {
        self.selected().map(|entry| entry.agent.name.clone())
    }

    fn read(&mut self, context: &mut Context<'_>) {
        if !self.turn.begins() {
            return;
        }
        context.ask(
            |hub| async move {
                let (agents, reactive, loops) = tokio::join!(hub.agents(), hub.reactive_agents(), hub.held_loops());
                Ok(entries(agents?, permitted(reactive)?, &permitted(loops)?))
            },
            |screen: &mut Self, answer, context| {
                screen.turn.ends();
                let selected = screen.name();
                if let Some(failure) = screen.entries.take(answer) {
                    context.fail(&failure);
                }
                let entries = screen.entries.get().map_or(&[][..], Vec::as_slice);
                if let Some(index) = entries.iter().position(|entry| Some(&entry.agent.name) == selected.as_ref()) {
                    screen.list.index = index;
                }
                screen.list.limit(screen.count());
                screen.in_details &= screen.count() > 0;
                screen.lines.forget();
                screen.read(context);
                screen.read_about(context);
            },
        );
    }

    /// Reads budget and runs of the selected agent, unless they are known.
    fn read_about(&mut self, context: &mut Context<'_>) {
        let Some(name) = self.name() else { return };
        let known = self.read.get(&name).is_some_and(|read| read.about.get().is_some() && !read.outdated);
        let failed = self.read.get(&name).is_some_and(|read| matches!(read.about, Loaded::Failed(_)) && !read.outdated);
        if known || failed {
            return;
        }
        self.about_turn.expire();
        if !self.about_turn.begins() {
            return;
        }
        self.read.entry(name.clone()).or_default().outdated = false;
        let asked = name.clone();
        context.ask(
            move |hub| async move {
                let (budget, runs) = tokio::join!(hub.budget(&asked), hub.runs(Some(&asked), None, LAST_RUNS));
                let budget = permitted(budget.map(Some))?;
                Ok(About { budget, runs: runs?.runs })
            },
            move |screen: &mut Self, answer, context| {
                screen.about_turn.ends();
                if let Some(failure) = screen.read.entry(name).or_default().about.take(answer) {
                    context.fail(&failure);
                }
                screen.lines.forget();
                screen.read_about(context);
            },
        );
    }

    fn outdated(&mut self, name: Option<&str>) {
        for (of, read) in &mut self.read {
            read.outdated |= name.is_none_or(|name| name == of);
        }
    }

    fn change(&self, settings: AgentSettings, done: &'static str, context: &mut Context<'_>) {
        let Some(name) = self.name() else { return };
        let changed = name.clone();
        context.change(
            move |hub| async move { hub.update_agent(&changed, settings).await },
            move |screen: &mut Self, answer: Result<Agent>, context| {
                match answer {
                    Ok(_) => context.note(format!("@{} {done}.", text::one_line(&name))),
                    Err(failure) => context.fail(&failure),
                }
                screen.outdated(Some(&name));
                screen.load(context);
            },
        );
    }

    fn pause(&self, context: &mut Context<'_>) {
        let Some(entry) = self.selected() else { return };
        let name = text::one_line(&entry.agent.name);
        let paused = |paused| AgentSettings { paused: Some(paused), ..AgentSettings::default() };
        if entry.agent.paused_at.is_none() {
            self.change(paused(true), "is paused", context);
        } else if entry.agent.paused_reason == Some(PausedReason::Budget) {
            let question = format!("The budget of @{name} is spent. Resume it and add its limits once more?");
            context.confirm(question, move |screen: &mut Self, context| {
                screen.change(paused(false), "is resumed", context);
            });
        } else {
            self.change(paused(false), "is resumed", context);
        }
    }

    /// Ends the quarantine of the selected agent, or lifts a loop.
    fn release(&self, context: &mut Context<'_>) {
        let Some(entry) = self.selected() else { return };
        let name = text::one_line(&entry.agent.name);
        if entry.agent.quarantined_at.is_some() {
            let question = format!("End the quarantine of @{name}? Earlier failures no longer count then.");
            return context.confirm(question, |screen: &mut Self, context| {
                let settings = AgentSettings { quarantined: Some(false), ..AgentSettings::default() };
                screen.change(settings, "is out of quarantine", context);
            });
        }
        let Some(held) = entry.loops.first() else {
            return context.note(format!("@{name} is neither in quarantine nor in a loop."));
        };
        let id = held.id;
        let other = held.other.as_ref().map_or_else(String::new, |other| {
            let other = if *other == entry.agent.name { &held.agent } else { other };
            format!(" with @{}", text::one_line(other))
        });
        context.confirm(format!("Lift the loop of @{name}{other}?"), move |_: &mut Self, context| {
            context.change(
                move |hub| async move { hub.lift_loop(id).await },
                |screen: &mut Self, answer: Result<()>, context| {
                    match answer {
                        Ok(()) => context.note("Loop lifted."),
                        Err(failure) => context.fail(&failure),
                    }
                    screen.load(context);
                },
            );
        });
    }

    fn run_now(&self, context: &mut Context<'_>) {
        let Some(name) = self.name() else { return };
        let title = format!("Run @{} now. What should it do? (may be empty)", text::one_line(&name));
        context.prompt(title, "", move |screen: &mut Self, prompt, context| {
            let prompt = Some(prompt.trim().to_owned()).filter(|prompt| !prompt.is_empty());
            let request = format!("{name}\n{}", prompt.as_deref().unwrap_or_default());
            let idempotency = screen.start.of(request, || context.shared.new_key());
            context.change(
                move |hub| async move { hub.start_run(&name, NewRun { prompt }, &idempotency).await },
                |screen: &mut Self, answer: Result<Run>, context| {
                    screen.start.answered(&answer);
                    match answer {
                        Ok(run) => {
                            context.note(format!("Run #{} of @{} is queued.", run.id, text::one_line(&run.agent)));
                            screen.outdated(Some(&run.agent));
                        }
                        Err(failure) => context.fail(&failure),
                    }
                    screen.load(context);
                },
            );
        });
    }

    /// Opens the run that is under way, or the last one.
    fn open_run(&self, context: &mut Context<'_>) {
        let Some(entry) = self.selected() else { return };
        let active = entry.reactive.as_ref().and_then(|reactive| reactive.active_run_id);
        let last = || self.about(&entry.agent.name).get()?.runs.first().map(|run| run.id);
        match active.or_else(last) {
            Some(id) => context.go(Destination::Run(id)),
            None => context.note("It has no runs yet."),
        }
    }

    fn enter(&mut self, context: &mut Context<'_>) {
        let Some(name) = self.name() else { return };
        if self.wide || self.in_details {
            context.go(Destination::Runs(Some(name)));
        } else {
            self.in_details = true;
        }
    }

    fn moved(&mut self, context: &mut Context<'_>) {
        self.scroll.offset = 0;
        self.lines.forget();
        self.read_about(context);
    }

    fn click(&mut self, column: u16, row: u16, context: &mut Context<'_>) -> bool {
        let (before, count) = (self.list.index, self.count());
        let clicked = row_at(self.area, column, row).is_some_and(|row| self.list.click(row, count));
        if clicked {
            self.in_details = self.list.index == before;
            self.moved(context);
        }
        clicked
    }
}

/// An answer that is empty when the user may not have it.
fn permitted<T: Default>(answer: Result<T>) -> Result<T> {
    match answer {
        Err(failure) if failure.cause == Cause::Refused => Ok(T::default()),
        answer => answer,
    }
}

fn entries(agents: Vec<Agent>, reactive: Vec<ReactiveAgent>, loops: &[Loop]) -> Vec<Entry> {
    let mut reactive: BTreeMap<_, _> = reactive.into_iter().map(|one| (one.agent.name.clone(), one)).collect();
    let with = |name: &String| -> Vec<_> {
        loops.iter().filter(|held| held.agent == *name || held.other.as_ref() == Some(name)).cloned().collect()
    };
    agents
        .into_iter()
        .map(|agent| Entry { reactive: reactive.remove(&agent.name), loops: with(&agent.name), agent })
        .collect()
}

impl Screen for Agents {
    fn destination(&self) -> Destination {
        Destination::Agents
    }

    fn title(&self) -> String {
        "Agents".to_owned()
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.outdated(None);
        self.turn.expire();
        self.read(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let count = self.count();
        match action {
            _ if self.in_details && self.scroll.act(action) => {}
            _ if !self.in_details && self.list.act(action, count) => self.moved(context),
            Action::Enter => self.enter(context),
            Action::Right if !self.in_details => self.in_details = count > 0,
            Action::Back | Action::Left if self.in_details => self.in_details = false,
            Action::Pause => self.pause(context),
            Action::Approve => self.release(context),
            Action::New => self.run_now(context),
            Action::Open => self.open_run(context),
            Action::Write => {
                if let Some(name) = self.name() {
                    context.go(Destination::Conversation(Place::Direct(name)));
                }
            }
            Action::Click { column, row } if self.click(*column, *row, context) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        match news {
            LiveBody::RunChanged(news) => self.outdated(Some(&news.agent)),
            LiveBody::AgentChanged(news) => self.outdated(news.agent.as_deref()),
            LiveBody::LoopChanged(_) => {}
            _ => return,
        }
        self.turn.expire();
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        self.read(context);
    }

    fn keys(&self) -> Vec<KeyHint> {
        let entry = self.selected();
        let paused = entry.is_some_and(|entry| entry.agent.paused_at.is_some());
        let mut keys = vec![
            key("Enter", if self.wide || self.in_details { "runs" } else { "details" }),
            key("n", "run now"),
            key("p", if paused { "resume" } else { "pause" }),
            key("i", "write"),
            key("o", "last run"),
        ];
        if entry.is_some_and(|entry| entry.agent.quarantined_at.is_some()) {
            keys.insert(0, key("a", "end quarantine"));
        } else if entry.is_some_and(|entry| !entry.loops.is_empty()) {
            keys.insert(0, key("a", "lift loop"));
        }
        keys
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::agents::draw(self, frame, area, view);
    }
}
