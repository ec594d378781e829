//! `svc-admin tasks`: the task auction.

use clap::Subcommand;
use svc_core::ids::TaskId;
use svc_core::tasks::{Bid, BidStatus, Task, TaskPage, TaskStatus, TaskView};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{when, words};
use crate::methods::tasks::{Cancel, CancelParams, List, ListParams, Show, TaskParams};

#[derive(Debug, Subcommand)]
pub(super) enum TasksCommand {
    /// List all tasks, newest first.
    #[command(after_help = "Example:\n  svc-admin tasks list --status open")]
    List {
        /// Only tasks with this status.
        #[arg(long, value_name = "STATUS", value_parser = words::task_status())]
        status: Option<TaskStatus>,
        /// Only tasks before this id.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
        /// Page size, 1 to 200.
        #[arg(long, value_name = "N", default_value_t = svc_core::limits::PAGE_DEFAULT.into())]
        limit: i64,
    },
    /// Show a task with all its bids.
    #[command(after_help = "Example:\n  svc-admin tasks show 12")]
    Show {
        /// Id of the task, as in `tasks list`.
        id: i64,
    },
    /// Cancel a task that is open or assigned. Its poster, its open bidders and its assignee are told.
    #[command(after_help = "Example:\n  svc-admin tasks cancel 12 --reason \"The reports were withdrawn.\"")]
    Cancel {
        /// Id of the task.
        id: i64,
        /// The reason, which they are told too.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

pub(super) async fn run(command: &TasksCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        TasksCommand::List { status, before, limit } => {
            let params = ListParams { status: *status, before: before.map(TaskId), limit: Some(*limit) };
            let page = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&page, draw));
            Ok(match page.tasks.last() {
                None => outcome.remark(&context.output, "No matching tasks."),
                Some(last) if page.has_more => {
                    let remark = format!("There are more: --before {} shows the next ones.", last.id);
                    outcome.remark(&context.output, &remark)
                }
                Some(_) => outcome,
            })
        }
        TasksCommand::Show { id } => {
            let view = context.call::<Show>(&TaskParams { id: TaskId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&view, draw_one)))
        }
        TasksCommand::Cancel { id, reason } => {
            let task = context.call::<Cancel>(&CancelParams { id: TaskId(*id), reason: reason.clone() }).await?;
            let sentence = format!("Task {} of {} is cancelled.", task.id, task.poster);
            Ok(Outcome::sentence(&context.output, &task, &sentence))
        }
    }
}

fn status(status: TaskStatus) -> Cell {
    let tone = match status {
        TaskStatus::Open => Tone::Plain,
        TaskStatus::Assigned => Tone::Warning,
        TaskStatus::Completed => Tone::Good,
        TaskStatus::Cancelled => Tone::Bad,
    };
    Cell::toned(status.as_str(), tone)
}

/// The channel whose readers see it.
fn place(task: &Task) -> String {
    task.channel.as_ref().map_or_else(|| "everybody".to_owned(), |channel| format!("#{channel}"))
}

fn draw(output: &Output, page: &TaskPage) -> String {
    let now = when::now();
    let row = |task: &Task| {
        vec![
            Cell::whole(task.id.to_string()),
            Cell::new(&task.title),
            status(task.status),
            Cell::new(&task.poster),
            Cell::new(task.assignee.as_deref().unwrap_or("-")),
            Cell::whole(task.bid_count.to_string()),
            Cell::new(place(task)),
            Cell::whole(when::relative_or(task.deadline, now, "-")),
            Cell::whole(when::relative(task.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.tasks.iter().map(row).collect();
    let heading = ["ID", "TITLE", "STATUS", "POSTER", "ASSIGNEE", "BIDS", "FOR", "DEADLINE", "CREATED"];
    table::draw(output, &heading, &rows)
}

fn draw_one(output: &Output, view: &TaskView) -> String {
    let task = &view.task;
    let at = |moment| Cell::new(format!("{} UTC", when::short(moment)));
    let mut pairs = vec![
        ("task", Cell::whole(task.id.to_string())),
        ("title", Cell::new(&task.title)),
        ("status", status(task.status)),
        ("poster", Cell::new(&task.poster)),
        ("for", Cell::new(place(task))),
        ("created", at(task.created_at)),
    ];
    pairs.extend(task.assignee.as_ref().map(|assignee| ("assignee", Cell::new(assignee))));
    pairs.extend(task.budget.map(|budget| ("budget", Cell::new(budget.to_string()))));
    pairs.extend(task.deadline.map(|moment| ("deadline", at(moment))));
    pairs.extend(task.closed_at.map(|moment| ("closed", at(moment))));
    pairs.extend(task.summary.as_ref().map(|summary| ("summary", Cell::new(summary))));
    // Stored text must not control the terminal, but may have several lines.
    let body = task.body.replace(|letter: char| letter.is_control() && letter != '\n', " ");
    let rows: Vec<_> = view.bids.iter().map(bid).collect();
    let bids = table::draw(output, &["BID", "BIDDER", "AMOUNT", "STATUS", "NOTE"], &rows);
    format!("{}\n{}\n\n{bids}", table::pairs(output, &pairs), body.trim_end())
}

fn bid(bid: &Bid) -> Vec<Cell> {
    let tone = match bid.status {
        BidStatus::Open => Tone::Plain,
        BidStatus::Accepted => Tone::Good,
        BidStatus::Declined => Tone::Warning,
    };
    vec![
        Cell::whole(bid.id.to_string()),
        Cell::new(&bid.bidder),
        Cell::new(bid.amount.map_or_else(|| "-".to_owned(), |amount| amount.to_string())),
        Cell::toned(bid.status.as_str(), tone),
        Cell::new(bid.note.split_whitespace().collect::<Vec<_>>().join(" ")),
    ]
}
