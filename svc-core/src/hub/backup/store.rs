//! The SQL of the schedule and of the results.

use std::time::Duration;

use super::model::{BackupRecord, BackupSchedule, BackupState, NewSchedule};
use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A schedule as a row.
    struct ScheduleRow {
        every_seconds: i64,
        keep: i64,
        destination: String,
        next_at: Timestamp,
    }
}

crate::row! {
    /// A result as a row.
    struct ResultRow {
        started_at: Timestamp,
        ended_at: Timestamp,
        destination: Option<String>,
        name: Option<String>,
        row_count: i64,
        file_count: i64,
        size: Option<i64>,
        error: Option<String>,
        removed_at: Option<Timestamp>,
    }
}

fn schedule_of(row: ScheduleRow) -> BackupSchedule {
    BackupSchedule {
        every_seconds: row.every_seconds.unsigned_abs(),
        keep: u32::try_from(row.keep).unwrap_or(1),
        to: row.destination,
        next_at: row.next_at,
    }
}

/// The schedule, if there is one.
pub(super) async fn schedule(tx: &mut Tx) -> Result<Option<BackupSchedule>> {
    let row = tx
        .query("SELECT every_seconds, keep, destination, next_at FROM backup_schedule WHERE id = 1")
        .fetch_optional()
        .await?;
    Ok(row.map(schedule_of))
}

/// Replaces the schedule. The first backup is due at once.
pub(super) async fn set_schedule(tx: &mut Tx, new: &NewSchedule) -> Result<BackupSchedule> {
    let now = tx.now();
    let row = tx
        .query(
            "INSERT INTO backup_schedule (id, every_seconds, keep, destination, next_at) VALUES (1, $1, $2, $3, $4)
             ON CONFLICT (id) DO UPDATE
                SET every_seconds = excluded.every_seconds, keep = excluded.keep,
                    destination = excluded.destination, next_at = excluded.next_at
             RETURNING every_seconds, keep, destination, next_at",
        )
        .bind(seconds(new.every))
        .bind(i64::from(new.keep))
        .bind(new.to.as_str())
        .bind(now)
        .fetch_one()
        .await?;
    Ok(schedule_of(row))
}

/// Ends the schedule.
pub(super) async fn remove_schedule(tx: &mut Tx) -> Result<()> {
    tx.query("DELETE FROM backup_schedule").execute().await?;
    Ok(())
}

/// Takes the backup that is due. It is due again after a while, in case that this process ends.
pub(super) async fn take_due(tx: &mut Tx) -> Result<Option<BackupSchedule>> {
    let now = tx.now();
    let row = tx
        .query(
            "UPDATE backup_schedule SET next_at = $2
              WHERE id = 1 AND next_at <= $1
             RETURNING every_seconds, keep, destination, next_at",
        )
        .bind(now)
        .bind(now.plus(limits::BACKUP_RETRY))
        .fetch_optional()
        .await?;
    Ok(row.map(schedule_of))
}

/// Writes down a success of the schedule; the next one is due an interval after its beginning.
pub(super) async fn note_next(tx: &mut Tx, schedule: &BackupSchedule, started_at: Timestamp) -> Result<()> {
    tx.query("UPDATE backup_schedule SET next_at = $2 WHERE id = 1 AND next_at = $1")
        .bind(schedule.next_at)
        .bind(started_at.plus(schedule.every()))
        .execute()
        .await?;
    Ok(())
}

/// Writes down a result, and forgets old ones whose archives are gone.
pub(super) async fn note(tx: &mut Tx, record: &BackupRecord) -> Result<()> {
    tx.query(
        "INSERT INTO backups (started_at, ended_at, destination, name, row_count, file_count, size, error)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(record.started_at)
    .bind(record.ended_at)
    .bind(record.to.clone())
    .bind(record.name.clone())
    .bind(signed(record.rows))
    .bind(signed(record.files))
    .bind(record.size.map(signed))
    .bind(record.error.clone())
    .execute()
    .await?;
    tx.query(
        "DELETE FROM backups
          WHERE id <= (SELECT max(id) FROM backups) - $1
            AND (removed_at IS NOT NULL OR error IS NOT NULL OR destination IS NULL)",
    )
    .bind(i64::from(limits::BACKUPS_LISTED))
    .execute()
    .await?;
    Ok(())
}

/// The names of the archives in a place that are more than the newest ones that are kept, oldest first.
pub(super) async fn surplus(tx: &mut Tx, schedule: &BackupSchedule) -> Result<Vec<(i64, String)>> {
    let newest_first: Vec<(i64, String)> = tx
        .query(
            "SELECT id, name
               FROM backups
              WHERE destination = $1 AND name IS NOT NULL AND error IS NULL AND removed_at IS NULL
              ORDER BY id DESC",
        )
        .bind(schedule.to.as_str())
        .fetch_all()
        .await?;
    let keep = usize::try_from(schedule.keep).unwrap_or(usize::MAX);
    Ok(newest_first.into_iter().skip(keep).rev().collect())
}

/// Writes down that an archive was removed.
pub(super) async fn note_removed(tx: &mut Tx, id: i64) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE backups SET removed_at = $2 WHERE id = $1").bind(id).bind(now).execute().await?;
    Ok(())
}

/// The latest results, newest first.
pub(super) async fn latest(tx: &mut Tx) -> Result<Vec<BackupRecord>> {
    let rows: Vec<ResultRow> = tx
        .query(
            "SELECT started_at, ended_at, destination, name, row_count, file_count, size, error, removed_at
               FROM backups
              ORDER BY id DESC
              LIMIT $1",
        )
        .bind(limits::BACKUPS_LISTED)
        .fetch_all()
        .await?;
    let record = |row: ResultRow| BackupRecord {
        started_at: row.started_at,
        ended_at: row.ended_at,
        to: row.destination,
        name: row.name,
        rows: row.row_count.unsigned_abs(),
        files: row.file_count.unsigned_abs(),
        size: row.size.map(i64::unsigned_abs),
        error: row.error,
        removed_at: row.removed_at,
    };
    Ok(rows.into_iter().map(record).collect())
}

/// The state of backups in a few figures.
pub(super) async fn state(tx: &mut Tx) -> Result<BackupState> {
    let schedule = schedule(tx).await?;
    let success: Option<(i64, Timestamp, Option<i64>)> = tx
        .query("SELECT id, ended_at, size FROM backups WHERE error IS NULL ORDER BY id DESC LIMIT 1")
        .fetch_optional()
        .await?;
    let since = success.as_ref().map_or(0, |(id, ..)| *id);
    let failures: i64 =
        tx.query("SELECT count(*) FROM backups WHERE error IS NOT NULL AND id > $1").bind(since).fetch_value().await?;
    let failure: Option<(Option<String>,)> = tx
        .query("SELECT error FROM backups WHERE id > $1 ORDER BY id DESC LIMIT 1")
        .bind(since)
        .fetch_optional()
        .await?;
    Ok(BackupState {
        every: schedule.map(|schedule| schedule.every()),
        last_success_at: success.as_ref().map(|(_, at, _)| *at),
        last_size: success.and_then(|(.., size)| size).map(i64::unsigned_abs),
        failures: failures.unsigned_abs(),
        last_error: failure.and_then(|(error,)| error),
    })
}

fn seconds(duration: Duration) -> i64 {
    signed(duration.as_secs())
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
