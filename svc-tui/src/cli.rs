//! The command line, and the program around it.
//!
//! Invariants: exit code 0 is success, 2 is an error with one sentence on standard error that says what to do. While
//! the UI is on screen nothing is written to standard output or standard error; the log goes to a file, if one is given.

use std::ffi::OsString;
use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{CommandFactory, Parser, Subcommand};
use crossterm::event::EventStream;
use futures_util::StreamExt;
use svc_core::clock::{Clock, SystemClock, SystemEntropy, random_hex};
use svc_core::{Error, ErrorKind, Result, Timestamp};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::action::Action;
use crate::app::{self, Eyes};
use crate::backend::{Backend, Cause, Failure};
use crate::config_dir;
use crate::input::Input;
use crate::location::{HubLocation, Target};
use crate::login::{self, Credentials, KeptLogin};
use crate::runner::Runner;
use crate::signals::Stop;
use crate::state::kept::Kept;
use crate::state::login_form::{LoginForm, LoginOutcome};
use crate::state::screen::Mode;
use crate::state::shared::{Connection, Shared};
use crate::terminal::{self, Screen};
use crate::view::look::Look;

/// Time limit of the runtime for work that is still under way at the end.
const LETTING_GO: Duration = Duration::from_millis(200);

/// The time in which the hub says at the start that a kept login still works.
const GREETING: Duration = Duration::from_secs(3);

const EXAMPLES: &str = "\
Examples:
  svc-tui
      The hub on this machine, at http://127.0.0.1:8080.
  svc-tui --url https://hub.example.org
      A hub elsewhere. The login is kept in ~/.config/svc.
  svc-tui --data /var/lib/svc
      The store of a hub on this machine, beside its server or without one.
  svc-tui --url https://hub.example.org login --device
      Log in in a browser, as one of your agents.

Press ? for the keys of a screen, Ctrl+K for the palette, and q to end.
SVC_KEY is a key to act with instead of a login. NO_COLOR turns colours off.
Exit codes: 0 success, 2 error.";

/// The hub in a terminal: conversations, work, runs, goals and the wiki.
#[derive(Debug, Parser)]
#[command(name = "svc-tui", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    #[command(flatten)]
    location: HubLocation,

    /// Username to log in with
    #[arg(long, global = true, value_name = "NAME")]
    username: Option<String>,

    /// File for the log; without it nothing is logged
    #[arg(long, global = true, env = "SVC_LOG_FILE", value_name = "FILE")]
    log_file: Option<PathBuf>,

    /// Log level: error, warn, info, debug, trace, or directives
    #[arg(long, global = true, env = "SVC_LOG_LEVEL", value_name = "LEVEL", default_value = "warn")]
    log_level: String,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Log in and keep the login
    Login {
        /// Log in in a browser, with a code, as one of your agents
        #[arg(long, required = true)]
        device: bool,
    },
    /// End the kept login and forget it
    Logout,
    /// Wait for the end of the program, and reset the terminal
    #[command(name = terminal::GUARD, hide = true)]
    Guard,
}

/// The command line with all subcommands, from which manual pages and completions are made.
pub fn command() -> clap::Command {
    Flags::command()
}

/// Runs the program: parses the arguments, shows the UI, and returns the exit code.
pub fn main_with<I>(arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let flags = match Flags::try_parse_from(arguments) {
        Ok(flags) => flags,
        Err(refusal) => {
            // Help and version arrive here too and end with success; clap knows which is which.
            drop(refusal.print());
            return ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(2));
        }
    };
    if matches!(flags.command, Some(Command::Guard)) {
        return if terminal::run_guard().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    // Fails only when an embedding program has installed a provider already.
    rustls::crypto::ring::default_provider().install_default().ok();
    match run(&flags) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc-tui: {}", sentence(&error));
            ExitCode::from(2)
        }
    }
}

fn run(flags: &Flags) -> Result<()> {
    start_log(flags)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        Error::unavailable("no_threads", "Cannot start threads: raise the process limit of this user (ulimit -u).")
            .with_source(error)
    })?;
    let target = flags.location.clone().target()?;
    let outcome = runtime.block_on(async {
        match &flags.command {
            Some(Command::Login { .. }) => log_in_with_device(&target).await,
            Some(Command::Logout) => log_out(&target).await,
            _ => Box::pin(show(&target, flags.username.as_deref().unwrap_or(""))).await,
        }
    });
    runtime.shutdown_timeout(LETTING_GO);
    outcome
}

