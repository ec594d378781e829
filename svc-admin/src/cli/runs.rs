//! `svc-admin runs`.

use clap::Subcommand;
use svc_core::ids::RunId;
use svc_core::runs::{Run, RunDetails, RunPage, RunPreview, RunStatus};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{names, when, words};
use crate::methods::runs::{
    Cancel, List, ListParams, LogText, Logs, Preview, Retry, RunParams, Show, Start, StartParams,
};

#[derive(Debug, Subcommand)]
pub(super) enum RunsCommand {
    /// List runs and triggers that started none, newest first.
    #[command(after_help = "Example:\n  svc-admin runs list --agent reviewer --status failed")]
    List {
        /// Only runs of this agent.
        #[arg(long, value_name = "AGENT")]
        agent: Option<String>,
        /// Only runs with this status, such as running, failed or cancelled.
        #[arg(long, value_name = "STATUS", value_parser = words::run_status())]
        status: Option<RunStatus>,
        /// Only runs before this one.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
        /// Number of runs.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: i64,
    },
    /// Show a run with its prompt, its response, its cost and its messages.
    #[command(after_help = "Example:\n  svc-admin runs show 4711")]
    Show {
        /// Id of the run, as in `runs list`.
        id: i64,
    },
    /// Print the log of a run as far as it is known.
    #[command(after_help = "Example:\n  svc-admin runs logs 4711")]
    Logs {
        /// Id of the run.
        id: i64,
    },
    /// Start another run with the message of a run that has ended.
    #[command(after_help = "Example:\n  svc-admin runs retry 4711")]
    Retry {
        /// Id of the run.
        id: i64,
    },
    /// Cancel a run that is queued or running.
    #[command(after_help = "Example:\n  svc-admin runs cancel 4711")]
    Cancel {
        /// Id of the run.
        id: i64,
    },
    /// Run an agent now, with the messages that wait for it.
    #[command(after_help = "Example:\n  svc-admin runs start reviewer --prompt \"Review the open pull requests.\"")]
    Start {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        agent: String,
        /// Prompt of the run, besides the messages that wait.
        #[arg(long, value_name = "TEXT")]
        prompt: Option<String>,
    },
    /// Print the prompt that an agent would get if it were run now.
    #[command(after_help = "Example:\n  svc-admin runs preview reviewer --prompt \"Review the open pull requests.\"")]
    Preview {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        agent: String,
        /// Prompt of the run, besides the messages that wait.
        #[arg(long, value_name = "TEXT")]
        prompt: Option<String>,
    },
}

pub(super) async fn run(command: &RunsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        RunsCommand::List { agent, status, before, limit } => {
            let before = before.map(RunId);
            let params = ListParams { agent: agent.clone(), status: *status, before, limit: Some(*limit) };
            let page = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&page, draw));
            Ok(match page.next_cursor {
                Some(next) => outcome.remark(&context.output, &format!("More with --before {next}.")),
                None if page.runs.is_empty() => outcome.remark(&context.output, "No runs."),
                None => outcome,
            })
        }
        RunsCommand::Show { id } => {
            let details = context.call::<Show>(&RunParams { id: RunId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&details, draw_details)))
        }
        RunsCommand::Logs { id } => {
            let log = context.call::<Logs>(&RunParams { id: RunId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&log, draw_log)))
        }
        RunsCommand::Retry { id } => {
            let run = context.call::<Retry>(&RunParams { id: RunId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &run, &format!("Run {} repeats run {id}.", run.id)))
        }
        RunsCommand::Cancel { id } => {
            let run = context.call::<Cancel>(&RunParams { id: RunId(*id) }).await?;
            let sentence = match run.status {
                RunStatus::Cancelled => format!("Run {id} is cancelled."),
                _ => format!("Run {id} was asked to end."),
            };
            Ok(Outcome::sentence(&context.output, &run, &sentence))
        }
        RunsCommand::Start { agent, prompt } => {
            let run = context.call::<Start>(&StartParams { agent: agent.clone(), prompt: prompt.clone() }).await?;
            Ok(Outcome::sentence(&context.output, &run, &format!("Run {} of {agent} is queued.", run.id)))
        }
        RunsCommand::Preview { agent, prompt } => {
            let params = StartParams { agent: agent.clone(), prompt: prompt.clone() };
            let preview = context.call::<Preview>(&params).await?;
            Ok(Outcome::new(context.output.render(&preview, draw_preview)))
        }
    }
}

pub(super) fn tone(status: RunStatus) -> Tone {
    match status {
        RunStatus::Succeeded => Tone::Good,
        RunStatus::Failed => Tone::Bad,
        _ => Tone::Warning,
    }
}

fn draw(output: &Output, page: &RunPage) -> String {
    let now = when::now();
    let row = |run: &Run| {
        vec![
            Cell::whole(run.id.to_string()),
            Cell::new(&run.agent),
            Cell::toned(run.status.as_str(), tone(run.status)),
            Cell::new(run.cause.as_str()),
            Cell::new(run.trigger_message_id.map_or_else(String::new, |id| id.to_string())),
            Cell::new(run.error.as_deref().unwrap_or_default()),
            Cell::whole(when::relative(run.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.runs.iter().map(row).collect();
    table::draw(output, &["ID", "AGENT", "STATUS", "CAUSE", "MESSAGE", "ERROR", "CREATED"], &rows)
}

fn draw_details(output: &Output, details: &RunDetails) -> String {
    let (run, harness) = (&details.run, details.harness_run.as_ref());
    let mut rows = vec![
        ("Status", Cell::toned(run.status.as_str(), tone(run.status))),
        ("Agent", Cell::new(&run.agent)),
        ("Cause", Cell::new(run.cause.as_str())),
    ];
    let mut add = |name: &'static str, value: Option<String>| {
        if let Some(value) = value {
            rows.push((name, Cell::new(value)));
        }
    };
    add("Message", run.trigger_message_id.map(|id| id.to_string()));
    add("Error", run.error.clone());
    add("Started", run.started_at.map(|at| at.to_string()));
    add("Ended", run.ended_at.map(|at| at.to_string()));
    add("Backend", harness.map(|run| run.backend.clone()));
    add("Tokens", harness.and_then(|run| Some(format!("{} in, {} out", run.tokens_in?, run.tokens_out?))));
    add("Cost", harness.and_then(|run| Some(format!("{:.4} USD", run.cost_usd?))));
    add("Outgoing message", details.outgoing_message.as_ref().map(|message| message.id.to_string()));
    let mut text = table::pairs(output, &rows);
    for (name, part) in [
        ("Prompt", harness.map(|run| run.prompt.as_str())),
        ("Response", harness.and_then(|run| run.response.as_deref())),
        ("Error", harness.and_then(|run| run.error_log.as_deref())),
    ] {
        if let Some(part) = part {
            text = format!("{text}\n{name}\n{}\n", printable(part));
        }
    }
    text
}

pub(super) fn draw_log(_: &Output, log: &LogText) -> String {
    printable(&log.text)
}

fn draw_preview(_: &Output, preview: &RunPreview) -> String {
    printable(&preview.prompt)
}

/// Text of a run without characters that control a terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|character| !character.is_control() || matches!(character, '\n' | '\t')).collect()
}
