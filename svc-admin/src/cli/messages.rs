//! `svc-admin messages`.

use std::time::Duration;

use clap::Subcommand;
use svc_core::ids::MessageId;
use svc_core::messages::{Message, MessagePage, MessageStatus, NewMessage, Pruned, Receipt, ReceiptState};
use svc_core::search::SearchPage;

use super::ask;
use super::context::{Context, PageArguments};
use super::moments::{Range, RenamedRangeArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::progress;
use super::table::{self, Cell};
use super::{when, words};
use crate::duration;
use crate::methods::messages::{
    Delete, List, ListParams, PruneParams, Remove, Search, SearchParams, Send, Show, ShowParams, Shown,
};

#[derive(Debug, Subcommand)]
pub(super) enum MessagesCommand {
    /// List all messages, newest first.
    #[command(after_help = "Example:\n  svc-admin messages list --to reviewer --status failed")]
    List {
        /// Only direct messages to this human or agent.
        #[arg(long, value_name = "NAME", conflicts_with = "channel")]
        to: Option<String>,
        /// Only messages from this human or agent.
        #[arg(long, value_name = "NAME")]
        from: Option<String>,
        /// Only messages in this channel.
        #[arg(long, value_name = "CHANNEL")]
        channel: Option<String>,
        /// Only direct messages with this status.
        #[arg(long, value_name = "STATUS", value_parser = words::message_status(), conflicts_with = "channel")]
        status: Option<MessageStatus>,
        /// Only messages before this id.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
        /// Page size, 1 to 200.
        #[arg(long, value_name = "N", default_value_t = svc_core::limits::PAGE_DEFAULT.into())]
        limit: i64,
    },
    /// Search all messages, or those that a human sees: words, "phrases", -word, prefix*.
    #[command(after_help = "Examples:\n  svc-admin messages search \"release notes\" --in general\n  \
                            svc-admin messages search 'deploy* -staging' --from builder --since 7d\n  \
                            svc-admin messages search invoice --as ann -o json")]
    Search {
        /// Search query.
        #[arg(value_name = "QUERY", allow_hyphen_values = true)]
        query: String,
        /// Only messages that this human sees, whose agents' messages are among them.
        #[arg(long = "as", value_name = "USERNAME")]
        viewer: Option<String>,
        /// Only in this channel, or in several, separated by commas; -CHANNEL excludes one.
        #[arg(long = "in", alias = "channel", value_name = "CHANNEL", allow_hyphen_values = true)]
        channel: Option<String>,
        /// Only from this human or agent, or from several, separated by commas; -NAME excludes one.
        #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
        from: Option<String>,
        #[command(flatten)]
        range: RenamedRangeArguments,
        /// Only direct messages with this status.
        #[arg(long, value_name = "STATUS", value_parser = words::message_status())]
        status: Option<MessageStatus>,
        /// Paging of the list.
        #[command(flatten)]
        page: PageArguments,
    },
    /// Show a message and its delivery status.
    #[command(after_help = "Example:\n  svc-admin messages show 4711")]
    Show {
        /// Id of the message.
        id: i64,
    },
    /// Send a message as the system.
    #[command(after_help = "Example:\n  svc-admin messages send --channel general \"The hub is updated at 18:00.\"")]
    Send {
        /// The human or agent who receives it.
        #[arg(long, value_name = "NAME", required_unless_present = "channel", conflicts_with = "channel")]
        to: Option<String>,
        /// The channel that it is posted to.
        #[arg(long, value_name = "CHANNEL")]
        channel: Option<String>,
        /// Priority, 1 to 10.
        #[arg(long, value_name = "N")]
        priority: Option<u32>,
        /// Text of the message.
        #[arg(value_name = "TEXT")]
        body: String,
    },
    /// Delete a message of anybody; who deleted it and when stays.
    #[command(after_help = "Example:\n  svc-admin messages delete 4711")]
    Delete {
        /// Id of the message.
        id: i64,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
    /// Delete messages older than a given age; pending and claimed ones are kept.
    #[command(alias = "prune", after_help = "Example:\n  svc-admin messages purge --older-than 90d --dry-run")]
    Purge {
        /// Age: 24h, 90d.
        #[arg(long, value_name = "DURATION", allow_hyphen_values = true, value_parser = duration::parse)]
        older_than: Duration,
        /// Only count them.
        #[arg(long)]
        dry_run: bool,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
}

pub(super) async fn run(command: &MessagesCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        MessagesCommand::List { to, from, channel, status, before, limit } => {
            let params = ListParams {
                to: to.clone(),
                from: from.clone(),
                channel: channel.clone(),
                status: *status,
                before: before.map(MessageId),
                limit: Some(*limit),
            };
            list(context, &params).await
        }
        MessagesCommand::Search { query, viewer, channel, from, range, status, page } => {
            let Range { since, until } = range.checked()?;
            let params = SearchParams {
                viewer: viewer.clone(),
                q: Some(query.clone()),
                channel: channel.clone(),
                agent: from.clone(),
                after: since.map(|moment| moment.to_string()),
                before: until.map(|moment| moment.to_string()),
                status: status.map(|status| status.as_str().to_owned()),
                limit: Some(page.limit),
                offset: Some(page.offset),
                ..SearchParams::default()
            };
            search(context, &params, *page).await
        }
        MessagesCommand::Show { id } => {
            let shown = context.call::<Show>(&ShowParams { id: MessageId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&shown, draw_one)))
        }
        MessagesCommand::Send { to, channel, priority, body } => {
            let new = NewMessage {
                to: to.clone(),
                channel: channel.clone(),
                body: body.clone(),
                priority: *priority,
                ..NewMessage::default()
            };
            let sent = context.call::<Send>(&new).await?;
            let sentence = format!("Message {} is sent to {}.", sent.id, place(&sent));
            Ok(Outcome::sentence(&context.output, &sent, &sentence))
        }
        MessagesCommand::Delete { id, yes } => {
            let question = format!("This deletes the text of message {id} permanently, with its files and reactions.");
            ask::confirm(&question, *yes)?;
            let deleted = context.call::<Delete>(&ShowParams { id: MessageId(*id) }).await?;
            let sentence = format!("Message {} of {} is deleted.", deleted.id, deleted.from);
            Ok(Outcome::sentence(&context.output, &deleted, &sentence))
        }
        MessagesCommand::Purge { older_than, dry_run, yes } => prune(context, *older_than, *dry_run, *yes).await,
    }
}

async fn list(context: &mut Context, params: &ListParams) -> Result<Outcome, Failure> {
    let page = context.call::<List>(params).await?;
    let outcome = Outcome::new(context.output.render(&page, draw));
    Ok(match page.messages.last() {
        None => outcome.remark(&context.output, "No matching messages."),
        Some(last) if page.has_more => {
            let remark = format!("There are more: --before {} shows the next ones.", last.id);
            outcome.remark(&context.output, &remark)
        }
        Some(_) => outcome,
    })
}

async fn search(context: &mut Context, params: &SearchParams, page: PageArguments) -> Result<Outcome, Failure> {
    let found = context.call::<Search>(params).await?;
    let outcome =
        Outcome::new(context.output.render(&found, |output, found: &SearchPage| {
            draw_all(output, found.messages.iter().map(|hit| &hit.message))
        }));
    let empty = "No matching messages: try fewer or shorter words, or a prefix such as word*.";
    Ok(page.remark(outcome, &context.output, (found.messages.len(), found.total), empty))
}

async fn prune(context: &mut Context, older_than: Duration, dry_run: bool, yes: bool) -> Result<Outcome, Failure> {
    let age = duration::print(older_than);
    let question = format!("This deletes all messages older than {age} permanently, with their reactions.");
    ask::confirm(&question, yes || dry_run)?;
    let spinner = progress::spinner("scanning messages");
    let params = PruneParams { older_than_seconds: older_than.as_secs(), dry_run };
    let pruned = context.call::<Remove>(&params).await;
    spinner.finish_and_clear();
    let pruned = pruned?;
    Ok(Outcome::sentence(&context.output, &pruned, &summary(pruned, dry_run)))
}

fn summary(pruned: Pruned, dry_run: bool) -> String {
    let Pruned { removed, kept, before } = pruned;
    let verb = if dry_run { "Would be removed" } else { "Removed" };
    let stay = match kept {
        0 => String::new(),
        kept => format!(" Kept because they are pending or claimed: {kept}."),
    };
    format!("{verb}, from before {} UTC: {removed}.{stay}", when::short(before))
}

/// The recipient or the channel.
fn place(message: &Message) -> String {
    match (&message.channel, &message.to) {
        (Some(channel), _) => format!("#{channel}"),
        (None, Some(to)) => to.clone(),
        (None, None) => String::new(),
    }
}

fn draw(output: &Output, page: &MessagePage) -> String {
    draw_all(output, page.messages.iter())
}

fn draw_all<'m>(output: &Output, messages: impl Iterator<Item = &'m Message>) -> String {
    let now = when::now();
    let row = |message: &Message| {
        vec![
            Cell::whole(message.id.to_string()),
            Cell::new(&message.from),
            Cell::new(place(message)),
            status(message),
            Cell::new(message.priority.to_string()),
            Cell::whole(when::relative(message.created_at, now)),
            body(message),
        ]
    };
    let rows: Vec<_> = messages.map(row).collect();
    table::draw(output, &["ID", "FROM", "TO", "STATUS", "PRIORITY", "SENT", "BODY"], &rows)
}