fn start_log(flags: &Flags) -> Result<()> {
    let Some(path) = &flags.log_file else { return Ok(()) };
    let filter = EnvFilter::builder()
        .parse(&flags.log_level)
        .map_err(|_| Error::invalid("log_level", "must be error, warn, info, debug, trace, or directives"))?;
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    let file = options.open(path).map_err(|error| {
        Error::invalid("log_file", format!("cannot be opened ({error}): choose a file that you can write"))
    })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::sync::Mutex::new(file));
    // An embedding program may have set up logging already; its setup is kept.
    drop(lines.with_ansi(false).finish().try_init());
    Ok(())
}

async fn log_in_with_device(target: &Target) -> Result<()> {
    let login = login::log_in_with_device(target, |invitation| println!("{invitation}")).await.map_err(told)?;
    if let Some(warning) = &login.warning {
        println!("{warning}");
    }
    println!("Logged in as {}.", crate::text::one_line(&login.user));
    Ok(())
}

async fn log_out(target: &Target) -> Result<()> {
    let ended = login::log_out(target).await.map_err(told)?;
    println!("{}", if ended { "Logged out." } else { "There was no login." });
    Ok(())
}

/// Shows the UI, with the login form before it if there is no login.
async fn show(target: &Target, username: &str) -> Result<()> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Error::new(
            ErrorKind::Invalid,
            "no_terminal",
            "Standard input and output must be a terminal: start svc-tui in one, without a pipe.",
        ));
    }
    let eyes = eyes();
    let mut stop = Stop::new().map_err(broken)?;
    let mut entered = None;
    let mut hint = String::new();
    if let Some(credentials) = login::known(target).await.map_err(told)? {
        let is_key = matches!(credentials, Credentials::Key(_));
        let asked = tokio::select! {
            asked = enter(target, credentials) => asked,
            () = stop.asked() => return Ok(()),
        };
        match asked {
            Ok(login) => entered = Some(login),
            Err(failure) if failure.cause == Cause::LoggedOut && !is_key => {
                hint.push_str("The login has ended: log in again.");
            }
            Err(failure) => return Err(told(failure)),
        }
    }
    let mut screen = Screen::open().map_err(broken)?;
    let entered = match entered {
        Some(entered) => Some(entered),
        None => ask(target, username, hint, &mut screen, &eyes, &mut stop).await?,
    };
    let Some(Entered { backend, login, away }) = entered else { return Ok(()) };
    let mut runner = Runner::start(backend.clone(), shared(target, &login, away).await, Arc::new(SystemClock));
    let shown = app::run(&mut runner, &mut screen, &eyes, &mut stop).await;
    let ended = if runner.ui.logs_out { Some(login::end_of_user(backend.as_ref(), &login).await) } else { None };
    login::close(backend.as_ref()).await;
    // The terminal is given back before anything is told.
    drop(screen);
    shown.map_err(broken)?;
    if let Some(ended) = ended {
        ended.map_err(told)?;
        println!("{}", if login.is_key() { "The key of SVC_KEY stays valid." } else { "Logged out." });
    }
    Ok(())
}

/// The shared state of all screens at the start.
async fn shared(target: &Target, login: &KeptLogin, away: Option<Failure>) -> Shared {
    let kept = match config_dir::state_file(&login.server, &login.user).await {
        Ok(file) => Kept::open(file).await,
        Err(_) => Kept::default(),
    };
    let notice = login.warning.clone().or_else(|| kept.notice().map(str::to_owned));
    let mut shared = Shared::new(target.name(), login.user.clone(), kept, random_hex(&SystemEntropy, 8));
    if let Some(notice) = notice {
        shared.note(&notice, SystemClock.now());
    }
    if let Some(failure) = away {
        shared.connection = Connection::Lost(failure.message);
    }
    shared
}

/// A login.
struct Entered {
    backend: Arc<dyn Backend>,
    login: KeptLogin,
    /// Why the hub could not be asked whether the login still works. The UI tries again.
    away: Option<Failure>,
}

/// A login that works, or a kept one whose hub is away.
async fn enter(target: &Target, credentials: Credentials) -> std::result::Result<Entered, Failure> {
    let (backend, login) = login::connect(target, credentials).await?;
    let away = match tokio::time::timeout(GREETING, backend.whoami()).await {
        Ok(Ok(_)) => None,
        Ok(Err(failure)) if failure.may_pass() => Some(failure),
        Ok(Err(failure)) => {
            login::close(backend.as_ref()).await;
            return Err(failure);
        }
        Err(_) => Some(Failure::unreachable("The hub does not answer.")),
    };
    Ok(Entered { backend, login, away })
}

