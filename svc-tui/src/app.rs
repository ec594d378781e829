//! The program with a terminal: reads keys, draws, and runs editors.
//!
//! Invariants: a picture is drawn after a change, and at most every [`FRAME`], however many events arrive. Keys are
//! read in between, so that they never wait for events.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use tokio::time::Instant;

use crate::input::Input;
use crate::runner::{Outside, Runner};
use crate::signals::Stop;
use crate::state::overlay::Overlay;
use crate::terminal::Screen;
use crate::view::frame;
use crate::view::look::Look;

/// The shortest time between two pictures.
const FRAME: Duration = Duration::from_millis(33);
/// The time after which relative times are drawn again.
const TICK: Duration = Duration::from_secs(1);

/// How the person sees the screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Eyes {
    /// Styles.
    pub(crate) look: Look,
    /// The offset of the local time zone from UTC, in minutes.
    pub(crate) zone: i32,
}

/// Runs the UI until the person or the system ends it, and ends its work.
pub(crate) async fn run(runner: &mut Runner, screen: &mut Screen, eyes: &Eyes, stop: &mut Stop) -> io::Result<()> {
    let shown = show(runner, screen, eyes, stop).await;
    runner.finish().await;
    shown
}

async fn show(runner: &mut Runner, screen: &mut Screen, eyes: &Eyes, stop: &mut Stop) -> io::Result<()> {
    let mut keys = Some(EventStream::new());
    let mut input = Input::default();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    let mut next_frame = Instant::now();
    let mut changed = true;
    while !runner.ui.quit {
        let due = changed && Instant::now() >= next_frame;
        if due {
            let now = runner.now();
            screen.terminal.draw(|frame| frame::draw(&mut runner.ui, frame, &eyes.look, now, eyes.zone))?;
            next_frame = Instant::now() + FRAME;
            changed = false;
        }
        tokio::select! {
            biased;
            () = stop.asked() => break,
            event = next_key(&mut keys) => {
                let Some(event) = event else { break };
                let event = event?;
                let menu = matches!(runner.ui.overlay, Some(Overlay::Menu(_)));
                if let Some(action) = input.action(&event, runner.ui.mode(), menu) {
                    runner.act(&action);
                    // A key is answered at once.
                    next_frame = Instant::now();
                }
                changed = true;
            }
            () = runner.next() => changed = true,
            () = tokio::time::sleep_until(next_frame), if changed => {}
            _ = tick.tick() => {
                runner.tick();
                changed = true;
            }
        }
        for outside in std::mem::take(&mut runner.outside) {
            changed = true;
            do_outside(outside, runner, screen, &mut keys).await?;
            // Ctrl+C in the editor reaches all programs in the terminal.
            stop.forget_interrupt()?;
        }
    }
    Ok(())
}

async fn next_key(keys: &mut Option<EventStream>) -> Option<io::Result<Event>> {
    match keys {
        Some(keys) => keys.next().await,
        None => std::future::pending().await,
    }
}

async fn do_outside(
    outside: Outside,
    runner: &mut Runner,
    screen: &mut Screen,
    keys: &mut Option<EventStream>,
) -> io::Result<()> {
    let now = runner.now();
    match outside {
        Outside::Copy(text) => {
            if !Screen::copy(&text)? {
                runner.ui.shared.note("The text is too long for the clipboard of the terminal.", now);
            }
        }
        Outside::Open(target) => {
            if !open(&target) {
                runner.ui.shared.note(&target, now);
            }
        }
        Outside::Edit { text, extension, then } => {
            // The editor reads the keys now.
            *keys = None;
            Screen::suspend()?;
            let edited = edit(&text, extension).await;
            screen.resume()?;
            *keys = Some(EventStream::new());
            match edited {
                Ok(edited) => runner.edited(then, edited),
                Err(reason) => runner.ui.shared.note(&reason, now),
            }
        }
    }
    Ok(())
}

/// Opens a link or a file with the program of the desktop. Says whether there is one.
fn open(target: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = tokio::process::Command::new(program);
    command.arg(target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

/// Opens a text in the editor of the person. `None` when it was not changed.
async fn edit(text: &str, extension: &str) -> Result<Option<String>, String> {
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()));
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let told = |error: io::Error| format!("The editor cannot be used: {error}.");
    let file = tempfile::Builder::new().prefix("svc-").suffix(&format!(".{extension}")).tempfile().map_err(told)?;
    tokio::fs::write(file.path(), text).await.map_err(told)?;
    // The value may have arguments, as shells and other programs allow.
    let script = format!("{editor} \"$1\"");
    let status: ExitStatus =
        tokio::process::Command::new("sh").args(["-c", &script, "sh"]).arg(file.path()).status().await.map_err(told)?;
    if !status.success() {
        return Err(format!(
            "The editor ended with an error, so nothing was changed. Set EDITOR to another one than {editor}."
        ));
    }
    // Editors may replace the file, so it is read by its name.
    let new = tokio::fs::read_to_string(file.path()).await.map_err(told)?;
    Ok((new != text).then_some(new))
}
