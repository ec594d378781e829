//! The state with its work: effects are carried out, results come back. The terminal is not here, so that tests run
//! the same program without one.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use svc_core::Timestamp;
use svc_core::clock::Clock;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::action::Action;
use crate::backend::{Backend, Failure};
use crate::link::{self, Signal};
use crate::state::Ui;
use crate::state::context::{Edited, Effect, ScreenId, Update};
use crate::state::kept::write_private;
use crate::state::shared::{Connection, Shared};

/// Events that wait between the live feed and the state; a feed that is ahead waits.
const SIGNALS: usize = 1024;
/// Updates and events that are taken before the next picture.
const BATCH: usize = 512;

/// The time that changes get to arrive at the hub when the program ends.
const LAST_CHANGES: Duration = Duration::from_millis(500);

/// Something that only the terminal can do.
pub(crate) enum Outside {
    /// Opens a text in the editor of the person.
    Edit {
        /// The text.
        text: String,
        /// The ending of the file name.
        extension: &'static str,
        /// Gets the new text.
        then: Edited,
    },
    /// Copies to the clipboard.
    Copy(String),
    /// Opens a link or a file.
    Open(String),
}

/// The state with its work.
pub(crate) struct Runner {
    /// The state.
    pub(crate) ui: Ui,
    /// What the terminal has to do.
    pub(crate) outside: Vec<Outside>,
    clock: Arc<dyn Clock>,
    updates: mpsc::UnboundedReceiver<Update>,
    signals: mpsc::Receiver<Signal>,
    work: Vec<(Option<ScreenId>, JoinHandle<()>)>,
    streams: Vec<(ScreenId, JoinHandle<()>)>,
    link: JoinHandle<()>,
    writing: Option<JoinHandle<io::Result<()>>>,
    /// Whether the last write failed.
    unwritable: bool,
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.link.abort();
    }
}

impl Runner {
    /// Starts the UI after logging in.
    pub(crate) fn start(hub: Arc<dyn Backend>, shared: Shared, clock: Arc<dyn Clock>) -> Self {
        let (sender, updates) = mpsc::unbounded_channel();
        let (news, signals) = mpsc::channel(SIGNALS);
        let link = tokio::spawn(link::follow(hub.clone(), news));
        let ui = Ui::new(hub, shared, sender, clock.now());
        let mut runner = Self {
            ui,
            outside: Vec::new(),
            clock,
            updates,
            signals,
            work: Vec::new(),
            streams: Vec::new(),
            link,
            writing: None,
            unwritable: false,
        };
        runner.carry_out();
        runner
    }

    /// The time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Reacts to an action.
    pub(crate) fn act(&mut self, action: &Action) {
        let now = self.now();
        self.ui.act(action, now);
        self.carry_out();
    }

    /// Passes the text of an editor on.
    pub(crate) fn edited(&mut self, then: Edited, text: Option<String>) {
        let now = self.now();
        self.ui.edited(then, text, now);
        self.carry_out();
    }

    /// Something that happens about once a second.
    pub(crate) fn tick(&mut self) {
        let now = self.now();
        self.ui.tick(now);
        if self.unwritable {
            self.ui.shared.kept.expire();
        }
        self.carry_out();
    }

