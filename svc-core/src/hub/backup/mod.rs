//! Backups of a whole hub: one state of the store with its files, in an archive that either engine restores.
//!
//! Invariants:
//! - A backup is made while the hub works. Writers do not wait for it: it reads a snapshot on a connection of its own.
//! - A file is read after the snapshot. Contents never change. One that was removed meanwhile is read from the trash,
//!   where it is kept for a week; a file that is gone nevertheless is named in the archive.
//! - Memory does not grow with the hub, neither with its rows nor with the number or the size of its files.
//! - The encryption key is in an archive only if a passphrase was given, and only encrypted with it.
//! - A restore fills a store that is empty. It begins after the whole archive was checked, and puts the store in its
//!   place at its very end, so an interrupted one leaves no store.
//! - Scheduled backups are made by one process at a time, under the lease of their worker. One that a command asks for
//!   may run beside them, because each reads a snapshot of its own.

mod create;
mod key;
mod listed;
mod model;
mod place;
mod restore;
mod schedule;
mod store;
mod target;
mod verify;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Notify;

pub use key::Passphrase;
pub use model::{
    BackupOverview, BackupProgress, BackupRecord, BackupSchedule, BackupState, BackupSummary, NewBackup, NewSchedule,
    ProgressSink, RestorePlan, Restored,
};
pub use restore::restore;
pub use verify::{verify, verify_from};
pub(super) use worker::ScheduledBackups;

use crate::clock::{Clock, Entropy};
use crate::messaging::attachments::Attachments;
use crate::store::db::Db;
use crate::store::vault::SecretKey;

/// Backups of a hub; see [`Hub::backups`](crate::Hub::backups).
#[derive(Clone)]
pub struct Backups {
    db: Db,
    attachments: Attachments,
    key: SecretKey,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    /// The data directory.
    data: PathBuf,
    /// Notified when the schedule changes.
    changed: Arc<Notify>,
}

impl Backups {
    pub(super) fn new(
        db: Db,
        attachments: Attachments,
        key: SecretKey,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        data: PathBuf,
    ) -> Self {
        Self { db, attachments, key, clock, entropy, data, changed: Arc::default() }
    }
}
