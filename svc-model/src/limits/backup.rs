//! Limits of backups.

use std::time::Duration;

/// Size at which the rows of a table begin a new part of an archive, in bytes.
pub const BACKUP_PART: usize = 4 * 1024 * 1024;
/// Maximum size of a part: [`BACKUP_PART`] and one row of any table.
pub const BACKUP_PART_MAX: u64 = 64 * 1024 * 1024;
/// Maximum size of the header, the manifest and the sealed key of an archive, in bytes each.
pub const BACKUP_NOTE_MAX: u64 = 4 * 1024 * 1024;
/// Maximum time for which a backup reads one state of the store. SQLite cannot shorten its write-ahead log meanwhile.
pub const BACKUP_SNAPSHOT_MAX: Duration = Duration::from_hours(2);
/// A backup that nobody reads for this long is ended, so that a command that hangs does not hold the store.
pub const BACKUP_READER_PATIENCE: Duration = Duration::from_mins(1);
/// Number of files that a backup lists in memory. A longer list is kept in a temporary file.
pub const BACKUP_FILES_HELD: usize = 16_384;
/// Size up to which a backup reads a file once, into memory, in bytes. A larger one is read twice, because it is checked
/// before its first byte is written.
pub const BACKUP_FILE_HELD: u64 = 4 * 1024 * 1024;
/// Number of lost files that a manifest names.
pub const BACKUP_LOST_NAMED: usize = 1000;
/// Minimum length of a passphrase, in characters.
pub const BACKUP_PASSPHRASE_MIN: usize = 12;
/// Maximum length of a passphrase, in bytes.
pub const BACKUP_PASSPHRASE_MAX: usize = 1024;
/// Minimum interval of scheduled backups.
pub const BACKUP_EVERY_MIN: Duration = Duration::from_mins(10);
/// Maximum interval of scheduled backups.
pub const BACKUP_EVERY_MAX: Duration = Duration::from_hours(24 * 90);
/// Maximum number of scheduled backups that are kept.
pub const BACKUP_KEEP_MAX: u32 = 365;
/// Time after which a scheduled backup that failed is tried again.
pub const BACKUP_RETRY: Duration = Duration::from_mins(15);
/// Age of the last backup at which a hub without a schedule is told to make one.
pub const BACKUP_OLD: Duration = Duration::from_hours(24 * 7);
/// Time after the first start of a hub in which nobody is told that there is no backup yet.
pub const BACKUP_FIRST: Duration = Duration::from_hours(24);
/// Maximum number of results of backups that are listed.
pub const BACKUPS_LISTED: u32 = 500;
