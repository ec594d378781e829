//! The worker that makes backups by the schedule.
//!
//! Invariants: older backups are removed after a new one was read back and has its name, so there are never fewer than
//! before; a failure is written down, and tried again after a while.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::model::{BackupRecord, BackupSchedule, BackupSummary, NewBackup};
use super::place::{self, Place};
use super::{Backups, store, verify};
use crate::error::{Error, Result};
use crate::store::workers::{Cadence, Progress, Worker};
use crate::timestamp::Timestamp;

/// Characters of the id of the hub in the name of an archive.
const HUB_CHARACTERS: usize = 8;

/// The worker that makes backups.
pub(crate) struct ScheduledBackups {
    pub(crate) backups: Backups,
}

#[async_trait]
impl Worker for ScheduledBackups {
    fn name(&self) -> &'static str {
        "backup_schedule"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(1))
    }

    async fn work_arrives(&self) {
        self.backups.changed.notified().await;
    }

    async fn run_once(&self) -> Result<Progress> {
        let backups = &self.backups;
        let due = backups.db.write((), |tx, ()| Box::pin(store::take_due(tx))).await?;
        let Some(schedule) = due else { return Ok(Progress::Done) };
        let started_at = backups.clock.now();
        match backups.make_one(&schedule, started_at).await {
            Ok((name, summary, size)) => {
                let mut record = BackupRecord::of(started_at, backups.clock.now(), &summary);
                record.name = Some(name);
                record.size = Some(size);
                record.to = Some(schedule.to.clone());
                let noted = (record, schedule.clone(), started_at);
                backups.db.write(noted, |tx, noted| Box::pin(succeeded(tx, noted))).await?;
                backups.remove_surplus(&schedule).await?;
            }
            Err(error) => {
                tracing::error!(error = error.log_line(), "a scheduled backup failed; it is tried again later");
                let mut record = BackupRecord::failed(started_at, backups.clock.now(), error.message());
                record.to = Some(schedule.to);
                backups.db.write(record, |tx, record| Box::pin(store::note(tx, record))).await?;
            }
        }
        Ok(Progress::Done)
    }
}

async fn succeeded(
    tx: &mut crate::store::db::Tx,
    (record, schedule, started_at): &(BackupRecord, BackupSchedule, Timestamp),
) -> Result<()> {
    store::note(tx, record).await?;
    store::note_next(tx, schedule, *started_at).await
}

impl Backups {
    /// Makes a backup in the place of the schedule; returns its name, its content and its size.
    async fn make_one(&self, schedule: &BackupSchedule, started_at: Timestamp) -> Result<(String, BackupSummary, u64)> {
        let place = Place::open(&schedule.to, &self.data).await?;
        let prefix = format!("svc-{}-", self.attachments.hub_id().chars().take(HUB_CHARACTERS).collect::<String>());
        place.tidy(&prefix).await?;
        let name = format!("{prefix}{}.tar.zst", stamp(started_at));
        let draft = place.draft(&name);
        let made = self.make_at(&place, &draft, &name).await;
        if made.is_err() {
            place::discard(&draft).await;
        }
        let (summary, size) = made?;
        Ok((name, summary, size))
    }

    async fn make_at(&self, place: &Place, draft: &Path, name: &str) -> Result<(BackupSummary, u64)> {
        let out = Box::new(place.create(draft).await?);
        let made = self.make(NewBackup::without_key(), out, Arc::new(|_| {})).await?;
        let read = verify(draft, Arc::new(|_| {})).await?;
        if read != made {
            return Err(Error::internal("a backup is not what was written"));
        }
        let size = tokio::fs::metadata(draft).await.map_err(|error| Error::internal(error.to_string()))?.len();
        place.settle(draft, name, size).await?;
        Ok((made, size))
    }

    /// Removes the oldest archives of a place beyond those that are kept.
    async fn remove_surplus(&self, schedule: &BackupSchedule) -> Result<()> {
        let surplus = self.db.read(schedule.clone(), |tx, schedule| Box::pin(store::surplus(tx, schedule))).await?;
        if surplus.is_empty() {
            return Ok(());
        }
        let place = Place::open(&schedule.to, &self.data).await?;
        for (id, name) in surplus {
            place.remove(&name).await?;
            self.db.write(id, |tx, id| Box::pin(store::note_removed(tx, *id))).await?;
        }
        Ok(())
    }
}

/// `20261118T021500123Z`. Two backups in one second have two names, so that the older one can be removed alone.
fn stamp(at: Timestamp) -> String {
    at.to_string().chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_has_the_time() {
        assert_eq!(stamp("2026-11-18T02:15:00.123456Z".parse().unwrap()), "20261118T021500123Z");
    }
}
