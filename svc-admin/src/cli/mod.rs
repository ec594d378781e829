//! The command line: one subcommand per method, tables for people and JSON for programs.
//!
//! Exit codes: 0 it worked, 1 it did not or something is wrong with the hub, 2 the command was
//! not understood.

mod args;
mod db;
mod output;
mod status;
mod table;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::client::{Client, ClientError};
use crate::socket;
use args::{Args, Command, DbCommand};
use output::{Output, print, print_error};

/// What a command found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// All is well.
    Fine,
    /// The command worked; the hub is not well.
    Wrong,
}

/// Runs the command line.
pub fn main_with<I, A>(arguments: I) -> ExitCode
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help that is asked for is no failure; when it cannot be printed, nobody is reading.
            drop(error.print());
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if let Command::Completions { shell } = args.command {
        return print(&completions(shell));
    }
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return print_error(&format!("The system gives no resources to run ({error}): try again later.")),
    };
    match runtime.block_on(run(&args)) {
        Ok((text, verdict)) => match (print(&text), verdict) {
            (printed, Verdict::Fine) => printed,
            (_, Verdict::Wrong) => ExitCode::FAILURE,
        },
        Err(error) => print_error(&error.to_string()),
    }
}

async fn run(args: &Args) -> Result<(String, Verdict), ClientError> {
    let path = args.socket.clone().unwrap_or_else(|| socket::socket_path(&args.data));
    let mut client = Client::connect(&path).await?;
    let output = Output::new(args.output);
    match &args.command {
        Command::Status => status::show(&mut client, &output).await,
        Command::Db(DbCommand::Check) => db::check(&mut client, &output).await,
        Command::Completions { shell } => Ok((completions(*shell), Verdict::Fine)),
    }
}

fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "svc-admin", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example() {
        fn look(command: &clap::Command, path: &str) {
            let path = format!("{path} {}", command.get_name());
            for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
                look(inner, &path);
            }
            let example = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(example.contains("Example"), "{path} has no example");
        }
        look(&Args::command(), "");
    }

    #[test]
    fn completions_know_the_subcommands() {
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            assert!(completions(shell).contains("status"), "{shell}");
        }
    }
}
