//! One run as a story: its status, its cost, its prompt and answer, and its log, which is followed while it grows.
//!
//! Invariants: the log is read by one stream at a time. A stream that breaks is begun again, until the run has ended
//! and its log was read to the end.

pub(crate) mod log;

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::ids::RunId;
use svc_core::live::LiveBody;
use svc_core::runs::{Run, RunDetails};

use self::log::Log;
use super::context::Context;
use super::destination::Destination;
use super::loaded::Loaded;
use super::parts::{KeptKey, Lines, Scroll, go_to, row_at};
use super::reading::Reading;
use super::runs::ask_to_cancel;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::{Failure, Result};
use crate::text;
use crate::view::View;

/// The pause before a stream that broke is begun again.
const AGAIN_AFTER: Duration = Duration::from_secs(2);

/// A part of the screen that receives the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The log.
    Log,
    /// The rest of the story.
    Details,
}

/// The state of the stream of the log.
#[derive(Debug, Clone)]
pub(crate) enum Stream {
    /// It is asked for, or it is on its way.
    Open,
    /// It was read to its end.
    Ended,
    /// It broke, and is begun again.
    Broken(Failure),
    /// The hub does not give the log.
    Refused(Failure),
}

/// A part of the stream.
enum Part {
    Begin,
    Text(String),
    End,
    Failed(Failure),
}

/// A run.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct RunScreen {
    /// Its id.
    pub(crate) id: RunId,
    /// The run and what belongs to its story.
    pub(crate) details: Loaded<RunDetails>,
    /// The log.
    pub(crate) log: Log,
    /// The state of the stream of the log.
    pub(crate) stream: Stream,
    /// The part that receives the keys; in a narrow window the only one that is shown.
    pub(crate) tab: Tab,
    /// The position in the details.
    pub(crate) scroll: Scroll,
    /// The lines of the details.
    pub(crate) lines: Lines,
    /// Whether the whole prompt is shown.
    pub(crate) whole_prompt: bool,
    /// Where the log and the details are on screen.
    pub(crate) areas: (Rect, Rect),
    /// Whether both parts were shown when the screen was last drawn.
    pub(crate) wide: bool,
    /// Whether the next part of the stream replaces the log.
    fresh: bool,
    streaming: bool,
    turn: Reading,
    retry: KeptKey,
}

impl RunScreen {
    /// A run by its id.
    pub(crate) fn new(id: RunId) -> Self {
        Self {
            id,
            details: Loaded::Waiting,
            log: Log::default(),
            stream: Stream::Open,
            tab: Tab::Log,
            scroll: Scroll::default(),
            lines: Lines::default(),
            whole_prompt: false,
            areas: (Rect::default(), Rect::default()),
            wide: false,
            fresh: false,
            streaming: false,
            turn: Reading::default(),
            retry: KeptKey::default(),
        }
    }

    /// The run.
    pub(crate) fn run(&self) -> Option<&Run> {
        self.details.get().map(|details| &details.run)
    }

    fn is_open(&self) -> bool {
        self.run().is_some_and(|run| !run.status.is_final())
    }

    fn read(&mut self, context: &mut Context<'_>) {
        if !self.turn.begins() {
            return;
        }
        let id = self.id;
        context.ask(
            move |hub| async move { hub.run(id).await },
            |screen: &mut Self, answer, context| {
                screen.turn.ends();
                if let Some(failure) = screen.details.take(answer) {
                    context.fail(&failure);
                }
                screen.lines.forget();
                // A stream that ends before its run was cut off, for example by a restart of the server.
                if screen.is_open() && matches!(screen.stream, Stream::Ended) {
                    screen.follow(AGAIN_AFTER, context);
                }
                screen.read(context);
            },
        );
    }

    /// Reads the log after a pause.
    fn follow(&mut self, pause: Duration, context: &mut Context<'_>) {
        if self.streaming {
            return;
        }
        self.streaming = true;
        let id = self.id;
        context.stream(
            move |hub, parts| async move {
                if !pause.is_zero() {
                    tokio::time::sleep(pause).await;
                }
                let mut feed = match hub.run_log(id).await {
                    Ok(feed) => feed,
                    Err(failure) => return parts.send(Part::Failed(failure)),
                };
                parts.send(Part::Begin);
                loop {
                    match feed.next().await {
                        Ok(Some(text)) => parts.send(Part::Text(text)),
                        Ok(None) => return parts.send(Part::End),
                        Err(failure) => return parts.send(Part::Failed(failure)),
                    }
                }
            },
            |screen: &mut Self, part, context| screen.take(part, context),
        );
    }

