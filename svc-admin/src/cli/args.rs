//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::agents::AgentsCommand;
use super::attachments::AttachmentsCommand;
use super::audit::AuditCommand;
use super::channels::ChannelsCommand;
use super::clients::ClientsCommand;
use super::db::DbCommand;
use super::keys::KeysCommand;
use super::machines::MachinesCommand;
use super::messages::MessagesCommand;
use super::secrets::SecretsCommand;
use super::traces::TracesCommand;
use super::users::UsersCommand;

/// Where help lists the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// Administers a running svc from the machine that it runs on.
#[derive(Debug, Parser)]
#[command(
    name = "svc-admin",
    version,
    arg_required_else_help = true,
    after_help = "Example:\n  svc-admin --data /var/lib/svc status\n\n\
                  Exit codes: 0 it worked, 1 it did not or the hub is not well, 2 the command was not understood."
)]
pub(super) struct Args {
    /// The server's admin socket; by default `SVC_ADMIN_SOCKET`, else the one of the data directory.
    // The variable is read where the server reads it too, so that both take an empty one as unset.
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "PATH")]
    pub(super) socket: Option<PathBuf>,

    /// The server's data directory [default: ./data].
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "DIR", env = "SVC_DATA")]
    pub(super) data: Option<PathBuf>,

    /// How to print what comes back: a table for people, JSON for programs.
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "FORM", value_enum, default_value_t = Form::Table)]
    pub(super) output: Form,

    #[command(subcommand)]
    pub(super) command: Command,
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    // For people.
    Table,
    // For programs.
    Json,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Shows how the hub is: version, store, event log, workers.
    #[command(after_help = "Example:\n  svc-admin status --output json")]
    Status,

    /// Manages human accounts, their roles, passwords and logins.
    #[command(subcommand, after_help = "Example:\n  svc-admin users create ann")]
    Users(UsersCommand),

    /// Manages agents and their keys.
    #[command(subcommand, after_help = "Example:\n  svc-admin agents create reviewer --owner ann")]
    Agents(AgentsCommand),

    /// Looks after agent keys and managed keys.
    #[command(subcommand, after_help = "Example:\n  svc-admin keys list")]
    Keys(KeysCommand),

    /// Looks at messages, sends as the system, removes old ones.
    #[command(subcommand, after_help = "Example:\n  svc-admin messages list --status failed")]
    Messages(MessagesCommand),

    /// Looks after OAuth clients: programs that ask humans for tokens.
    #[command(subcommand, after_help = "Example:\n  svc-admin clients create \"Build server\" --agent builder")]
    Clients(ClientsCommand),

    /// Manages channels and their members.
    #[command(subcommand, after_help = "Example:\n  svc-admin channels create releases --owner ann --private")]
    Channels(ChannelsCommand),

    /// Keeps values that an agent's runs receive as environment variables.
    #[command(subcommand, after_help = "Example:\n  svc-admin secrets set GITHUB_TOKEN --scope user:ann < token.txt")]
    Secrets(SecretsCommand),

    /// Looks after the registry of machine principals: services that sign what they ask.
    #[command(subcommand, after_help = "Example:\n  svc-admin machines load machines.json")]
    Machines(MachinesCommand),

    /// Looks after the files that messages carry.
    #[command(subcommand, after_help = "Example:\n  svc-admin attachments backup files.tar.gz")]
    Attachments(AttachmentsCommand),

    /// Shows what happened to accounts and credentials.
    #[command(subcommand, after_help = "Example:\n  svc-admin audit list --since 24h")]
    Audit(AuditCommand),

    /// Shows what was done, by whom, through which door.
    #[command(subcommand, after_help = "Example:\n  svc-admin traces list --agent reviewer --after 24h")]
    Traces(TracesCommand),

    /// Looks after the store.
    #[command(subcommand, after_help = "Example:\n  svc-admin db check")]
    Db(DbCommand),

    /// Prints a completion script for a shell.
    #[command(
        after_help = "Example:\n  svc-admin completions bash > ~/.local/share/bash-completion/completions/svc-admin"
    )]
    Completions {
        /// The shell.
        shell: Shell,
    },
}
