//! Arguments of the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::agents::AgentsCommand;
use super::attachments::AttachmentsCommand;
use super::audit::AuditCommand;
use super::backups::BackupCommand;
use super::channels::ChannelsCommand;
use super::clients::ClientsCommand;
use super::db::DbCommand;
use super::dead_letters::DeadLettersCommand;
use super::goals::GoalsCommand;
use super::handlers::HandlersCommand;
use super::invites::InvitesCommand;
use super::keys::KeysCommand;
use super::loops::LoopsCommand;
use super::machines::MachinesCommand;
use super::messages::MessagesCommand;
use super::names;
use super::runs::RunsCommand;
use super::secrets::SecretsCommand;
use super::tasks::TasksCommand;
use super::traces::TracesCommand;
use super::users::UsersCommand;
use super::webhooks::WebhooksCommand;
use super::wiki::WikiCommand;

/// Heading of the global options in the help.
const EVERYWHERE: &str = "Options of every command";

/// Administer a running svc hub from its own machine.
#[derive(Debug, Parser)]
#[command(
    name = "svc-admin",
    version,
    arg_required_else_help = true,
    after_help = format!(
        "Examples:\n  svc-admin --data /var/lib/svc status\n  svc-admin users list -o json\n\n{}\n\n\
         Exit codes: 0 it worked, 1 it did not or the hub is not well, 2 the command was not understood.",
        names::VALUES
    )
)]
pub(super) struct Args {
    /// Admin socket of the server [default: the one of the data directory; env: `SVC_ADMIN_SOCKET`].
    // The variable is read by the code that the server uses too, so that both treat an empty one as unset.
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "PATH")]
    pub(super) socket: Option<PathBuf>,

    /// Data directory of the server, which names the hub: the command talks to no other one, also when
    /// `SVC_ADMIN_SOCKET` names another socket [default: ./data].
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "DIR", env = "SVC_DATA")]
    pub(super) data: Option<PathBuf>,

    /// Whether the data directory was given as an option, and not by the environment.
    #[arg(skip)]
    pub(super) data_is_an_option: bool,

    /// Output format: a table for people, or one JSON document for programs, as over REST. Exports have --format.
    #[arg(long, short, global = true, help_heading = EVERYWHERE, value_name = "FORM", value_enum, default_value_t = Form::Table)]
    pub(super) output: Form,

    #[command(subcommand)]
    pub(super) command: Command,
}

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    // For people.
    Table,
    // For programs.
    Json,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show the status of the hub: version, store, event log, workers.
    #[command(after_help = "Example:\n  svc-admin status -o json")]
    Status,
    /// Examine the hub and say what to do: store, disk, files, workers, nodes, clock, queues, certificates, backups.
    #[command(after_help = "Example:\n  svc-admin doctor\n\nExit codes: 0 nothing is broken, 1 there is a problem.")]
    Doctor,

    /// Manage human accounts, their roles, passwords and login sessions.
    #[command(subcommand, after_help = "Example:\n  svc-admin users create ann")]
    Users(UsersCommand),

    /// List and revoke invitations, which `users invite` creates.
    #[command(subcommand, after_help = "Example:\n  svc-admin invites list")]
    Invites(InvitesCommand),

    /// Manage agents and their keys.
    #[command(subcommand, after_help = "Example:\n  svc-admin agents create reviewer --owner ann")]
    Agents(AgentsCommand),

    /// Manage agent keys and managed keys.
    #[command(subcommand, after_help = "Example:\n  svc-admin keys list")]
    Keys(KeysCommand),

    /// List, search, send and purge messages.
    #[command(subcommand, after_help = "Example:\n  svc-admin messages list --status failed")]
    Messages(MessagesCommand),

    /// Manage OAuth clients.
    #[command(subcommand, after_help = "Example:\n  svc-admin clients create \"Build server\" --agent builder")]
    Clients(ClientsCommand),

    /// Manage channels and their members.
    #[command(subcommand, after_help = "Example:\n  svc-admin channels create releases --owner ann --private")]
    Channels(ChannelsCommand),

    /// Manage dead letters: messages and deliveries to webhooks that failed for good.
    #[command(subcommand, after_help = "Example:\n  svc-admin dead-letters list --not-discarded")]
    DeadLetters(DeadLettersCommand),

    /// Show and cancel tasks, which people and agents post and bid for.
    #[command(subcommand, after_help = "Example:\n  svc-admin tasks list --status open")]
    Tasks(TasksCommand),

    /// Manage webhooks, which receive the events of agents, and their deliveries.
    #[command(subcommand, after_help = "Example:\n  svc-admin webhooks create reviewer https://example.org/hook")]
    Webhooks(WebhooksCommand),

    /// Manage runs of agents by the hub.
    #[command(subcommand, after_help = "Example:\n  svc-admin runs list --status failed")]
    Runs(RunsCommand),

    /// Manage handlers, which turn the events of agents into Jobs of a Kubernetes cluster, and these Jobs.
    #[command(subcommand, after_help = "Example:\n  svc-admin handlers list")]
    Handlers(HandlersCommand),

    /// Manage goals, their tasks and the agents that are proposed for them.
    #[command(subcommand, after_help = "Example:\n  svc-admin goals list --status stuck")]
    Goals(GoalsCommand),

    /// Export and import the wiki as Markdown files.
    #[command(subcommand, after_help = "Example:\n  svc-admin wiki export ./wiki")]
    Wiki(WikiCommand),

    /// Manage loops between agents, whose messages to each other start nothing while they are held.
    #[command(subcommand, after_help = "Example:\n  svc-admin loops list")]
    Loops(LoopsCommand),

    /// Manage secrets that agent runs receive as environment variables.
    #[command(subcommand, after_help = "Example:\n  svc-admin secrets set GITHUB_TOKEN --scope user:ann < token.txt")]
    Secrets(SecretsCommand),

    /// Manage the registry of machine principals, which sign their requests.
    #[command(subcommand, after_help = "Example:\n  svc-admin machines load machines.json")]
    Machines(MachinesCommand),

    /// Manage attachments of messages.
    #[command(subcommand, after_help = "Example:\n  svc-admin attachments backup files.tar.gz")]
    Attachments(AttachmentsCommand),

    /// Show the audit log of accounts and credentials.
    #[command(subcommand, after_help = "Example:\n  svc-admin audit list --since 24h")]
    Audit(AuditCommand),

    /// Show traces of actions.
    #[command(subcommand, after_help = "Example:\n  svc-admin traces list --agent reviewer --since 24h")]
    Traces(TracesCommand),

    /// Back up the whole hub, check backups and restore them.
    #[command(subcommand, after_help = "Example:\n  svc-admin backup create hub.tar.zst")]
    Backup(BackupCommand),

    /// Check and maintain the store.
    #[command(subcommand, after_help = "Example:\n  svc-admin db check")]
    Db(DbCommand),

    /// Print a completion script for a shell.
    #[command(
        after_help = "Example:\n  svc-admin completions bash > ~/.local/share/bash-completion/completions/svc-admin"
    )]
    Completions {
        /// The shell.
        shell: Shell,
    },
}