    fn take(&mut self, part: Part, context: &mut Context<'_>) {
        if self.fresh && !matches!(part, Part::Begin | Part::Failed(_)) {
            self.log.clear();
            self.fresh = false;
        }
        match part {
            // The old text stays until there is a new one, so that nothing flickers.
            Part::Begin => {
                self.fresh = true;
                self.stream = Stream::Open;
            }
            Part::Text(text) => self.log.add(&text),
            Part::End => {
                self.streaming = false;
                self.stream = Stream::Ended;
                if self.is_open() {
                    self.turn.expire();
                    self.read(context);
                }
            }
            Part::Failed(failure) => {
                self.streaming = false;
                if failure.may_pass() {
                    self.stream = Stream::Broken(failure);
                    self.follow(AGAIN_AFTER, context);
                } else {
                    self.stream = Stream::Refused(failure);
                }
            }
        }
    }

    fn repeat(&mut self, context: &mut Context<'_>) {
        let Some(run) = self.run() else { return };
        let id = run.id;
        if !run.status.is_final() {
            return context.note(format!("Run #{id} has not ended. x cancels it."));
        }
        let idempotency = self.retry.of(format!("retry {id}"), || context.shared.new_key());
        context.change(
            move |hub| async move { hub.retry_run(id, &idempotency).await },
            move |screen: &mut Self, answer: Result<Run>, context| {
                screen.retry.answered(&answer);
                match answer {
                    Ok(run) => {
                        context.note(format!("Run #{} repeats run #{id}.", run.id));
                        context.go(Destination::Run(run.id));
                    }
                    Err(failure) => context.fail(&failure),
                }
            },
        );
    }

    fn cancel(&self, context: &mut Context<'_>) {
        if let Some(run) = self.run() {
            ask_to_cancel(run, Self::read_again, context);
        }
    }

    fn read_again(&mut self, context: &mut Context<'_>) {
        self.turn.expire();
        self.read(context);
    }

    fn copy(&self, context: &mut Context<'_>) {
        let response = || {
            let harness = self.details.get()?.harness_run.as_ref()?;
            harness.response.as_ref().or(harness.error_log.as_ref()).map(|text| text::clean(text))
        };
        match self.tab {
            Tab::Log if self.log.is_empty() => context.note("The log is empty."),
            Tab::Log => {
                context.copy(self.log.text());
                context.note("Log copied.");
            }
            Tab::Details => match response() {
                Some(text) => {
                    context.copy(text);
                    context.note("Response copied.");
                }
                None => context.note("There is no response."),
            },
        }
    }

    fn open_message(&self, context: &mut Context<'_>) {
        let Some(details) = self.details.get() else { return };
        let Some(message) = &details.trigger_message else {
            return context.note("There is no message that can be opened.");
        };
        go_to(message, context);
    }

    /// Moves to the other part. Says whether there is one on that side.
    fn turn_to(&mut self, tab: Tab) -> bool {
        let moved = self.tab != tab;
        self.tab = tab;
        moved
    }

    fn click(&mut self, column: u16, row: u16) -> bool {
        let (log, details) = self.areas;
        if row_at(log, column, row).is_some() {
            self.tab = Tab::Log;
        } else if row_at(details, column, row).is_some() {
            self.tab = Tab::Details;
        } else {
            return false;
        }
        true
    }
}

impl Screen for RunScreen {
    fn destination(&self) -> Destination {
        Destination::Run(self.id)
    }

    fn title(&self) -> String {
        format!("Run #{}", self.id)
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.read_again(context);
        if !matches!(self.stream, Stream::Ended) || self.is_open() {
            self.follow(Duration::ZERO, context);
        }
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let moved = match self.tab {
            Tab::Log => self.log.act(action),
            Tab::Details => self.scroll.act(action),
        };
        if moved {
            return Handled::Yes;
        }
        let used = match action {
            Action::Left => self.turn_to(Tab::Log),
            Action::Right => self.turn_to(Tab::Details),
            Action::NextPane if !self.wide => self.turn_to(if self.tab == Tab::Log { Tab::Details } else { Tab::Log }),
            Action::Click { column, row } => self.click(*column, *row),
            Action::Enter if self.tab == Tab::Details => {
                self.whole_prompt = !self.whole_prompt;
                self.lines.forget();
                true
            }
            Action::Retry => {
                self.repeat(context);
                true
            }
            Action::Reject => {
                self.cancel(context);
                true
            }
            Action::Copy => {
                self.copy(context);
                true
            }
            Action::Open => {
                self.open_message(context);
                true
            }
            _ => false,
        };
        if used { Handled::Yes } else { Handled::No }
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        let LiveBody::RunChanged(news) = news else { return };
        if news.run_id != self.id {
            return;
        }
        self.turn.expire();
        if let Some(details) = self.details.get_mut() {
            details.run.status = news.status;
            details.run.error.clone_from(&news.error);
            self.lines.forget();
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        self.read(context);
    }

    fn keys(&self) -> Vec<KeyHint> {
        let mut keys = vec![key("←/→", "log, details"), key("R", "retry"), key("x", "cancel"), key("o", "message")];
        match self.tab {
            Tab::Log => keys.push(key("y", "copy log")),
            Tab::Details => keys.extend([key("y", "copy response"), key("Enter", "whole prompt")]),
        }
        if !self.wide {
            keys.push(key("Tab", "other part"));
        }
        keys
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::run::draw(self, frame, area, view);
    }
}
