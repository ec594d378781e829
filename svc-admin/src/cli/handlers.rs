//! `svc-admin handlers`.

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use svc_core::cluster::{ClusterHandler, ClusterHandlerList, ClusterRun, ClusterRunPage, ClusterStatus};
use svc_core::ids::{HandlerId, RunId};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::output::Output;
use super::runs::{draw_log, tone};
use super::table::{self, Cell};
use super::{ask, when};
use crate::methods::handlers::{
    Create, CreateParams, Delete, HandlerParams, List, ListParams, Logs, Runs, RunsParams, Show,
};
use crate::methods::runs::RunParams;

#[derive(Debug, Subcommand)]
pub(super) enum HandlersCommand {
    /// List handlers, and where their Jobs are created.
    #[command(after_help = "Example:\n  svc-admin handlers list --agent reviewer")]
    List {
        /// Only handlers of this agent.
        #[arg(long, value_name = "AGENT")]
        agent: Option<String>,
    },
    /// Register a handler: each of its events becomes a Job with this image.
    #[command(after_help = "Example:\n  svc-admin handlers create reviewer --image registry.example.org/reviewer:1 \
                      --event message.received --memory 512Mi --env MODEL=large")]
    Create(CreateArgs),
    /// Delete a handler. Its runs stay, and Jobs that run go on.
    #[command(after_help = "Example:\n  svc-admin handlers delete 7 --yes")]
    Delete {
        /// Id of the handler, as in `handlers list`.
        id: i64,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
    /// List runs that are Jobs of the cluster, newest first.
    #[command(after_help = "Example:\n  svc-admin handlers runs --agent reviewer")]
    Runs {
        /// Only runs of this agent.
        #[arg(long, value_name = "AGENT")]
        agent: Option<String>,
        /// Only runs of the handler with this id.
        #[arg(long, value_name = "ID")]
        handler: Option<i64>,
        /// Only runs before this one.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
        /// Number of runs.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: i64,
    },
    /// Show a run that is a Job: its event, its image, its namespace and its end.
    #[command(after_help = "Example:\n  svc-admin handlers show 4711")]
    Show {
        /// Id of the run, as in `handlers runs`.
        id: i64,
    },
    /// Print the log of a Job as far as it is known.
    #[command(after_help = "Example:\n  svc-admin handlers logs 4711")]
    Logs {
        /// Id of the run.
        id: i64,
    },
}

#[derive(Debug, Args)]
pub(super) struct CreateArgs {
    /// The agent whose events it handles.
    agent: String,
    /// The image of the container.
    #[arg(long, value_name = "IMAGE")]
    image: String,
    /// An event that it handles, such as message.received, or * for all; can be repeated.
    #[arg(long = "event", value_name = "EVENT", required = true)]
    events: Vec<String>,
    /// The namespace of its Jobs [default: the one that the server is configured with].
    #[arg(long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// A variable of the environment, which is no secret; can be repeated.
    #[arg(long = "env", value_name = "VARIABLE=VALUE", value_parser = variable)]
    env: Vec<(String, String)>,
    /// The memory of the container, such as 512Mi.
    #[arg(long, value_name = "QUANTITY")]
    memory: Option<String>,
    /// The processor time of the container, such as 500m.
    #[arg(long, value_name = "QUANTITY")]
    cpu: Option<String>,
    /// The time limit of a Job in seconds, 60 to 3600 [default: 600].
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u32>,
    /// The service account of the pod [default: a pod without a token of the cluster].
    #[arg(long, value_name = "ACCOUNT")]
    service_account: Option<String>,
}

impl From<&CreateArgs> for CreateParams {
    fn from(args: &CreateArgs) -> Self {
        Self {
            agent: args.agent.clone(),
            image: args.image.clone(),
            events: args.events.clone(),
            namespace: args.namespace.clone(),
            env: args.env.iter().cloned().collect::<BTreeMap<_, _>>(),
            memory: args.memory.clone(),
            cpu: args.cpu.clone(),
            timeout_seconds: args.timeout,
            service_account: args.service_account.clone(),
        }
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must be VARIABLE=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(super) async fn run(command: &HandlersCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        HandlersCommand::List { agent } => {
            let list = context.call::<List>(&ListParams { agent: agent.clone() }).await?;
            let outcome = Outcome::new(context.output.render(&list, draw));
            let place = place(&list.cluster);
            if list.handlers.is_empty() {
                let hint = "No handlers: `svc-admin handlers create AGENT --image IMAGE --event EVENT` registers one.";
                return Ok(outcome.remark(&context.output, &format!("{hint} {place}")));
            }
            Ok(outcome.remark(&context.output, &place))
        }
        HandlersCommand::Create(args) => {
            let handler = context.call::<Create>(&args.into()).await?;
            let sentence = format!("Registered handler {} of {}.", handler.id, handler.agent);
            Ok(Outcome::sentence(&context.output, &handler, &sentence))
        }
        HandlersCommand::Delete { id, yes } => {
            ask::confirm(&format!("This deletes handler {id}. Its queued runs are cancelled."), *yes)?;
            let deleted = context.call::<Delete>(&HandlerParams { id: HandlerId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &deleted, &format!("Handler {id} is deleted.")))
        }
        HandlersCommand::Runs { agent, handler, before, limit } => {
            let (handler, before) = (handler.map(HandlerId), before.map(RunId));
            let params = RunsParams { agent: agent.clone(), handler, before, limit: Some(*limit) };
            let page = context.call::<Runs>(&params).await?;
            let outcome = Outcome::new(context.output.render(&page, draw_runs));
            Ok(match page.next_cursor {
                Some(next) => outcome.remark(&context.output, &format!("More with --before {next}.")),
                None if page.runs.is_empty() => outcome.remark(&context.output, "No runs in the cluster."),
                None => outcome,
            })
        }
        HandlersCommand::Show { id } => {
            let run = context.call::<Show>(&RunParams { id: RunId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&run, draw_run)))
        }
        HandlersCommand::Logs { id } => {
            let log = context.call::<Logs>(&RunParams { id: RunId(*id) }).await?;
            Ok(Outcome::new(context.output.render(&log, draw_log)))
        }
    }
}

/// Where Jobs are created, or why they cannot be.
fn place(cluster: &ClusterStatus) -> String {
    match (&cluster.problem, &cluster.namespace) {
        (Some(problem), _) => problem.clone(),
        (None, Some(namespace)) => format!("Jobs are created in the namespace {namespace} unless a handler names one."),
        (None, None) => "Jobs are created in the namespace that a handler names.".to_owned(),
    }
}

fn draw(output: &Output, list: &ClusterHandlerList) -> String {
    let now = when::now();
    let row = |handler: &ClusterHandler| {
        let events: Vec<_> = handler.events.iter().map(|event| event.as_str()).collect();
        vec![
            Cell::whole(handler.id.to_string()),
            Cell::new(&handler.agent),
            Cell::new(&handler.image),
            Cell::new(events.join(", ")),
            Cell::new(handler.namespace.as_deref().unwrap_or_default()),
            Cell::whole(format!("{} s", handler.timeout_seconds)),
            Cell::whole(when::relative(handler.created_at, now)),
        ]
    };
    let rows: Vec<_> = list.handlers.iter().map(row).collect();
    table::draw(output, &["ID", "AGENT", "IMAGE", "EVENTS", "NAMESPACE", "TIMEOUT", "CREATED"], &rows)
}

fn draw_runs(output: &Output, page: &ClusterRunPage) -> String {
    let now = when::now();
    let row = |run: &ClusterRun| {
        vec![
            Cell::whole(run.id.to_string()),
            Cell::new(&run.agent),
            Cell::new(run.handler_id.map_or_else(String::new, |id| id.to_string())),
            Cell::new(run.event.map_or("", |event| event.as_str())),
            Cell::toned(run.status.as_str(), tone(run.status)),
            Cell::new(run.error.as_deref().unwrap_or_default()),
            Cell::new(run.job.as_deref().unwrap_or_default()),
            Cell::whole(when::relative(run.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.runs.iter().map(row).collect();
    table::draw(output, &["ID", "AGENT", "HANDLER", "EVENT", "STATUS", "ERROR", "JOB", "CREATED"], &rows)
}

fn draw_run(output: &Output, run: &ClusterRun) -> String {
    let mut rows = vec![
        ("Status", Cell::toned(run.status.as_str(), tone(run.status))),
        ("Agent", Cell::new(&run.agent)),
        ("Image", Cell::new(&run.image)),
    ];
    let mut add = |name: &'static str, value: Option<String>| {
        if let Some(value) = value {
            rows.push((name, Cell::new(value)));
        }
    };
    add("Handler", run.handler_id.map(|id| id.to_string()));
    add("Event", run.event.map(|event| event.as_str().to_owned()));
    add("Message", run.trigger_message_id.map(|id| id.to_string()));
    add("Namespace", run.namespace.clone());
    add("Job", run.job.clone());
    add("Error", run.error.clone());
    add("Reason", run.error_detail.clone());
    add("Exit code", run.exit_code.map(|code| code.to_string()));
    add("Repeats", run.retry_of.map(|id| id.to_string()));
    add("Started", run.started_at.map(|at| at.to_string()));
    add("Ended", run.ended_at.map(|at| at.to_string()));
    table::pairs(output, &rows)
}
