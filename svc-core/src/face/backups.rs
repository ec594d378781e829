//! Backups: archives of a whole hub that do not depend on its engine. The handle is `hub.backups()`.
//!
//! [`verify`], [`verify_from`] and [`restore`] need no hub: they read an archive, and fill a store that does not exist
//! yet.

pub use crate::hub::backup::{
    BackupOverview, BackupProgress, BackupRecord, BackupSchedule, BackupState, BackupSummary, Backups, NewBackup,
    NewSchedule, Passphrase, ProgressSink, RestorePlan, Restored, restore, verify, verify_from,
};
#[doc(hidden)]
pub use crate::store::backup::{kept_tables, left_out_tables};
