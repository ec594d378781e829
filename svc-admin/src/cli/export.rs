//! `svc-admin audit export` and `traces export`: exports of a log page by page, so that its length does not matter.
//!
//! Invariants: a file gets its final name when it is complete, and only its owner can read it; a reader that closes
//! standard output ends the export without a failure.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use indicatif::ProgressBar;
use serde::Serialize;
use svc_core::formats::csv;

use super::context::Context;
use super::draft::Draft;
use super::outcome::{Failure, Outcome};
use super::progress;

/// Export format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportForm {
    // One JSON object per line.
    Jsonl,
    // Comma-separated values under a heading.
    Csv,
}

/// An exported record: one line each.
pub(super) trait Record: Serialize {
    /// The names of its columns.
    const COLUMNS: &'static [&'static str];

    /// Its values as text.
    fn cells(&self) -> Vec<String>;
}

/// Source of records.
pub(super) trait Source {
    /// The type of the records.
    type Record: Record;

    /// The next page; an empty one after the last.
    async fn next(&mut self, context: &mut Context) -> Result<Vec<Self::Record>, Failure>;
}

/// Result of an export to a file.
#[derive(Debug, Serialize)]
struct Exported {
    entries: u64,
    file: PathBuf,
}

/// Exports everything; `total` is the number of records, if it is known in advance.
pub(super) async fn run(
    context: &mut Context,
    source: impl Source,
    total: Option<u64>,
    form: ExportForm,
    file: Option<&Path>,
) -> Result<Outcome, Failure> {
    let bar = progress::bar(total, file.is_some() || !io::stdout().is_terminal());
    let Some(path) = file else {
        let mut out = BufWriter::new(io::stdout().lock());
        let entries = match write_pages(context, source, form, &mut out, &bar).await {
            Err(Stopped::Writing(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(Outcome::new(String::new()));
            }
            outcome => outcome.map_err(|stopped| stopped.explain("standard output"))?,
        };
        bar.finish_and_clear();
        return Ok(Outcome::new(String::new()).remark(&context.output, &sentence(entries, "standard output")));
    };
    let shown = path.display().to_string();
    let draft = Draft::beside(path).map_err(|error| Stopped::Writing(error).explain(&shown))?;
    let mut out = BufWriter::new(draft);
    let written = write_pages(context, source, form, &mut out, &bar).await;
    bar.finish_and_clear();
    let placed = written.and_then(|entries| {
        let draft = out.into_inner().map_err(|error| Stopped::Writing(error.into_error()))?;
        draft.place().map(|()| entries).map_err(Stopped::Writing)
    });
    let entries = placed.map_err(|stopped| stopped.explain(&shown))?;
    let exported = Exported { entries, file: path.to_owned() };
    Ok(Outcome::sentence(&context.output, &exported, &sentence(entries, &shown)))
}

fn sentence(entries: u64, place: &str) -> String {
    match entries {
        1 => format!("Wrote 1 entry to {place}."),
        entries => format!("Wrote {entries} entries to {place}."),
    }
}

/// The reason why an export ended early.
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

async fn write_pages<S: Source>(
    context: &mut Context,
    mut source: S,
    form: ExportForm,
    out: &mut impl Write,
    bar: &ProgressBar,
) -> Result<u64, Stopped> {
    let mut line = String::new();
    if form == ExportForm::Csv {
        csv::write_line(&mut line, S::Record::COLUMNS.iter().copied());
        out.write_all(line.as_bytes()).map_err(Stopped::Writing)?;
    }
    let mut written = 0;
    loop {
        let page = source.next(context).await.map_err(Stopped::Asking)?;
        for record in &page {
            write_record(out, form, record, &mut line).map_err(Stopped::Writing)?;
        }
        written += page.len() as u64;
        bar.set_position(written);
        if page.is_empty() {
            break;
        }
    }
    out.flush().map_err(Stopped::Writing)?;
    Ok(written)
}

fn write_record(out: &mut impl Write, form: ExportForm, record: &impl Record, line: &mut String) -> io::Result<()> {
    match form {
        ExportForm::Jsonl => {
            serde_json::to_writer(&mut *out, record)?;
            writeln!(out)
        }
        ExportForm::Csv => {
            line.clear();
            csv::write_line(line, record.cells().iter().map(String::as_str));
            out.write_all(line.as_bytes())
        }
    }
}
