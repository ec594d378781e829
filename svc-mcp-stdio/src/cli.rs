//! The command line, and the program around it.
//!
//! Invariants: exit code 0 is success, 2 is an error with one sentence on standard error that says what to do, 3 is a
//! wait that ended without a message.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use svc_core::formats::spans;
use svc_core::{Error, Result};
use svc_mcp::Profile;

use crate::hooks::HooksCommand;
use crate::key::Key;
use crate::location::{HubLocation, Target};
use crate::{bridge, embedded, hooks, logging, signals, wait};

/// Time limit of the runtime for releasing threads that read from a terminal.
const LETTING_GO: Duration = Duration::from_millis(100);

const EXAMPLES: &str = "\
Examples:
  SVC_AGENT_KEY=… svc-mcp-stdio --data /var/lib/svc
      Serve MCP on standard input and output, on the store of a hub on this machine.
  SVC_AGENT_KEY=… svc-mcp-stdio --url https://hub.example.org --tools compact
      Serve MCP for a remote hub, with the short list of tools.
  SVC_AGENT_KEY=… svc-mcp-stdio --data /var/lib/svc wait --timeout 1h
      Wait for a message; exit code 0 when there is one, 3 on timeout.

SVC_AGENT_KEY is the key of the agent. SVC_SECRET_KEY is the hub's, if it has one.
Exit codes: 0 success, 2 error, 3 timeout of a wait.";

/// Connect an agent to a hub through standard input and output, with the Model Context Protocol.
#[derive(Debug, Parser)]
#[command(name = "svc-mcp-stdio", version, after_help = EXAMPLES)]
pub struct Flags {
    #[command(flatten)]
    location: HubLocation,

    /// Tool list; all tools can be called either way [default: set by the key]
    #[arg(long, env = "SVC_TOOLS", value_enum)]
    tools: Option<Tools>,

    /// Log level on standard error: error, warn, info, debug, trace, or directives
    #[arg(long, global = true, env = "SVC_LOG_LEVEL", value_name = "LEVEL", default_value = "warn")]
    log_level: String,

    #[command(subcommand)]
    command: Option<Command>,
}

/// Tool list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    /// All of them.
    Full,
    /// The everyday ones.
    Compact,
    /// All of them, with output schemas.
    Typed,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Wait until there is a message for the agent, and print one line of JSON about it
    Wait(WaitFlags),
    /// Manage hooks with which a client checks for messages between turns
    #[command(subcommand)]
    Hooks(HooksCommand),
}

/// Options of a wait.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WaitFlags {
    /// Timeout: 90s, 15m, 1h
    #[arg(long, value_name = "DURATION", default_value = "1h", allow_hyphen_values = true, value_parser = spans::parse)]
    pub(crate) timeout: Duration,

    /// Only messages with larger ids
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<i64>,

    /// Act as a hook of a client: read its event, answer in its format, and never block it
    #[arg(long)]
    pub(crate) hook: bool,
}

/// Runs the program: parses the arguments, serves until the pipe ends, and returns the exit code.
pub fn main_with<I>(arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    // Fails only when an embedding program has installed a provider already.
    rustls::crypto::ring::default_provider().install_default().ok();
    let flags = match Flags::try_parse_from(arguments) {
        Ok(flags) => flags,
        Err(refusal) => {
            // Help and version arrive here too and end with success; clap knows which is which.
            drop(refusal.print());
            return ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(2));
        }
    };
    // A client takes exit code 2 of a hook as an order to stop, and 1 as a warning.
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
        Error::unavailable("no_threads", "Cannot start threads: raise the process limit of this user (ulimit -u).")
            .with_source(error)
    })?;
    let outcome = runtime.block_on(async {
        match flags.command {
            None => Box::pin(serve(flags.location, flags.tools)).await.map(|()| ExitCode::SUCCESS),
            Some(Command::Wait(wanted)) => wait::run(flags.location, wanted).await,
            Some(Command::Hooks(command)) => hooks::run(&flags.location, command).await.map(|()| ExitCode::SUCCESS),
        }
    });
    // A pending read from a terminal cannot be cancelled.
    runtime.shutdown_timeout(LETTING_GO);
    outcome
}

async fn serve(location: HubLocation, tools: Option<Tools>) -> Result<()> {
    let stop = signals::asked_to_stop()?;
    let target = location.target()?;
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

/// Error text: an invalid setting is named by its flag.
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
