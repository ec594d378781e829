//! `svc-admin db`.

use std::path::Path;

use clap::Subcommand;
use svc_core::HubConfig;
use svc_core::db::{Db, MigrationState, Vacuumed};

use super::context::Context;
use super::outcome::{Failure, Outcome, Verdict};
use super::output::{Output, Tone};
use super::progress;
use super::size::bytes;
use super::table::{self, Cell};
use super::when;
use crate::methods::NoParams;
use crate::methods::db::{Check, CheckParams, CheckPart, CheckReport, FILES, Migrate, Migrations, Vacuum};

#[derive(Debug, Subcommand)]
pub(super) enum DbCommand {
    /// Check the integrity of the store and the hash of every attachment; a large store or many attachments take
    /// minutes, and the server keeps working meanwhile.
    #[command(after_help = "Examples:\n  svc-admin db check && echo sound\n  \
                            svc-admin --data /var/lib/svc db check --offline")]
    Check {
        /// Open the store directly, without a server and without the attachments: the one in the data directory, or
        /// the one that --database-url names.
        #[arg(long)]
        offline: bool,
        /// The store, if it is not svc.db in the data directory.
        #[arg(
            long,
            requires = "offline",
            env = "SVC_DATABASE_URL",
            value_name = "sqlite:PATH|postgres://…",
            hide_env_values = true
        )]
        database_url: Option<String>,
    },
    /// Release unused space. On SQLite, writers wait meanwhile; a large store takes a while.
    #[command(after_help = "Example:\n  svc-admin db vacuum")]
    Vacuum,
    /// List the migrations of the store and apply missing ones, which a server does at its start.
    #[command(after_help = "Example:\n  svc-admin db migrate")]
    Migrate,
}

impl DbCommand {
    /// Runs a command that needs no server; `None` for the others.
    pub(super) async fn without_server(&self, data: &Path, output: &Output) -> Option<Result<Outcome, Failure>> {
        match self {
            Self::Check { offline: true, database_url } => {
                Some(check_offline(data, database_url.as_deref(), output).await)
            }
            _ => None,
        }
    }
}

async fn check_offline(data: &Path, database_url: Option<&str>, output: &Output) -> Result<Outcome, Failure> {
    let here = |error: svc_core::Error| Failure::of(&error);
    let mut config = HubConfig::at(data);
    if let Some(url) = database_url {
        config = config.with_store(url).map_err(here)?;
    }
    let spinner = progress::spinner("looking the store over");
    let report = Db::check_offline(&config.store_url()).await;
    spinner.finish_and_clear();
    Ok(report_outcome(output, &report.map_err(here)?))
}

pub(super) async fn run(command: &DbCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        DbCommand::Check { .. } => check(context).await,
        DbCommand::Vacuum => {
            let spinner = progress::spinner("releasing unused space");
            let vacuumed = context.call::<Vacuum>(&NoParams {}).await;
            spinner.finish_and_clear();
            let vacuumed = vacuumed?;
            let Vacuumed { bytes_before, bytes_after } = vacuumed;
            let sentence = format!("The store has {} now; it had {}.", bytes(bytes_after), bytes(bytes_before));
            Ok(Outcome::sentence(&context.output, &vacuumed, &sentence))
        }
        DbCommand::Migrate => {
            let migrations = context.call::<Migrate>(&NoParams {}).await?;
            let remark = match migrations.applied_now {
                0 => "No migrations were missing: the server applies them when it starts.".to_owned(),
                applied => format!("Applied just now: {applied}."),
            };
            let outcome = Outcome::new(context.output.render(&migrations, draw_migrations));
            Ok(outcome.remark(&context.output, &remark))
        }
    }
}

async fn check(context: &mut Context) -> Result<Outcome, Failure> {
    let mut report = check_part(context, CheckPart::Store, "looking the store over").await?;
    // A damaged database cannot tell which attachments should exist.
    if report.ok {
        let files = check_part(context, CheckPart::Files, "comparing files with their hashes").await?;
        report.files = files.files;
        for check in files.checks {
            report.add(check);
        }
    }
    Ok(report_outcome(&context.output, &report))
}

async fn check_part(context: &mut Context, part: CheckPart, what: &'static str) -> Result<CheckReport, Failure> {
    let spinner = progress::spinner(what);
    let report = context.call::<Check>(&CheckParams { part: Some(part) }).await;
    spinner.finish_and_clear();
    report
}

fn report_outcome(output: &Output, report: &CheckReport) -> Outcome {
    let verdict = if report.ok { Verdict::Fine } else { Verdict::Wrong };
    Outcome::new(output.render(report, draw)).verdict(verdict)
}

fn draw(output: &Output, report: &CheckReport) -> String {
    let mut rows = Vec::new();
    for check in &report.checks {
        if check.faults.is_empty() {
            rows.push(vec![Cell::new(&check.name), Cell::toned("ok", Tone::Good), Cell::new("")]);
        }
        for fault in &check.faults {
            rows.push(vec![Cell::new(&check.name), Cell::toned("fault", Tone::Bad), Cell::new(fault)]);
        }
    }
    let mut drawn = table::draw(output, &["CHECK", "RESULT", "PROBLEM"], &rows);
    drawn.push_str(&closing(output, report));
    drawn
}

fn closing(output: &Output, report: &CheckReport) -> String {
    let CheckReport { engine, tables, migrations, files, .. } = report;
    if report.ok {
        let sound = output.paint(Tone::Good, "sound");
        return format!(
            "\nThe store is {sound} ({engine}; tables: {tables}, migrations: {migrations}, files: {files}).\n"
        );
    }
    if report.checks.iter().all(|check| check.name == FILES || check.faults.is_empty()) {
        let damaged = output.paint(Tone::Bad, "damaged");
        return format!(
            "\nThe database is sound, and files are {damaged}: restore an archive of them with `svc-admin attachments \
             restore`, or upload them again.\n"
        );
    }
    if report.is_version_only() {
        let other = output.paint(Tone::Bad, "of another version");
        return format!("\nThe store is {other} than this program; nothing in it is damaged.\n");
    }
    let unsound = output.paint(Tone::Bad, "not sound");
    format!("\nThe store is {unsound}: stop the server and restore the latest backup.\n")
}

fn draw_migrations(output: &Output, answer: &Migrations) -> String {
    let row = |migration: &MigrationState| {
        let applied = match migration.applied_at {
            Some(at) => Cell::whole(when::short(at)),
            None => Cell::toned("missing", Tone::Bad),
        };
        vec![Cell::new(&migration.name), applied]
    };
    let rows: Vec<_> = answer.migrations.iter().map(row).collect();
    table::draw(output, &["MIGRATION", "APPLIED (UTC)"], &rows)
}