/// The text in one line, or who deleted it.
fn body(message: &Message) -> Cell {
    match (&message.deleted_at, &message.deleted_by) {
        (Some(_), by) => Cell::new(format!("(deleted by {})", by.as_deref().unwrap_or("somebody"))),
        (None, _) => Cell::new(message.body.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// Channel messages have no status: they have a workflow state.
fn status(message: &Message) -> Cell {
    if message.channel.is_some() {
        return Cell::new(message.workflow_state.map_or_else(|| "-".to_owned(), |state| words::word(&state)));
    }
    let tone = match message.status {
        MessageStatus::Pending => Tone::Plain,
        MessageStatus::Processing => Tone::Warning,
        MessageStatus::Done => Tone::Good,
        MessageStatus::Failed => Tone::Bad,
    };
    Cell::toned(message.status.as_str(), tone)
}

fn draw_one(output: &Output, shown: &Shown) -> String {
    let message = &shown.message;
    let claim = match (&message.claimed_by, message.lease_expires_at) {
        (Some(by), Some(end)) => format!("{by}, until {} UTC", when::short(end)),
        _ => "none".to_owned(),
    };
    let mut pairs = vec![
        ("message", Cell::whole(message.id.to_string())),
        ("from", Cell::new(&message.from)),
        ("to", Cell::new(place(message))),
        ("sent", Cell::new(format!("{} UTC", when::short(message.created_at)))),
        ("priority", Cell::new(message.priority.to_string())),
        ("status", status(message)),
        ("claim", Cell::new(claim)),
        ("replies", Cell::new(message.reply_count.to_string())),
        ("metadata", Cell::new(message.metadata.to_string())),
    ];
    if !message.subject.is_empty() {
        pairs.insert(3, ("subject", Cell::new(&message.subject)));
    }
    if let Some(at) = message.edited_at.filter(|_| message.deleted_at.is_none()) {
        pairs.push(("edited", Cell::new(format!("{} UTC, version {}", when::short(at), message.version))));
    }
    if let Some(at) = message.deleted_at {
        let by = message.deleted_by.as_deref().unwrap_or("somebody");
        pairs.push(("deleted", Cell::new(format!("{} UTC, by {by}", when::short(at)))));
    }
    // Stored text must not control the terminal, but may have several lines.
    let body = message.body.replace(|letter: char| letter.is_control() && letter != '\n', " ");
    let rows: Vec<_> = shown.receipts.receipts.iter().map(receipt).collect();
    let heading = ["PARTICIPANT", "STATE", "OFFERED", "READ", "CLAIMED", "FINISHED", "REASON"];
    let receipts = table::draw(output, &heading, &rows);
    format!("{}\n{}\n\n{receipts}", table::pairs(output, &pairs), body.trim_end())
}

fn receipt(receipt: &Receipt) -> Vec<Cell> {
    let tone = match receipt.state {
        ReceiptState::Done | ReceiptState::Read => Tone::Good,
        ReceiptState::Failed => Tone::Bad,
        ReceiptState::Stored | ReceiptState::Offered | ReceiptState::Claimed => Tone::Plain,
    };
    let moment = |at: Option<svc_core::Timestamp>| Cell::new(at.map_or_else(|| "-".to_owned(), when::minute));
    vec![
        Cell::new(&receipt.participant),
        Cell::toned(words::word(&receipt.state), tone),
        moment(receipt.offered_at),
        moment(receipt.read_at),
        moment(receipt.claimed_at),
        moment(receipt.finished_at),
        Cell::new(receipt.reason.as_deref().unwrap_or("")),
    ]
}
