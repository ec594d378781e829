//! `svc-admin backup schedule` and `backup list`.

use std::path::Path;
use std::time::Duration;

use svc_core::backups::{BackupOverview, BackupRecord, BackupSchedule};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::size::bytes;
use super::table::{self, Cell};
use super::when;
use crate::methods::NoParams;
use crate::methods::backup::{List, Schedule, ScheduleParams};

/// Sets, ends or shows the schedule.
pub(super) async fn set(
    context: &mut Context,
    every: Duration,
    keep: u32,
    to: Option<&str>,
    off: bool,
) -> Result<Outcome, Failure> {
    let params = match to {
        Some(to) => ScheduleParams::Set { every_seconds: every.as_secs(), keep, to: absolute(to)? },
        None if off => ScheduleParams::Off {},
        None => ScheduleParams::Show {},
    };
    let answer = context.call::<Schedule>(&params).await?;
    let told = match &answer.schedule {
        Some(schedule) => sentence(schedule),
        None => "No backups are made by themselves: `svc-admin backup schedule --to DIRECTORY` begins.".to_owned(),
    };
    Ok(Outcome::sentence(&context.output, &answer, &told))
}

/// The server has another working directory.
fn absolute(to: &str) -> Result<String, Failure> {
    if to.starts_with("s3://") {
        return Ok(to.to_owned());
    }
    let path =
        std::path::absolute(Path::new(to)).map_err(|error| Failure::Here(format!("{to} is no path ({error}).")))?;
    let text = path.to_str().map(ToOwned::to_owned);
    text.ok_or_else(|| Failure::Here(format!("{} is not UTF-8: use another directory.", path.display())))
}

fn sentence(schedule: &BackupSchedule) -> String {
    let BackupSchedule { every_seconds, keep, to, next_at, .. } = schedule;
    let next = if *next_at <= when::now() { "now".to_owned() } else { when::relative(*next_at, when::now()) };
    format!(
        "A backup is made every {} to {to}, and the newest {keep} are kept. The next one is due {next}.",
        when::duration(*every_seconds)
    )
}

pub(super) async fn list(context: &mut Context) -> Result<Outcome, Failure> {
    let overview = context.call::<List>(&NoParams {}).await?;
    let outcome = Outcome::new(context.output.render(&overview, draw));
    let told = match &overview.schedule {
        Some(schedule) => sentence(schedule),
        None => "None are made by themselves: `svc-admin backup schedule --to DIRECTORY` begins.".to_owned(),
    };
    Ok(outcome.remark(&context.output, &told))
}

fn draw(output: &Output, overview: &BackupOverview) -> String {
    let rows: Vec<_> = overview.backups.iter().map(row).collect();
    table::draw(output, &["STARTED", "STATE", "SIZE", "ARCHIVE"], &rows)
}

fn row(backup: &BackupRecord) -> Vec<Cell> {
    let (state, tone) = match (&backup.error, backup.removed_at) {
        (Some(_), _) => ("failed", Tone::Bad),
        (None, Some(_)) => ("removed", Tone::Plain),
        (None, None) => ("made", Tone::Good),
    };
    let place = match (&backup.to, &backup.name) {
        (Some(to), Some(name)) => format!("{}/{name}", to.trim_end_matches('/')),
        _ => "written by a command".to_owned(),
    };
    vec![
        Cell::whole(when::short(backup.started_at)),
        Cell::toned(state, tone),
        Cell::new(backup.size.map(bytes).unwrap_or_default()),
        Cell::new(backup.error.clone().unwrap_or(place)),
    ]
}
