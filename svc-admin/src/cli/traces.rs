//! `svc-admin traces`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use svc_core::limits;
use svc_core::traces::{Trace, TracePage, TraceStats};

use super::context::Context;
use super::export::{self, ExportForm, Record, Source};
use super::moments::{Range, RenamedRangeArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{ask, progress, when};
use crate::duration;
use crate::methods::messages::PruneParams;
use crate::methods::traces::{List, ListParams, Purge, Stats, StatsParams};

#[derive(Debug, Subcommand)]
pub(super) enum TracesCommand {
    /// List traces of actions, newest first.
    #[command(after_help = "Examples:\n  svc-admin traces list --agent reviewer --since 24h\n  \
                            svc-admin traces list --action create_agent --errors")]
    List {
        #[command(flatten)]
        filter: FilterArguments,
        /// Cursor of the next page.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// Page size, 1 to 200.
        #[arg(long, value_name = "N", default_value_t = limits::PAGE_DEFAULT.into())]
        limit: i64,
    },
    /// Count traces by action.
    #[command(after_help = "Example:\n  svc-admin traces stats --since 7d")]
    Stats {
        #[command(flatten)]
        filter: FilterArguments,
    },
    /// Export all traces, newest first, as JSON lines or CSV.
    #[command(after_help = "Examples:\n  svc-admin traces export --since 30d > traces.jsonl\n  \
                            svc-admin traces export --format csv --file traces.csv")]
    Export {
        #[command(flatten)]
        filter: FilterArguments,
        /// Export format.
        #[arg(long, value_name = "FORM", value_enum, default_value_t = ExportForm::Jsonl)]
        format: ExportForm,
        /// Output file; standard output by default.
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Delete traces older than a given age; the server does so by itself after --trace-retention.
    #[command(after_help = "Examples:\n  svc-admin traces purge --older-than 30d --dry-run\n  \
                            svc-admin traces purge --older-than 7d --yes")]
    Purge {
        /// Age: 24h, 30d.
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

/// Filter of traces.
#[derive(Debug, Args)]
pub(super) struct FilterArguments {
    /// Only actions of this agent.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Only this action, such as `create_agent`; `traces stats` lists the actions.
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    #[command(flatten)]
    range: RenamedRangeArguments,
    /// Only failed actions.
    #[arg(long)]
    errors: bool,
}

impl FilterArguments {
    fn params(&self) -> Result<ListParams, Failure> {
        let StatsParams { agent, action, after, before, error } = self.stats_params()?;
        Ok(ListParams { agent, action, after, before, error, cursor: None, limit: None })
    }

    fn stats_params(&self) -> Result<StatsParams, Failure> {
        let Range { since, until } = self.range.checked()?;
        Ok(StatsParams {
            agent: self.agent.clone(),
            action: self.action.clone(),
            after: since,
            before: until,
            error: self.errors.then_some(true),
        })
    }
}

pub(super) async fn run(command: &TracesCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        TracesCommand::List { filter, cursor, limit } => {
            let params = ListParams { cursor: cursor.clone(), limit: Some(*limit), ..filter.params()? };
            let page = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&page, draw));
            Ok(match &page.next_cursor {
                _ if page.traces.is_empty() => {
                    outcome.remark(&context.output, "No matching traces: `svc-admin traces stats` lists the actions.")
                }
                Some(cursor) => outcome.remark(&context.output, &format!("--cursor {cursor} shows earlier traces.")),
                None => outcome,
            })
        }
        TracesCommand::Stats { filter } => {
            let stats = context.call::<Stats>(&filter.stats_params()?).await?;
            let outcome = Outcome::new(context.output.render(&stats, draw_stats));
            Ok(if stats.actions.is_empty() { outcome.remark(&context.output, "No matching traces.") } else { outcome })
        }
        TracesCommand::Export { filter, format, file } => {
            let stats = context.call::<Stats>(&filter.stats_params()?).await?;
            let pages =
                TracePages { next: Some(ListParams { limit: Some(limits::PAGE_MAX.into()), ..filter.params()? }) };
            export::run(context, pages, u64::try_from(stats.total).ok(), *format, file.as_deref()).await
        }
        TracesCommand::Purge { older_than, dry_run, yes } => purge(context, *older_than, *dry_run, *yes).await,
    }
}

async fn purge(context: &mut Context, older_than: Duration, dry_run: bool, yes: bool) -> Result<Outcome, Failure> {
    let age = duration::print(older_than);
    ask::confirm(&format!("This deletes all traces older than {age} permanently."), yes || dry_run)?;
    let spinner = progress::spinner("scanning traces");
    let params = PruneParams { older_than_seconds: older_than.as_secs(), dry_run };
    let purged = context.call::<Purge>(&params).await;
    spinner.finish_and_clear();
    let purged = purged?;
    let verb = if dry_run { "Would be removed" } else { "Removed" };
    let sentence = format!("{verb}, from before {} UTC: {}.", when::short(purged.before), purged.removed);
    Ok(Outcome::sentence(&context.output, &purged, &sentence))
}

/// The traces, page by page.
struct TracePages {
    next: Option<ListParams>,
}

impl Source for TracePages {
    type Record = Trace;

    async fn next(&mut self, context: &mut Context) -> Result<Vec<Trace>, Failure> {
        let Some(params) = self.next.take() else {
            return Ok(Vec::new());
        };
        let page = context.call::<List>(&params).await?;
        self.next = page.next_cursor.map(|cursor| ListParams { cursor: Some(cursor), ..params });
        Ok(page.traces)
    }
}

impl Record for Trace {
    const COLUMNS: &'static [&'static str] = &Trace::COLUMNS;

    fn cells(&self) -> Vec<String> {
        Trace::cells(self).into()
    }
}

fn draw(output: &Output, page: &TracePage) -> String {
    let row = |trace: &Trace| {
        vec![
            Cell::whole(when::short(trace.created_at)),
            Cell::new(trace.owner.as_deref().unwrap_or("-")),
            Cell::new(trace.agent.as_deref().unwrap_or("-")),
            Cell::new(&trace.action).kept(),
            Cell::new(trace.surface.as_str()),
            Cell::new(trace.duration_ms.to_string()),
            Cell::toned(trace.error.as_deref().unwrap_or(""), Tone::Bad),
        ]
    };
    let rows: Vec<_> = page.traces.iter().map(row).collect();
    table::draw(output, &["TIME (UTC)", "OWNER", "AGENT", "ACTION", "DOOR", "MS", "ERROR"], &rows)
}

fn draw_stats(output: &Output, stats: &TraceStats) -> String {
    let row = |name: &str, count: i64, errors: i64| {
        let tone = if errors > 0 { Tone::Bad } else { Tone::Plain };
        vec![Cell::new(name), Cell::new(count.to_string()), Cell::toned(errors.to_string(), tone)]
    };
    let mut rows: Vec<_> =
        stats.actions.iter().map(|action| row(&action.action, action.count, action.errors)).collect();
    if rows.len() > 1 {
        rows.push(row("all", stats.total, stats.errors));
    }
    table::draw(output, &["ACTION", "COUNT", "ERRORS"], &rows)
}
