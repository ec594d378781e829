//! What a screen can do beyond its own state: ask the hub, go elsewhere, ask the person.
//!
//! Invariants: a screen never waits. It hands over a future, whose result is applied to it later, if it is still open.
//! Work of a screen that was closed is cancelled, unless it changes something at the hub.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use svc_core::Timestamp;
use tokio::sync::mpsc;

use super::destination::Destination;
use super::overlay::{Menu, Overlay, Prompt};
use super::screen::Screen;
use super::shared::Shared;
use crate::backend::{Backend, Failure, Result};

/// The number of a screen that is or was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ScreenId(pub(crate) u64);

/// A change of the state, as the result of work.
pub(crate) type Change<T> = Box<dyn FnOnce(&mut T, &mut Context<'_>) + Send>;

/// Gets the text of an editor; `None` when it was not changed.
pub(crate) type Edited = Box<dyn FnOnce(&mut dyn Screen, Option<String>, &mut Context<'_>) + Send>;
/// Gets the chosen key of a menu.
pub(crate) type Chosen = Box<dyn FnOnce(&mut dyn Screen, char, &mut Context<'_>) + Send>;
/// Gets the line of a prompt.
pub(crate) type Entered = Box<dyn FnOnce(&mut dyn Screen, String, &mut Context<'_>) + Send>;
/// Applies a part of an answer to a screen.
type Apply<S, T> = Arc<dyn Fn(&mut S, T, &mut Context<'_>) + Send + Sync>;

/// A result of work, on its way to the state.
pub(crate) enum Update {
    /// For one screen.
    Screen(ScreenId, Change<dyn Screen>),
    /// For what all screens share.
    Shared(Box<dyn FnOnce(&mut Context<'_>) + Send>),
}

/// Work that runs beside the UI.
pub(crate) type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Something that the program does for a screen.
pub(crate) enum Effect {
    /// Runs work. Work that is bound to a screen ends with it.
    Work(Option<ScreenId>, Work),
    /// Runs work that goes on as long as its screen.
    Stream(ScreenId, Work),
    /// Opens a screen.
    Go(Destination),
    /// Opens a text in the editor of the person; `None` is passed on when it was not changed.
    Edit {
        /// The text.
        text: String,
        /// The ending of the file name, such as `md`.
        extension: &'static str,
        /// Gets the new text.
        then: Edited,
    },
    /// Copies to the clipboard of the terminal (OSC 52).
    Copy(String),
    /// Opens a link or a file with the program of the desktop.
    Open(String),
    /// Ends the login and the program.
    LogOut,
}

/// Where the results of work go.
pub(crate) type Updates = mpsc::UnboundedSender<Update>;

/// The surroundings of a screen during one call.
pub(crate) struct Context<'c> {
    /// What all screens share.
    pub(crate) shared: &'c mut Shared,
    /// The time.
    pub(crate) now: Timestamp,
    /// Whether the screen is the one that the person sees.
    pub(crate) on_top: bool,
    pub(super) hub: &'c Arc<dyn Backend>,
    pub(super) screen: ScreenId,
    pub(super) updates: &'c Updates,
    pub(super) effects: &'c mut Vec<Effect>,
    pub(super) overlay: &'c mut Option<Overlay>,
}

/// Sends parts of an answer to a screen, one at a time.
pub(crate) struct Parts<S, T> {
    screen: ScreenId,
    updates: Updates,
    apply: Apply<S, T>,
}

impl<S: Screen, T: Send + 'static> Parts<S, T> {
    /// Sends a part. It is dropped if the screen is closed.
    pub(crate) fn send(&self, part: T) {
        let apply = self.apply.clone();
        let change: Change<dyn Screen> = Box::new(move |screen, context| {
            if let Some(screen) = (screen as &mut dyn Any).downcast_mut::<S>() {
                apply(screen, part, context);
            }
        });
        drop(self.updates.send(Update::Screen(self.screen, change)));
    }
}

impl Context<'_> {
    /// Asks the hub something, and applies the answer to the screen `S` that asked. The request is cancelled when the
    /// screen is closed.
    pub(crate) fn ask<S, T, F, R>(
        &mut self,
        request: R,
        apply: impl FnOnce(&mut S, Result<T>, &mut Context<'_>) + Send + 'static,
    ) where
        S: Screen,
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send,
        R: FnOnce(Arc<dyn Backend>) -> F + Send + 'static,
    {
        let work = self.work(request, apply);
        self.effects.push(Effect::Work(Some(self.screen), work));
    }

    /// Changes something at the hub. Unlike [`Context::ask`], it is carried out also if the screen is closed meanwhile.
    pub(crate) fn change<S, T, F, R>(
        &mut self,
        request: R,
        apply: impl FnOnce(&mut S, Result<T>, &mut Context<'_>) + Send + 'static,
    ) where
        S: Screen,
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send,
        R: FnOnce(Arc<dyn Backend>) -> F + Send + 'static,
    {
        let work = self.work(request, apply);
        self.effects.push(Effect::Work(None, work));
    }

    fn work<S, T, F, R>(
        &self,
        request: R,
        apply: impl FnOnce(&mut S, Result<T>, &mut Context<'_>) + Send + 'static,
    ) -> Work
    where
        S: Screen,
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send,
        R: FnOnce(Arc<dyn Backend>) -> F + Send + 'static,
    {
        let (hub, screen, updates) = (self.hub.clone(), self.screen, self.updates.clone());
        Box::pin(async move {
            let answer = request(hub).await;
            let change: Change<dyn Screen> = Box::new(move |screen, context| {
                if let Some(screen) = (screen as &mut dyn Any).downcast_mut::<S>() {
                    apply(screen, answer, context);
                }
            });
            drop(updates.send(Update::Screen(screen, change)));
        })
    }

    /// Starts work that sends many parts to the screen. It is cancelled when the screen is closed.
    pub(crate) fn stream<S, T, F, R>(
        &mut self,
        work: R,
        apply: impl Fn(&mut S, T, &mut Context<'_>) + Send + Sync + 'static,
    ) where
        S: Screen,
        T: Send + 'static,
        F: Future<Output = ()> + Send,
        R: FnOnce(Arc<dyn Backend>, Parts<S, T>) -> F + Send + 'static,
    {
        let parts = Parts { screen: self.screen, updates: self.updates.clone(), apply: Arc::new(apply) };
        let hub = self.hub.clone();
        self.effects.push(Effect::Stream(self.screen, Box::pin(async move { work(hub, parts).await })));
    }

    /// Asks the hub something that concerns all screens.
    pub(crate) fn ask_shared<T, F, R>(
        &mut self,
        request: R,
        apply: impl FnOnce(Result<T>, &mut Context<'_>) + Send + 'static,
    ) where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send,
        R: FnOnce(Arc<dyn Backend>) -> F + Send + 'static,
    {
        let (hub, updates) = (self.hub.clone(), self.updates.clone());
        let work: Work = Box::pin(async move {
            let answer = request(hub).await;
            drop(updates.send(Update::Shared(Box::new(move |context| apply(answer, context)))));
        });
        self.effects.push(Effect::Work(None, work));
    }

    /// Goes to a screen.
    pub(crate) fn go(&mut self, destination: Destination) {
        self.effects.push(Effect::Go(destination));
    }

    /// Shows a short note in the footer.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.shared.note(&text.into(), self.now);
    }

    /// Shows a failure in the footer.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.shared.failed(failure, self.now);
    }

    /// Copies a text to the clipboard.
    pub(crate) fn copy(&mut self, text: impl Into<String>) {
        self.effects.push(Effect::Copy(text.into()));
    }

    /// Opens a link or a file.
    pub(crate) fn open(&mut self, target: impl Into<String>) {
        self.effects.push(Effect::Open(target.into()));
    }

    /// Ends the login and the program.
    pub(crate) fn log_out(&mut self) {
        self.effects.push(Effect::LogOut);
    }

    /// Opens a text in the editor of the person.
    pub(crate) fn edit<S: Screen>(
        &mut self,
        text: String,
        extension: &'static str,
        then: impl FnOnce(&mut S, Option<String>, &mut Context<'_>) + Send + 'static,
    ) {
        let then = Box::new(move |screen: &mut dyn Screen, text: Option<String>, context: &mut Context<'_>| {
            if let Some(screen) = (screen as &mut dyn Any).downcast_mut::<S>() {
                then(screen, text, context);
            }
        });
        self.effects.push(Effect::Edit { text, extension, then });
    }

    /// Lets the person choose one of several things with one key.
    pub(crate) fn menu<S: Screen>(
        &mut self,
        title: impl Into<String>,
        items: Vec<(char, String)>,
        then: impl FnOnce(&mut S, char, &mut Context<'_>) + Send + 'static,
    ) {
        let then = Box::new(move |screen: &mut dyn Screen, choice: char, context: &mut Context<'_>| {
            if let Some(screen) = (screen as &mut dyn Any).downcast_mut::<S>() {
                then(screen, choice, context);
            }
        });
        *self.overlay = Some(Overlay::Menu(Menu { title: title.into(), items, selected: 0, then }));
    }

    /// Asks the person whether to do something that cannot be undone.
    pub(crate) fn confirm<S: Screen>(
        &mut self,
        question: impl Into<String>,
        then: impl FnOnce(&mut S, &mut Context<'_>) + Send + 'static,
    ) {
        let items = vec![('n', "No".to_owned()), ('y', "Yes".to_owned())];
        self.menu(question, items, move |screen: &mut S, choice, context| {
            if choice == 'y' {
                then(screen, context);
            }
        });
    }

    /// Asks the person for a line of text. An empty line is passed on too.
    pub(crate) fn prompt<S: Screen>(
        &mut self,
        title: impl Into<String>,
        text: &str,
        then: impl FnOnce(&mut S, String, &mut Context<'_>) + Send + 'static,
    ) {
        let then = Box::new(move |screen: &mut dyn Screen, text: String, context: &mut Context<'_>| {
            if let Some(screen) = (screen as &mut dyn Any).downcast_mut::<S>() {
                then(screen, text, context);
            }
        });
        *self.overlay = Some(Overlay::Prompt(Prompt::new(title.into(), text, then)));
    }
}