/// Shows the login form until a login works; `None` when the person gives up.
async fn ask(
    target: &Target,
    username: &str,
    hint: String,
    screen: &mut Screen,
    eyes: &Eyes,
    stop: &mut Stop,
) -> Result<Option<Entered>> {
    let mut form = LoginForm::new(target.name(), username);
    if !hint.is_empty() {
        form.failed(&hint);
    } else if target.is_exposed() {
        form.failed("This connection is not encrypted: the password can be read on the way.");
    }
    let mut keys = EventStream::new();
    let mut input = Input::default();
    loop {
        let draw = |frame: &mut ratatui::Frame<'_>| {
            let area = frame.area();
            crate::view::login::draw(frame, area, &form, &eyes.look);
        };
        screen.terminal.draw(draw).map_err(broken)?;
        let event = tokio::select! {
            () = stop.asked() => return Ok(None),
            event = keys.next() => event,
        };
        let Some(event) = event.transpose().map_err(broken)? else { return Ok(None) };
        let Some(action) = input.action(&event, Mode::Line, false) else { continue };
        match form.act(&action) {
            LoginOutcome::Stays => {}
            LoginOutcome::Quit => return Ok(None),
            LoginOutcome::Submit { username, password } => {
                screen
                    .terminal
                    .draw(|frame| {
                        let area = frame.area();
                        crate::view::login::draw(frame, area, &form, &eyes.look);
                    })
                    .map_err(broken)?;
                let entered = tokio::select! {
                    entered = enter(target, Credentials::Password { username, password }) => entered,
                    () = given_up(&mut keys, &mut input) => return Ok(None),
                    () = stop.asked() => return Ok(None),
                };
                match entered {
                    Ok(entered) => return Ok(Some(entered)),
                    Err(failure) => form.failed(&failure.message),
                }
            }
        }
    }
}

/// Returns when the person gives up waiting for the login.
async fn given_up(keys: &mut EventStream, input: &mut Input) {
    while let Some(Ok(event)) = keys.next().await {
        if matches!(input.action(&event, Mode::Line, false), Some(Action::Quit | Action::Back)) {
            return;
        }
    }
}

/// Colours unless `NO_COLOR` says otherwise, and the local time zone.
fn eyes() -> Eyes {
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    Eyes { look: Look::new(colour), zone: zone(SystemClock.now()) }
}

/// The offset of the local time zone from UTC, in minutes.
fn zone(now: Timestamp) -> i32 {
    let Ok(now) = jiff::Timestamp::from_microsecond(now.as_micros()) else { return 0 };
    jiff::tz::TimeZone::system().to_offset(now).seconds() / 60
}

fn told(failure: Failure) -> Error {
    Error::new(ErrorKind::Unavailable, "hub", failure.message)
}

fn broken(error: std::io::Error) -> Error {
    Error::unavailable("terminal", format!("The terminal cannot be used: {error}.")).with_source(error)
}

/// Error text: an invalid setting is named by its flag.
fn sentence(error: &Error) -> String {
    match error.fields().first() {
        Some(fault) => format!("--{} {}.", fault.field.replace('_', "-"), fault.message),
        None => error.message().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::config_dir::KeptSecret;

    /// A kept login at this address.
    async fn start(address: std::net::SocketAddr) -> std::result::Result<Entered, Failure> {
        let location = HubLocation { url: Some(format!("http://{address}")), ..HubLocation::default() };
        let target = location.target().unwrap();
        let secret = KeptSecret::Session { token: "kept".into() };
        let login = KeptLogin { server: target.server().await, user: "ann".into(), secret, warning: None };
        enter(&target, Credentials::Kept(login)).await
    }

    #[tokio::test]
    async fn a_kept_login_starts_without_its_hub_and_a_refused_one_does_not() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let refusing = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut part = [0; 4096];
            let read = stream.read(&mut part).await.unwrap();
            assert!(part[..read].starts_with(b"GET /"));
            stream.write_all(b"HTTP/1.1 401 X\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}").await.unwrap();
        });
        assert_eq!(start(address).await.map(drop).unwrap_err().cause, Cause::LoggedOut);
        refusing.await.unwrap();
        // Nobody listens any more.
        let entered = start(address).await.unwrap();
        assert_eq!((entered.login.user.as_str(), entered.away.unwrap().cause), ("ann", Cause::Unreachable));
    }

    #[test]
    fn the_command_line_is_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn no_argument_carries_a_secret() {
        assert!(Flags::try_parse_from(["svc-tui", "--password", "x"]).is_err());
        assert!(Flags::try_parse_from(["svc-tui", "--key", "x"]).is_err());
    }
}
