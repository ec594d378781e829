//! The command line: one subcommand per method, tables for people and JSON for programs.
//!
//! Exit codes: 0 for success, 1 for a failure or an unhealthy hub, 2 for invalid arguments.

mod agents;
mod archive;
mod args;
mod ask;
mod attachments;
mod audit;
mod backup;
mod backups;
mod channels;
mod clients;
mod context;
mod db;
mod dead_letters;
mod doctor;
mod draft;
mod export;
mod goals;
mod governance;
mod handlers;
mod invites;
mod keygen;
mod keys;
mod loops;
mod machines;
mod messages;
mod moments;
mod names;
mod onboarding;
mod outcome;
mod output;
mod progress;
mod refusal;
mod runs;
mod schedules;
mod secrets;
mod size;
mod status;
mod table;
mod tasks;
mod traces;
mod users;
mod webhooks;
mod when;
mod wiki;
mod words;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches};

use crate::client::{Client, ClientError};
use crate::socket;
use args::{Args, Command};
use context::Context;
use outcome::{Failure, Outcome};
use output::{Output, print, print_error};

/// The default data directory of a server.
const DEFAULT_DATA: &str = "./data";

/// The command line with all subcommands, from which manual pages and completions are made.
pub fn command() -> clap::Command {
    Args::command()
}

/// Runs the command line.
pub fn main_with<I, A>(arguments: I) -> ExitCode
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    svc_core::startup::keep_new_files_private();
    let args = match parse(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Requested help is not a failure; an error of printing it can be ignored.
            drop(error.print());
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if let Command::Completions { shell } = args.command {
        return print(&completions(shell));
    }
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return print_error(&format!("The system has no resources to start ({error}): try again later.")),
    };
    match runtime.block_on(run(&args)) {
        Ok(outcome) => outcome.print(),
        Err(failure) => failure.print(),
    }
}

fn parse<I, A>(arguments: I) -> Result<Args, clap::Error>
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let matches = Args::command().try_get_matches_from(arguments)?;
    let mut args = Args::from_arg_matches(&matches).map_err(|error| error.format(&mut Args::command()))?;
    args.data_is_an_option = matches.value_source("data") == Some(ValueSource::CommandLine);
    Ok(args)
}

async fn run(args: &Args) -> Result<Outcome, Failure> {
    let output = Output::new(args.output);
    if let Command::Machines(command) = &args.command
        && let Some(done) = command.without_server(&output).await
    {
        return done;
    }
    if let Command::Db(command) = &args.command {
        let data = args.data.as_deref().unwrap_or(Path::new(DEFAULT_DATA));
        if let Some(done) = command.without_server(data, &output).await {
            return done;
        }
    }
    if let Command::Backup(command) = &args.command {
        let data = args.data.as_deref().unwrap_or(Path::new(DEFAULT_DATA));
        if let Some(done) = command.without_server(data, &output).await {
            return done;
        }
    }
    let mut context = Context { client: connect(args).await?, output };
    match &args.command {
        Command::Status => status::show(&mut context).await,
        Command::Doctor => doctor::show(&mut context).await,
        Command::Users(command) => users::run(command, &mut context).await,
        Command::Invites(command) => invites::run(command, &mut context).await,
        Command::Agents(command) => agents::run(command, &mut context).await,
        Command::Keys(command) => keys::run(command, &mut context).await,
        Command::Messages(command) => messages::run(command, &mut context).await,
        Command::Clients(command) => clients::run(command, &mut context).await,
        Command::Channels(command) => channels::run(command, &mut context).await,
        Command::DeadLetters(command) => dead_letters::run(command, &mut context).await,
        Command::Tasks(command) => tasks::run(command, &mut context).await,
        Command::Webhooks(command) => webhooks::run(command, &mut context).await,
        Command::Runs(command) => runs::run(command, &mut context).await,
        Command::Handlers(command) => handlers::run(command, &mut context).await,
        Command::Goals(command) => goals::run(command, &mut context).await,
        Command::Wiki(command) => wiki::run(command, &mut context).await,
        Command::Loops(command) => loops::run(command, &mut context).await,
        Command::Machines(command) => machines::run(command, &mut context).await,
        Command::Secrets(command) => secrets::run(command, &mut context).await,
        Command::Attachments(command) => attachments::run(command, &mut context).await,
        Command::Audit(command) => audit::run(command, &mut context).await,
        Command::Traces(command) => traces::run(command, &mut context).await,
        Command::Backup(command) => backups::run(command, &mut context).await,
        Command::Db(command) => db::run(command, &mut context).await,
        Command::Completions { shell } => Ok(Outcome::new(completions(*shell))),
    }
}

