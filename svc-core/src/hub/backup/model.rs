//! Requests and results of backups.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::key::Passphrase;
use crate::store::backup::{Header, Manifest};
use crate::store::db::Engine;
use crate::timestamp::Timestamp;

/// A backup to be made.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct NewBackup {
    /// The passphrase for the encryption key; `None` leaves the key out.
    pub passphrase: Option<Passphrase>,
}

impl NewBackup {
    /// A backup without the encryption key.
    pub fn without_key() -> Self {
        Self::default()
    }

    /// A backup with the encryption key, which this passphrase opens.
    pub fn with_key(passphrase: Passphrase) -> Self {
        Self { passphrase: Some(passphrase) }
    }
}

/// The content of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BackupSummary {
    /// When it was made.
    pub created_at: Timestamp,
    /// The version of the program that made it.
    pub hub_version: String,
    /// The number of the newest migration of the store.
    pub schema: i64,
    /// The engine that it was made from.
    pub engine: Engine,
    /// The number of tables.
    pub tables: u64,
    /// The number of rows of all tables.
    pub rows: u64,
    /// The size of all rows as text, in bytes.
    pub row_bytes: u64,
    /// The number of files.
    pub files: u64,
    /// The size of all files in bytes.
    pub file_bytes: u64,
    /// The number of files that the hub had lost before.
    pub lost_files: u64,
    /// The hashes of those files, up to a limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost_hashes: Vec<String>,
    /// Whether it contains the encryption key.
    pub has_key: bool,
}

impl BackupSummary {
    pub(super) fn of(header: &Header, manifest: &Manifest) -> Self {
        Self {
            created_at: header.created_at,
            hub_version: header.hub_version.clone(),
            schema: header.schema,
            engine: header.engine,
            tables: manifest.tables.len() as u64,
            rows: manifest.tables.iter().map(|table| table.rows).sum(),
            row_bytes: manifest.tables.iter().map(|table| table.bytes).sum(),
            files: manifest.files.count,
            file_bytes: manifest.files.bytes,
            lost_files: manifest.files.lost,
            lost_hashes: manifest.files.lost_hashes.clone(),
            has_key: manifest.key.is_some(),
        }
    }
}

/// The progress of a backup, of a check or of a restore.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupProgress {
    /// Bytes of rows and files so far.
    pub bytes: u64,
    /// Files so far.
    pub files: u64,
    /// The number of files, once it is known.
    pub all_files: Option<u64>,
}

/// A function that is told of progress.
pub type ProgressSink = Arc<dyn Fn(BackupProgress) + Send + Sync>;

/// Where a backup is restored from, and how.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RestorePlan {
    /// The archive.
    pub archive: PathBuf,
    /// The passphrase of the key in the archive.
    pub passphrase: Option<Passphrase>,
    /// Whether to leave a key in the archive alone.
    pub without_key: bool,
}

impl RestorePlan {
    /// Restores this archive.
    pub fn of(archive: impl Into<PathBuf>) -> Self {
        Self { archive: archive.into(), passphrase: None, without_key: false }
    }
}

/// The result of a restore.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Restored {
    /// The content of the backup.
    pub backup: BackupSummary,
    /// Whether the encryption key was restored.
    pub key_restored: bool,
    /// Whether there are secrets that cannot be read until the key file is put in its place.
    pub needs_key: bool,
}

/// Backups that are to be made by themselves.
#[derive(Debug, Clone)]
pub struct NewSchedule {
    /// The interval.
    pub every: Duration,
    /// The number of backups that are kept.
    pub keep: u32,
    /// An absolute path of a directory, or `s3://BUCKET/PREFIX`.
    pub to: String,
}

/// The schedule of backups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct BackupSchedule {
    /// The interval in seconds.
    pub every_seconds: u64,
    /// The number of backups that are kept.
    pub keep: u32,
    /// A directory, or `s3://BUCKET/PREFIX`.
    pub to: String,
    /// When the next one is due.
    pub next_at: Timestamp,
}

impl BackupSchedule {
    pub(super) fn every(&self) -> Duration {
        Duration::from_secs(self.every_seconds)
    }
}

/// A backup that was made or has failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct BackupRecord {
    /// Its beginning.
    pub started_at: Timestamp,
    /// Its end.
    pub ended_at: Timestamp,
    /// The directory or bucket; absent if a command took it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub to: Option<String>,
    /// The name of the archive there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub name: Option<String>,
    /// The number of rows.
    pub rows: u64,
    /// The number of files.
    pub files: u64,
    /// The size of the archive in bytes, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub size: Option<u64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub error: Option<String>,
    /// When the schedule removed it, because there were enough newer ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub removed_at: Option<Timestamp>,
}

impl BackupRecord {
    /// A success.
    pub(super) fn of(started_at: Timestamp, ended_at: Timestamp, summary: &BackupSummary) -> Self {
        let mut record = Self::failed(started_at, ended_at, "");
        (record.rows, record.files, record.error) = (summary.rows, summary.files, None);
        record
    }

    /// A failure.
    pub(super) fn failed(started_at: Timestamp, ended_at: Timestamp, error: &str) -> Self {
        Self {
            started_at,
            ended_at,
            to: None,
            name: None,
            rows: 0,
            files: 0,
            size: None,
            error: Some(error.to_owned()),
            removed_at: None,
        }
    }
}

/// The schedule and the latest backups.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct BackupOverview {
    /// The schedule, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub schedule: Option<BackupSchedule>,
    /// The latest backups, newest first.
    pub backups: Vec<BackupRecord>,
}

/// The state of backups in a few figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BackupState {
    /// The interval of the schedule, if there is one.
    pub every: Option<Duration>,
    /// The end of the last backup that succeeded.
    pub last_success_at: Option<Timestamp>,
    /// The size of its archive in bytes; absent if a command took it away.
    pub last_size: Option<u64>,
    /// Backups that have failed since.
    pub failures: u64,
    /// Why the last of them failed.
    pub last_error: Option<String>,
}
