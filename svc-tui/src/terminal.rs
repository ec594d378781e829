//! The terminal: taken over at the start, given back at the end, also after a panic or `kill -9`.
//!
//! Invariants: the terminal is left as it was found. A process that is killed cannot do that itself, so a second
//! process, the guard, waits at a pipe: when the pipe closes without a farewell, it resets the terminal. The modes of
//! the line, such as echo, are restored by the shell, as after every program that was killed; a process in the
//! background cannot.

use std::io::{self, Read, Write, stdout};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

/// The argument with which the program is its own guard.
pub(crate) const GUARD: &str = "restore-terminal";
/// Leaves the second screen, shows the cursor, ends mouse reports and bracketed paste, resets colours.
const RESET: &[u8] = b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1049l\x1b[?25h\x1b[0m";
/// Maximum size of a text that is copied; terminals drop larger ones.
const COPY_MAX: usize = 74_000;

/// Where pictures are drawn.
type Drawn = Terminal<CrosstermBackend<io::BufWriter<io::Stdout>>>;

fn terminal() -> io::Result<Drawn> {
    Terminal::new(CrosstermBackend::new(io::BufWriter::with_capacity(64 * 1024, stdout())))
}

/// The terminal, taken over.
pub(crate) struct Screen {
    /// Where pictures are drawn.
    pub(crate) terminal: Drawn,
    guard: Option<Child>,
}

impl Screen {
    /// Takes the terminal over.
    pub(crate) fn open() -> io::Result<Self> {
        let guard = guard().ok();
        enter()?;
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            drop(leave());
            previous(panic);
        }));
        Ok(Self { terminal: terminal()?, guard })
    }

    /// Gives the terminal back while something else uses it.
    pub(crate) fn suspend() -> io::Result<()> {
        leave()
    }

    /// Takes the terminal over again.
    pub(crate) fn resume(&mut self) -> io::Result<()> {
        enter()?;
        // A new one draws everything. Clearing the old one would ask the terminal for the position of the cursor,
        // whose answer may be read as keys.
        self.terminal = terminal()?;
        Ok(())
    }

    /// Copies a text to the clipboard, through the terminal (OSC 52). Says whether it was short enough.
    pub(crate) fn copy(text: &str) -> io::Result<bool> {
        if text.len() > COPY_MAX {
            return Ok(false);
        }
        let mut out = stdout();
        write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
        out.flush()?;
        Ok(true)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(leave());
        if let Some(mut guard) = self.guard.take() {
            // The farewell: the guard ends without resetting.
            if let Some(mut pipe) = guard.stdin.take() {
                drop(pipe.write_all(b"."));
            }
            drop(guard.wait());
        }
    }
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture, EnableBracketedPaste)
}

fn leave() -> io::Result<()> {
    disable_raw_mode()?;
    execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, cursor::Show)
}

/// Starts the guard.
fn guard() -> io::Result<Child> {
    let program = std::env::current_exe()?;
    let mut command = Command::new(program);
    // In a group of its own, keys such as Ctrl+C in an editor do not end it.
    command.arg(GUARD).process_group(0).stdin(Stdio::piped()).stdout(Stdio::inherit()).stderr(Stdio::null()).spawn()
}

/// The guard: waits for the end of the program, and resets the terminal when there was no farewell.
pub(crate) fn run_guard() -> io::Result<()> {
    let mut farewell = Vec::new();
    io::stdin().take(16).read_to_end(&mut farewell)?;
    if farewell.is_empty() {
        let mut out = stdout();
        out.write_all(RESET)?;
        out.flush()?;
    }
    Ok(())
}
