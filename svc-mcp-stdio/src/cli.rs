//! The command line, and the program around it.
//!
//! What always holds: 0 is a good end, 2 is a refusal with one sentence on standard error that says
//! what to do, 3 is a wait that ended without a message.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use svc_core::{Error, Result, spans};
use svc_mcp::Profile;

use crate::hooks::HooksCommand;
use crate::key::Key;
use crate::place::{Place, Target};
use crate::{bridge, embedded, hooks, logging, signals, wait};

/// How long the runtime may take to let go of threads that read from a terminal.
const LETTING_GO: Duration = Duration::from_millis(100);

const EXAMPLES: &str = "\
Examples:
  SVC_AGENT_KEY=… svc-mcp-stdio --data /var/lib/svc
      Serve MCP on standard input and output, on the store of a hub on this machine.
  SVC_AGENT_KEY=… svc-mcp-stdio --url https://hub.example.org --tools compact
      The same for a hub elsewhere, with the short list of tools.
  SVC_AGENT_KEY=… svc-mcp-stdio --data /var/lib/svc wait --timeout 1h
      Block until a message is there; 0 when it is, 3 when the time is over.

SVC_AGENT_KEY holds the key of the agent. SVC_SECRET_KEY is the hub's, where it has one.
Exit codes: 0 well, 2 refused, 3 nothing came in time.";

/// An agent's way to a hub through standard input and output, by the Model Context Protocol.
#[derive(Debug, Parser)]
#[command(name = "svc-mcp-stdio", version, after_help = EXAMPLES)]
pub struct Flags {
    #[command(flatten)]
    place: Place,

    /// Which tools are listed; all can be called either way [default: what the key says]
    #[arg(long, env = "SVC_TOOLS", value_enum)]
    tools: Option<Tools>,

    /// What to log on standard error: error, warn, info, debug, trace, or directives
    #[arg(long, global = true, env = "SVC_LOG_LEVEL", value_name = "LEVEL", default_value = "warn")]
    log_level: String,

    #[command(subcommand)]
    command: Option<Command>,
}

/// Which tools are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    /// All of them.
    Full,
    /// The everyday ones.
    Compact,
    /// All of them, with the schemas of their answers.
    Typed,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Block until a message is there for the agent, and print one line of JSON about it
    Wait(WaitFlags),
    /// Hooks by which a client looks for messages between turns
    #[command(subcommand)]
    Hooks(HooksCommand),
}

/// What is waited for.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WaitFlags {
    /// How long: 90s, 15m, 1h
    #[arg(long, value_name = "DURATION", default_value = "1h", allow_hyphen_values = true, value_parser = spans::parse)]
    pub(crate) timeout: Duration,

    /// Only messages with larger ids
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<i64>,

    /// Be a hook of a client: read its event, answer in its words, and never stand in its way
    #[arg(long)]
    pub(crate) hook: bool,
}

/// The whole program: reads the arguments, serves until the pipe ends, tells how it ended.
pub fn main_with<I>(arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    // An error only means that an embedding program has chosen already.
    rustls::crypto::ring::default_provider().install_default().ok();
    let flags = match Flags::try_parse_from(arguments) {
        Ok(flags) => flags,
        Err(refusal) => {
            // Help and version arrive here too and end well; clap knows which is which.
            drop(refusal.print());
            return ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(2));
        }
    };
    // A client takes 2 from a hook as an order to stop what it does, and 1 as a warning.
    let refused = if matches!(&flags.command, Some(Command::Wait(flags)) if flags.hook) { 1 } else { 2 };
    match run(flags) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("svc-mcp-stdio: {}", sentence(&error));
            tracing::debug!(target: "svc::mcp", error = error.log_line(), "ended with an error");
            ExitCode::from(refused)
        }
    }
}

fn run(flags: Flags) -> Result<ExitCode> {
    logging::start(&flags.log_level)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        Error::unavailable("no_threads", "No threads can be started: raise the limit on processes of this user.")
            .with_source(error)
    })?;
    let outcome = runtime.block_on(async {
        match flags.command {
            None => Box::pin(serve(flags.place, flags.tools)).await.map(|()| ExitCode::SUCCESS),
            Some(Command::Wait(wanted)) => wait::run(flags.place, wanted).await,
            Some(Command::Hooks(command)) => hooks::run(&flags.place, command).await.map(|()| ExitCode::SUCCESS),
        }
    });
    // Somebody may still sit at the other end of a terminal, and a read from it cannot be taken back.
    runtime.shutdown_timeout(LETTING_GO);
    outcome
}

async fn serve(place: Place, tools: Option<Tools>) -> Result<()> {
    let stop = signals::asked_to_stop()?;
    let target = place.target()?;
    let key = Key::from_environment()?;
    let profile = tools.map(Tools::profile);
    match target {
        Target::Store(config) => Box::pin(embedded::serve(*config, &key, profile, stop)).await,
        Target::Remote(address) => bridge::serve(&address, &key, profile, stop).await,
    }
}

impl Tools {
    fn profile(self) -> Profile {
        match self {
            Self::Full => Profile::Full,
            Self::Compact => Profile::Compact,
            Self::Typed => Profile::Typed,
        }
    }
}

/// A refused setting is told by the flag that carries it, anything else as it is.
fn sentence(error: &Error) -> String {
    match error.fields().first() {
        Some(fault) => format!("--{} {}.", fault.field.replace('_', "-"), fault.message),
        None => error.message().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn no_argument_carries_the_key() {
        let command = Flags::command();
        assert!(
            command.get_arguments().all(|argument| argument.get_env().is_none_or(|name| name != crate::key::AGENT_KEY))
        );
        assert!(Flags::try_parse_from(["svc-mcp-stdio", "--key", "x"]).is_err());
    }

    #[test]
    fn a_wait_takes_durations_as_people_write_them() {
        for (text, works) in
            [("90s", true), ("15m", true), ("1h", true), ("-3s", false), ("soon", false), ("0s", false)]
        {
            assert_eq!(Flags::try_parse_from(["svc-mcp-stdio", "wait", "--timeout", text]).is_ok(), works, "{text}");
        }
    }
}
