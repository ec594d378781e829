//! The schedule: which backups are made by themselves, and what came of the last ones.

use svc_macros::boxed_futures;

use super::model::{BackupOverview, BackupRecord, BackupSchedule, BackupState, BackupSummary, NewSchedule};
use super::place::Place;
use super::{Backups, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;
use crate::timestamp::Timestamp;

#[boxed_futures]
impl Backups {
    /// Makes backups at an interval, beginning now. The place is tried first. Requires the admin socket.
    pub async fn schedule(&self, caller: &Caller, new: NewSchedule) -> Result<BackupSchedule> {
        caller.require_root()?;
        check(&new)?;
        Place::open(&new.to, &self.data).await?.try_out().await?;
        let schedule = self.db.write(new, |tx, new| Box::pin(store::set_schedule(tx, new))).await?;
        self.changed.notify_one();
        Ok(schedule)
    }

    /// Ends the schedule. Backups that were made stay. Requires the admin socket.
    pub async fn unschedule(&self, caller: &Caller) -> Result<()> {
        caller.require_root()?;
        self.db.write((), |tx, ()| Box::pin(store::remove_schedule(tx))).await
    }

    /// The schedule and the latest backups, newest first, for admins.
    pub async fn overview(&self, caller: &Caller) -> Result<BackupOverview> {
        caller.require_admin()?;
        self.db
            .read((), |tx, ()| {
                Box::pin(async move {
                    Ok(BackupOverview { schedule: store::schedule(tx).await?, backups: store::latest(tx).await? })
                })
            })
            .await
    }

    /// When the last backup succeeded, and whether later ones have failed. It names no place.
    pub async fn state(&self) -> Result<BackupState> {
        self.db.probe((), |tx, ()| Box::pin(store::state(tx))).await
    }

    /// Writes down a backup that a command took away.
    pub(super) async fn note_taken(&self, started_at: Timestamp, summary: &BackupSummary) {
        let record = BackupRecord::of(started_at, self.clock.now(), summary);
        if let Err(error) = self.db.write(record, |tx, record| Box::pin(store::note(tx, record))).await {
            tracing::warn!(error = error.log_line(), "a backup was made, and that could not be written down");
        }
    }
}

fn check(new: &NewSchedule) -> Result<()> {
    let (least, most) = (limits::BACKUP_EVERY_MIN, limits::BACKUP_EVERY_MAX);
    if new.every < least || new.every > most {
        let sentence = format!("must be from {} minutes to {} days", least.as_secs() / 60, most.as_secs() / 86_400);
        return Err(Error::invalid("every", sentence));
    }
    if new.keep == 0 || new.keep > limits::BACKUP_KEEP_MAX {
        return Err(Error::invalid("keep", format!("must be from 1 to {}", limits::BACKUP_KEEP_MAX)));
    }
    Ok(())
}