    /// Waits for results or events, and applies those that are there.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            // The updates do not end while the state holds a sender; a link that has ended is silent.
            Some(update) = self.updates.recv() => self.apply(update),
            Some(signal) = self.signals.recv() => self.signal(signal),
            outcome = ended(&mut self.writing) => {
                self.writing = None;
                self.written(outcome);
            }
        }
        for _ in 0..BATCH {
            if let Ok(update) = self.updates.try_recv() {
                self.apply(update);
            } else if let Ok(signal) = self.signals.try_recv() {
                self.signal(signal);
            } else {
                break;
            }
        }
        let now = self.now();
        self.ui.settle(now);
        self.carry_out();
    }

    fn apply(&mut self, update: Update) {
        let now = self.now();
        self.ui.update(update, now);
    }

    fn signal(&mut self, signal: Signal) {
        let now = self.now();
        match signal {
            Signal::Connected => self.ui.connection(Connection::Live, now),
            Signal::News(news) => self.ui.news(&news, now),
            Signal::Lost(reason) => self.ui.connection(Connection::Lost(reason), now),
            Signal::Ended => self.ui.connection(Connection::LoggedOut, now),
        }
    }

    /// Carries out effects until there are none.
    fn carry_out(&mut self) {
        let now = self.now();
        loop {
            let effects = self.ui.take_effects();
            if effects.is_empty() {
                break;
            }
            for effect in effects {
                match effect {
                    Effect::Work(screen, work) => self.work.push((screen, tokio::spawn(work))),
                    Effect::Stream(screen, work) => self.streams.push((screen, tokio::spawn(work))),
                    Effect::Edit { text, extension, then } => {
                        self.outside.push(Outside::Edit { text, extension, then });
                    }
                    Effect::Copy(text) => self.outside.push(Outside::Copy(text)),
                    Effect::Open(target) => self.outside.push(Outside::Open(target)),
                    Effect::Go(destination) => self.ui.go(destination, now),
                    Effect::LogOut => {
                        self.ui.logs_out = true;
                        self.ui.end(now);
                    }
                }
            }
        }
        let ui = &self.ui;
        self.work.retain(|(screen, work)| {
            let open = screen.is_none_or(|screen| ui.is_open(screen));
            if !open {
                work.abort();
            }
            open && !work.is_finished()
        });
        self.streams.retain(|(screen, work)| {
            let open = ui.is_open(*screen);
            if !open {
                work.abort();
            }
            open && !work.is_finished()
        });
        self.keep();
    }

    /// Whether every answer has arrived, apart from streams and news.
    #[cfg(test)]
    pub(crate) fn is_idle(&self) -> bool {
        self.work.iter().all(|(_, work)| work.is_finished()) && self.updates.is_empty() && self.signals.is_empty()
    }

    /// Writes drafts and the outbox, one write at a time. A failure is told once, until a write succeeds.
    fn keep(&mut self) {
        if self.writing.is_none() {
            let unwritten = self.ui.shared.kept.unwritten();
            self.writing = unwritten.map(|(file, content)| tokio::spawn(write_private(file, content)));
        }
    }

    fn written(&mut self, outcome: io::Result<()>) {
        let Err(error) = outcome else {
            self.unwritable = false;
            return;
        };
        if !std::mem::replace(&mut self.unwritable, true) {
            tracing::warn!(target: "svc::tui", %error, "drafts cannot be kept");
            let now = self.now();
            let message = format!("Drafts cannot be kept ({error}): check the disk and ~/.local/state/svc/tui.");
            self.ui.shared.failed(&Failure::unreachable(message), now);
        }
    }

    /// Ends the work: screens are closed, changes that are on their way get a moment, the live feed is left, and
    /// everything that was written is on the disk. Called before the end.
    pub(crate) async fn finish(&mut self) {
        let now = self.now();
        self.ui.end(now);
        self.carry_out();
        let (changes, others): (Vec<_>, Vec<_>) = self.work.drain(..).partition(|(screen, _)| screen.is_none());
        let mut changes: Vec<_> = changes.into_iter().map(|(_, work)| work).collect();
        // A message whose answer does not arrive in time stays in the outbox, with its key.
        drop(tokio::time::timeout(LAST_CHANGES, join_all(&mut changes)).await);
        while let Ok(update) = self.updates.try_recv() {
            self.apply(update);
        }
        self.keep();
        while let Some(writing) = self.writing.take() {
            let outcome = ended(&mut Some(writing)).await;
            self.written(outcome);
            self.keep();
        }
        let streams = self.streams.drain(..).map(|(_, work)| work);
        let others = others.into_iter().map(|(_, work)| work);
        let rest: Vec<_> = others.chain(streams).chain(changes).filter(|work| !work.is_finished()).collect();
        for work in rest.iter().chain([&self.link]) {
            work.abort();
        }
        join_all(rest).await;
        drop((&mut self.link).await);
    }
}

/// The end of a write; it does not come while there is none.
async fn ended(writing: &mut Option<JoinHandle<io::Result<()>>>) -> io::Result<()> {
    match writing {
        Some(writing) => writing.await.unwrap_or_else(|stopped| Err(io::Error::other(stopped))),
        None => std::future::pending().await,
    }
}