/// Connects to the hub that is named: an option wins over the variables of the environment, and two options, or two
/// variables, must mean one hub.
async fn connect(args: &Args) -> Result<Client, ClientError> {
    let default = Path::new(DEFAULT_DATA);
    match (&args.socket, &args.data) {
        (Some(path), Some(data)) if args.data_is_an_option => Client::of_hub(path, data).await,
        (Some(path), data) => {
            let data = data.as_deref().unwrap_or(default);
            Client::connect_to(path, socket::owner(data)).await
        }
        (None, Some(data)) if args.data_is_an_option => Client::of_data_directory(data).await,
        (None, Some(data)) => match socket::named() {
            Some(path) => Client::of_hub(&path, data).await,
            None => Client::of_data_directory(data).await,
        },
        // No directory is given, so the socket of the environment need not belong to the default one.
        (None, None) => match socket::named() {
            Some(path) => Client::connect_to(&path, socket::owner(default)).await,
            None => Client::of_data_directory(default).await,
        },
    }
}

fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "svc-admin", &mut script);
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
    fn every_command_has_the_words_of_its_method() {
        let methods: Vec<_> = crate::methods::TABLE.iter().map(|entry| entry.name.to_owned()).collect();
        let mut commands = vec!["status.show".to_owned(), "doctor.show".to_owned(), "rpc.discover".to_owned()];
        for noun in Args::command().get_subcommands() {
            let verbs = noun.get_subcommands().map(|verb| verb.get_name().replace('-', "_"));
            let name = noun.get_name().replace('-', "_");
            commands.extend(verbs.map(|verb| format!("{name}.{verb}")));
        }
        // They read one page after another.
        commands.retain(|name| name != "audit.export" && name != "traces.export");
        // They need no server.
        commands.retain(|name| name != "machines.check" && name != "machines.keygen");
        commands.retain(|name| name != "backup.verify" && name != "backup.restore");
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        assert_eq!(sorted(commands), sorted(methods));
    }

    /// Every argument that takes a value, with the path of its command.
    fn arguments(command: &clap::Command, path: &str, found: &mut Vec<(String, clap::Arg)>) {
        let path = format!("{path} {}", command.get_name());
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            arguments(inner, &path, found);
        }
        let taking = command.get_arguments().filter(|argument| argument.get_action().takes_values());
        found.extend(taking.map(|argument| (path.clone(), argument.clone())));
    }

    fn all_arguments() -> Vec<(String, clap::Arg)> {
        let mut found = Vec::new();
        arguments(&Args::command(), "", &mut found);
        assert!(found.len() > 100);
        found
    }

    fn value_names(argument: &clap::Arg) -> Vec<String> {
        argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_value_has_the_same_name_everywhere() {
        const COMMON: &str = "USERNAME AGENT NAME CHANNEL ID TIME DURATION N TEXT FILE DIR URL";
        const OWN: &str = "ACCOUNT ACTION ARCHETYPE BOOL CLIENT CLIENT_ID CURSOR DIR|s3://BUCKET/PREFIX EVENT FORM \
                           IMAGE KID KIND METHOD MODE NAMESPACE PATH PERIOD PRINCIPAL PROFILE QUANTITY QUERY ROLE \
                           s3://BUCKET/PREFIX SCOPE SECONDS SHELL sqlite:PATH|postgres://… STATUS URI USD VARIABLE \
                           VARIABLE=VALUE";
        let known: Vec<_> = COMMON.split(' ').chain(OWN.split_whitespace()).collect();
        for (path, argument) in all_arguments() {
            for name in value_names(&argument) {
                assert!(known.contains(&name.as_str()), "{path}: {name} of {}", argument.get_id());
            }
        }
        for name in ["USERNAME", "AGENT", "NAME", "CHANNEL", "ID", "TIME", "DURATION"] {
            assert!(names::VALUES.contains(&format!("\n  {name} ")), "{name} is not explained");
        }
    }

    #[test]
    fn moments_are_since_and_until_with_one_text() {
        for (path, argument) in all_arguments() {
            let is_a_moment = value_names(&argument) == ["TIME"];
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            match argument.get_long() {
                Some("since") => assert!(is_a_moment && help == moments::SINCE, "{path}: {help}"),
                Some("until") => assert!(is_a_moment && help == moments::UNTIL, "{path}: {help}"),
                _ => assert!(!is_a_moment, "{path}: {} takes a moment", argument.get_id()),
            }
        }
    }

    #[test]
    fn earlier_spellings_are_understood_and_not_shown() {
        for words in [
            "svc-admin messages search x --after 7d --before 2026-11-15 --channel general",
            "svc-admin traces list --after 7d --before 1h",
            "svc-admin machines purge --before 90d",
            "svc-admin messages prune --older-than 90d",
        ] {
            assert!(parse(words.split(' ')).is_ok(), "{words}");
        }
        for (path, argument) in all_arguments() {
            let shown = argument.get_visible_aliases().unwrap_or_default();
            assert!(!shown.contains(&"after") && !shown.contains(&"before"), "{path}");
        }
    }

    #[test]
    fn a_data_directory_of_an_option_is_told_from_one_of_the_environment() {
        for (words, is_an_option) in [
            ("svc-admin --data /srv/svc status", true),
            ("svc-admin users list --data=/srv/svc", true),
            ("svc-admin status", false),
        ] {
            let args = parse(words.split(' ')).unwrap();
            assert_eq!(args.data_is_an_option, is_an_option, "{words}");
        }
    }

    #[test]
    fn completions_know_the_subcommands() {
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            assert!(completions(shell).contains("status"), "{shell}");
        }
    }
}
