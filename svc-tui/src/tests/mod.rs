//! The whole UI on a real hub, without a terminal: pictures of every screen, and what keys do.

mod away;
mod bench;
mod ending;
mod gate;
mod hub;
mod journey;
mod pictures;
mod robust;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;
use svc_core::Timestamp;
use svc_core::clock::Clock;

use self::hub::TestHub;
use crate::backend::Backend;
use crate::input::Input;
use crate::runner::Runner;
use crate::state::kept::Kept;
use crate::state::overlay::Overlay;
use crate::state::shared::Shared;
use crate::view::frame;
use crate::view::look::Look;

/// A bound that only a failure reaches.
const PATIENCE: Duration = Duration::from_secs(30);

/// The UI of a user in a window.
pub(crate) struct TestUi {
    /// The state with its work.
    pub(crate) runner: Runner,
    terminal: Terminal<TestBackend>,
    input: Input,
    look: Look,
}

impl TestUi {
    /// Logs a user in, and waits until the first screen is complete.
    pub(crate) async fn start(hub: &TestHub, user: &str, columns: u16, rows: u16) -> Self {
        Self::start_with(hub, user, Kept::default(), columns, rows).await
    }

    /// Logs a user in who has written something before, and waits until the first screen is complete.
    pub(crate) async fn start_with(hub: &TestHub, user: &str, kept: Kept, columns: u16, rows: u16) -> Self {
        let shared = Shared::new("test".into(), user.to_owned(), kept, format!("{user}-{columns}"));
        let mut ui = Self::open(hub.log_in(user).await, shared, hub, columns, rows);
        ui.until(|picture| picture.contains("● live") && !picture.contains("Loading")).await;
        while !ui.runner.ui.shared.conversations.known {
            tokio::time::timeout(PATIENCE, ui.runner.next()).await.expect("the conversations are read");
        }
        ui
    }

    /// The UI on a hub that may be away.
    pub(crate) fn open(backend: Arc<dyn Backend>, shared: Shared, hub: &TestHub, columns: u16, rows: u16) -> Self {
        let runner = Runner::start(backend, shared, hub.clock.clone());
        let terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        Self { runner, terminal, input: Input::default(), look: Look::new(true) }
    }

    /// Changes the size of the window.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.terminal.backend_mut().resize(columns, rows);
    }

    /// Draws with or without colour.
    pub(crate) fn set_look(&mut self, look: &Look) {
        self.look = *look;
    }

    /// Presses keys: letters, and names such as `<Enter>`, `<Esc>`, `<Tab>`, `<C-k>`, `<A-Enter>`.
    pub(crate) fn press(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(letter) = rest.chars().next() {
            let named = (letter == '<').then(|| rest.find('>')).flatten();
            let (key, used) = match named {
                Some(end) => (named_key(&rest[1..end]), end + 1),
                None => (KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE), letter.len_utf8()),
            };
            rest = &rest[used..];
            self.event(&Event::Key(key));
        }
    }

    /// Pastes a text.
    pub(crate) fn paste(&mut self, text: &str) {
        self.event(&Event::Paste(text.to_owned()));
    }

    fn event(&mut self, event: &Event) {
        let menu = matches!(self.runner.ui.overlay, Some(Overlay::Menu(_)));
        if let Some(action) = self.input.action(event, self.runner.ui.mode(), menu) {
            self.runner.act(&action);
        }
        self.draw();
    }

    fn draw(&mut self) {
        let (now, look, ui) = (self.runner.now(), self.look, &mut self.runner.ui);
        self.terminal.draw(|area| frame::draw(ui, area, &look, now, 0)).unwrap();
    }

    /// The picture, as lines of text.
    pub(crate) fn picture(&mut self) -> String {
        self.draw();
        self.terminal
            .backend()
            .to_string()
            .lines()
            .map(|line| line.trim_matches('"').trim_end())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The cells that are shown reversed, as text: the selection.
    pub(crate) fn reversed(&mut self) -> String {
        self.draw();
        let cells = self.terminal.backend().buffer().content().iter();
        cells.filter(|cell| cell.modifier.contains(Modifier::REVERSED)).map(ratatui::buffer::Cell::symbol).collect()
    }

    /// All cells.
    pub(crate) fn cells(&mut self) -> ratatui::buffer::Buffer {
        self.draw();
        self.terminal.backend().buffer().clone()
    }

    /// Waits for results and events until the picture is as expected, and returns it.
    pub(crate) async fn until(&mut self, expected: impl Fn(&str) -> bool) -> String {
        let waited = tokio::time::timeout(PATIENCE, async {
            loop {
                let picture = self.picture();
                if expected(&picture) {
                    return picture;
                }
                self.runner.next().await;
            }
        });
        let Ok(picture) = waited.await else { panic!("the picture stays:\n{}", self.picture()) };
        picture
    }

    /// Waits until every answer has arrived, and returns the picture.
    pub(crate) async fn idle(&mut self) -> String {
        let waited = tokio::time::timeout(PATIENCE, async {
            while !self.runner.is_idle() {
                self.draw();
                self.runner.next().await;
            }
        });
        waited.await.expect("answers arrive");
        self.picture()
    }

    /// Waits until a text is on screen.
    pub(crate) async fn shows(&mut self, text: &str) -> String {
        self.until(|picture| picture.contains(text)).await
    }
}

fn named_key(name: &str) -> KeyEvent {
    let (modifiers, name) = match name.split_once('-') {
        Some(("C", name)) => (KeyModifiers::CONTROL, name),
        Some(("A", name)) => (KeyModifiers::ALT, name),
        _ => (KeyModifiers::NONE, name),
    };
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "PageUp" => KeyCode::PageUp,
        "PageDown" => KeyCode::PageDown,
        "BS" => KeyCode::Backspace,
        letter => KeyCode::Char(letter.chars().next().unwrap_or('?')),
    };
    KeyEvent::new(code, modifiers)
}

/// A clock that stands still.
#[derive(Debug)]
pub(crate) struct StillClock(std::sync::Mutex<Timestamp>);

impl StillClock {
    fn new(micros: i64) -> Arc<Self> {
        Arc::new(Self(std::sync::Mutex::new(Timestamp::from_micros(micros))))
    }

    /// Moves the time.
    pub(crate) fn advance(&self, duration: Duration) {
        let mut now = self.0.lock().unwrap();
        *now = now.plus(duration);
    }
}

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}
