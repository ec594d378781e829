//! `svc-admin audit export`: the log in pages, so that its length does not matter.
//!
//! What always holds: a file gets its name when it is whole, and only its owner can read it; a reader
//! of standard output that goes away ends the export without a failure.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use indicatif::ProgressBar;
use serde::Serialize;
use svc_core::{AuditEntry, limits};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::progress;
use crate::methods::audit::{List, ListParams, Stats, StatsParams};

/// How an entry is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportForm {
    // One JSON object per line.
    Jsonl,
    // Comma-separated values under a heading.
    Csv,
}

/// What was exported to a file.
#[derive(Debug, Serialize)]
struct Exported {
    entries: u64,
    file: PathBuf,
}

pub(super) async fn run(
    context: &mut Context,
    filter: ListParams,
    form: ExportForm,
    file: Option<&Path>,
) -> Result<Outcome, Failure> {
    let total = total(context, &filter).await?;
    let bar = progress::bar(total, file.is_some() || !io::stdout().is_terminal());
    let Some(path) = file else {
        let mut out = BufWriter::new(io::stdout().lock());
        let entries = match write_pages(context, filter, form, &mut out, &bar).await {
            Err(Stopped::Writing(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(Outcome::new(String::new()));
            }
            outcome => outcome.map_err(|stopped| stopped.explain("standard output"))?,
        };
        bar.finish_and_clear();
        return Ok(Outcome::new(String::new()).remark(&context.output, &sentence(entries, "standard output")));
    };
    let shown = path.display().to_string();
    let draft = path.with_added_extension("part");
    let mut out = BufWriter::new(create(&draft).map_err(|error| Stopped::Writing(error).explain(&shown))?);
    let written = write_pages(context, filter, form, &mut out, &bar).await;
    bar.finish_and_clear();
    let placed = written.and_then(|entries| {
        let place = out.get_ref().sync_all().and_then(|()| fs::rename(&draft, path));
        place.map(|()| entries).map_err(Stopped::Writing)
    });
    match placed {
        Ok(entries) => {
            let exported = Exported { entries, file: path.to_owned() };
            Ok(Outcome::sentence(&context.output, &exported, &sentence(entries, &shown)))
        }
        Err(stopped) => {
            // Half of a log is of no use to anybody.
            fs::remove_file(&draft).ok();
            Err(stopped.explain(&shown))
        }
    }
}

fn sentence(entries: u64, place: &str) -> String {
    match entries {
        1 => format!("Wrote 1 entry to {place}."),
        entries => format!("Wrote {entries} entries to {place}."),
    }
}

/// Why an export ended early.
enum Stopped {
    Asking(Failure),
    Writing(io::Error),
}

impl Stopped {
    fn explain(self, place: &str) -> Failure {
        match self {
            Self::Asking(failure) => failure,
            Self::Writing(error) => Failure::Here(format!(
                "{place} cannot be written to ({error}): see that there is room and that this user may."
            )),
        }
    }
}

async fn write_pages(
    context: &mut Context,
    filter: ListParams,
    form: ExportForm,
    out: &mut impl Write,
    bar: &ProgressBar,
) -> Result<u64, Stopped> {
    if form == ExportForm::Csv {
        writeln!(out, "{HEADING}\r").map_err(Stopped::Writing)?;
    }
    let mut params = ListParams { limit: Some(limits::PAGE_MAX.into()), ..filter };
    let mut written = 0;
    loop {
        let page = context.call::<List>(&params).await.map_err(Stopped::Asking)?;
        for entry in &page.entries {
            write_entry(out, form, entry).map_err(Stopped::Writing)?;
        }
        written += page.entries.len() as u64;
        bar.set_position(written);
        match page.entries.last() {
            Some(last) => params.before = Some(last.id),
            None => break,
        }
    }
    out.flush().map_err(Stopped::Writing)?;
    Ok(written)
}

const HEADING: &str = "id,created_at,event,user_id,username,client_id,remote_ip,surface,request_id,details";

fn write_entry(out: &mut impl Write, form: ExportForm, entry: &AuditEntry) -> io::Result<()> {
    if form == ExportForm::Jsonl {
        serde_json::to_writer(&mut *out, entry)?;
        return writeln!(out);
    }
    let fields = [
        entry.id.to_string(),
        entry.created_at.to_string(),
        entry.event.clone(),
        entry.user_id.map(|id| id.to_string()).unwrap_or_default(),
        entry.username.clone().unwrap_or_default(),
        entry.client_id.clone().unwrap_or_default(),
        entry.remote_ip.clone().unwrap_or_default(),
        entry.surface.to_string(),
        entry.request_id.clone().unwrap_or_default(),
        entry.details.to_string(),
    ];
    write!(out, "{}\r\n", fields.map(|field| quoted(&field)).join(","))
}

/// A field as RFC 4180 wants it.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// How many entries there will be, where that is known beforehand.
async fn total(context: &mut Context, filter: &ListParams) -> Result<Option<u64>, Failure> {
    if filter.user.is_some() || filter.until.is_some() {
        return Ok(None);
    }
    let stats = context.call::<Stats>(&StatsParams { since: filter.since }).await?.stats;
    let counted = stats.iter().filter(|stats| filter.event.as_ref().is_none_or(|event| *event == stats.event));
    Ok(u64::try_from(counted.map(|stats| stats.count).sum::<i64>()).ok())
}

/// A new file that only its owner can read.
fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        for (field, written) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("", ""),
        ] {
            assert_eq!(quoted(field), written);
        }
    }
}
