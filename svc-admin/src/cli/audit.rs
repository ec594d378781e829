//! `svc-admin audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::Value;
use svc_core::audit::AuditEntry;
use svc_core::ids::AuditId;
use svc_core::{Timestamp, limits};

use super::context::Context;
use super::export::{self, ExportForm, Record, Source};
use super::moments::{self, Range, RangeArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::when;
use crate::methods::audit::{Entries, List, ListParams, Stats, StatsAnswer, StatsParams};

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// List audit entries of accounts and credentials, newest first.
    #[command(after_help = "Examples:\n  svc-admin audit list --since 24h\n  \
                            svc-admin audit list --event login_failure --user ann")]
    List {
        #[command(flatten)]
        filter: FilterArguments,
        /// Only entries before this id, for the next page.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
        /// Page size, 1 to 200.
        #[arg(long, value_name = "N", default_value_t = svc_core::limits::PAGE_DEFAULT.into())]
        limit: i64,
    },
    /// Count audit entries by event.
    #[command(after_help = "Example:\n  svc-admin audit stats --since 7d")]
    Stats {
        #[arg(long, value_name = "TIME", value_parser = moments::moment, help = moments::SINCE)]
        since: Option<Timestamp>,
    },
    /// Export the whole audit log, newest first, as JSON lines or CSV.
    #[command(after_help = "Examples:\n  svc-admin audit export --since 30d > audit.jsonl\n  \
                            svc-admin audit export --format csv --file audit.csv")]
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
}

/// Filter of audit entries.
#[derive(Debug, Args)]
pub(super) struct FilterArguments {
    /// Only this event, such as `login_failure`; `audit stats` lists the events.
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
    /// Only about this account.
    #[arg(long, value_name = "USERNAME")]
    user: Option<String>,
    /// Only actions of this account.
    #[arg(long, value_name = "USERNAME")]
    actor: Option<String>,
    #[command(flatten)]
    range: RangeArguments,
}

impl FilterArguments {
    fn params(&self) -> Result<ListParams, Failure> {
        let Range { since, until } = self.range.checked()?;
        Ok(ListParams {
            event: self.event.clone(),
            user: self.user.clone(),
            actor: self.actor.clone(),
            since,
            until,
            before: None,
            limit: None,
        })
    }
}

pub(super) async fn run(command: &AuditCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        AuditCommand::List { filter, before, limit } => {
            let params = ListParams { before: before.map(AuditId), limit: Some(*limit), ..filter.params()? };
            let page = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&page, draw));
            let full = i64::try_from(page.entries.len()).is_ok_and(|count| count == *limit);
            Ok(match page.entries.last() {
                None => {
                    outcome.remark(&context.output, "No matching entries: `svc-admin audit stats` lists the events.")
                }
                Some(last) if full => {
                    outcome.remark(&context.output, &format!("--before {} shows earlier entries.", last.id))
                }
                Some(_) => outcome,
            })
        }
        AuditCommand::Stats { since } => {
            let stats = context.call::<Stats>(&StatsParams { since: *since }).await?;
            let outcome = Outcome::new(context.output.render(&stats, draw_stats));
            let empty = stats.stats.is_empty();
            Ok(if empty { outcome.remark(&context.output, "No entries since then.") } else { outcome })
        }
        AuditCommand::Export { filter, format, file } => {
            let total = total(context, &filter.params()?).await?;
            let pages = AuditPages(ListParams { limit: Some(limits::PAGE_MAX.into()), ..filter.params()? });
            export::run(context, pages, total, *format, file.as_deref()).await
        }
    }
}

/// The number of entries, if it is known in advance.
async fn total(context: &mut Context, filter: &ListParams) -> Result<Option<u64>, Failure> {
    if filter.user.is_some() || filter.actor.is_some() || filter.until.is_some() {
        return Ok(None);
    }
    let stats = context.call::<Stats>(&StatsParams { since: filter.since }).await?.stats;
    let counted = stats.iter().filter(|stats| filter.event.as_ref().is_none_or(|event| *event == stats.event));
    Ok(u64::try_from(counted.map(|stats| stats.count).sum::<i64>()).ok())
}

/// The entries, page by page.
struct AuditPages(ListParams);

impl Source for AuditPages {
    type Record = AuditEntry;

    async fn next(&mut self, context: &mut Context) -> Result<Vec<AuditEntry>, Failure> {
        let entries = context.call::<List>(&self.0).await?.entries;
        if let Some(last) = entries.last() {
            self.0.before = Some(last.id);
        }
        Ok(entries)
    }
}

impl Record for AuditEntry {
    const COLUMNS: &'static [&'static str] = &AuditEntry::COLUMNS;

    fn cells(&self) -> Vec<String> {
        AuditEntry::cells(self).into()
    }
}

fn draw(output: &Output, page: &Entries) -> String {
    let row = |entry: &AuditEntry| {
        let tone = if entry.event == "login_failure" { Tone::Bad } else { Tone::Plain };
        vec![
            Cell::whole(entry.id.to_string()),
            Cell::whole(when::minute(entry.created_at)),
            Cell::toned(&entry.event, tone).kept(),
            Cell::new(entry.username.as_deref().unwrap_or("-")),
            Cell::new(entry.remote_ip.as_deref().unwrap_or(entry.surface.as_str())),
            Cell::new(details(entry)),
        ]
    };
    let rows: Vec<_> = page.entries.iter().map(row).collect();
    table::draw(output, &["ID", "TIME (UTC)", "EVENT", "USER", "FROM", "DETAILS"], &rows)
}

/// `role=admin first_run=true`.
fn details(entry: &AuditEntry) -> String {
    // An action on the own account needs no second name.
    let by = entry.actor.iter().filter(|actor| entry.username.as_ref() != Some(*actor));
    let by = by.map(|actor| format!("by={actor}"));
    let client = entry.client_id.iter().map(|client| format!("client={client}"));
    let pairs = entry.details.as_object().into_iter().flatten().map(|(name, value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    });
    by.chain(client).chain(pairs).collect::<Vec<_>>().join(" ")
}

fn draw_stats(output: &Output, answer: &StatsAnswer) -> String {
    let now = when::now();
    let rows: Vec<_> = answer
        .stats
        .iter()
        .map(|stats| {
            vec![
                Cell::new(&stats.event),
                Cell::new(stats.count.to_string()),
                Cell::new(when::relative(stats.last_at, now)),
            ]
        })
        .collect();
    table::draw(output, &["EVENT", "COUNT", "LAST"], &rows)
}
