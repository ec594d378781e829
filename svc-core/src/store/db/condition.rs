//! The condition of an open store: sound, damaged, lost, or upgraded by a newer program.
//!
//! Invariants: once a statement has detected damage, all writes are rejected, because their durability cannot
//! be guaranteed; reads continue where they can. While the files of a SQLite store are not where they were
//! opened, all reads and writes are rejected, because the next start would not find the data. Files that are
//! put back are used again; damage lasts until a restart. While the schema needs a newer program, all writes are
//! rejected, and reads continue where they can.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::error::DbError;
use super::migrate::Standing;
#[cfg(feature = "sqlite")]
use super::sqlite::StoreFiles;

/// The condition of an open store.
#[derive(Debug, Default)]
pub(super) struct Condition {
    damaged: AtomicBool,
    /// The schema that needs a newer program; 0 if this one will do.
    outgrown: AtomicI64,
    #[cfg(feature = "sqlite")]
    lost: AtomicBool,
    /// The files as they were opened; none on a server.
    #[cfg(feature = "sqlite")]
    files: Option<StoreFiles>,
}

impl Condition {
    /// The condition of a store in files.
    #[cfg(feature = "sqlite")]
    pub(super) fn of_files(files: StoreFiles) -> Self {
        Self { files: Some(files), ..Self::default() }
    }

    /// Records what a failed statement says about the store.
    pub(super) fn learn(&self, error: &DbError) {
        if let DbError::Corrupt(detail) = error {
            self.note_damage(detail);
        }
    }

    /// Records that the store is damaged.
    pub(super) fn note_damage(&self, detail: &str) {
        if !self.damaged.swap(true, Ordering::SeqCst) {
            tracing::error!(detail, "the store is damaged: nothing is written any more, until a backup is restored");
        }
    }

    /// Whether damage was detected since the store was opened.
    pub(super) fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::SeqCst)
    }

    /// Records the standing of this program at the store.
    pub(super) fn note_standing(&self, standing: Standing) {
        let schema = match standing {
            Standing::Outgrown(schema) => schema,
            Standing::Current | Standing::Behind => 0,
        };
        let before = self.outgrown.swap(schema, Ordering::SeqCst);
        if schema != 0 && before == 0 {
            tracing::error!(schema, "a newer version has upgraded the store: this process writes nothing any more");
        }
    }

    /// Checks whether the files are where they were opened.
    #[cfg(feature = "sqlite")]
    pub(super) fn check_files(&self) -> bool {
        let Some(files) = &self.files else { return true };
        let missing = files.missing();
        let was_lost = self.lost.swap(missing.is_some(), Ordering::SeqCst);
        match missing {
            Some(path) if !was_lost => {
                tracing::error!(path = %path.display(), "a file of the store was removed or replaced: nothing is served until it is back");
            }
            None if was_lost => tracing::warn!("the files of the store are back in place"),
            _ => {}
        }
        missing.is_none()
    }

    /// Rejects writes to a store that cannot keep them.
    pub(super) fn check_write(&self) -> Result<(), DbError> {
        #[cfg(feature = "sqlite")]
        if !self.check_files() {
            return Err(DbError::Lost);
        }
        if self.is_damaged() {
            return Err(DbError::Corrupt("damage was found since the store was opened".into()));
        }
        match self.outgrown.load(Ordering::SeqCst) {
            0 => Ok(()),
            schema => Err(DbError::Outgrown(schema)),
        }
    }

    /// Rejects reads of a store whose files are missing.
    #[cfg(feature = "sqlite")]
    pub(super) fn check_read(&self) -> Result<(), DbError> {
        if self.lost.load(Ordering::SeqCst) && !self.check_files() { Err(DbError::Lost) } else { Ok(()) }
    }
}
