//! Maintenance of a store in use: its size and its schema.
//!
//! Invariants: an interruption never loses acknowledged data; on SQLite, writers wait meanwhile and readers
//! continue.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Backend, Db, StoreUrl, migrate};
use crate::clock::Clock;
use crate::error::Result;
use crate::limits;
use crate::timestamp::Timestamp;

/// The result of a vacuum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacuumed {
    /// The size before, in bytes.
    pub bytes_before: u64,
    /// The size afterwards, in bytes.
    pub bytes_after: u64,
}

/// A migration and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MigrationState {
    /// Its number.
    pub version: i64,
    /// Its name.
    pub name: String,
    /// When it was applied to this store; absent when it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied_at: Option<Timestamp>,
}

impl Db {
    /// Releases unused space, and updates the statistics of the query planner. It runs outside of a
    /// transaction, and takes a while on a large store.
    pub async fn vacuum(&self) -> Result<Vacuumed> {
        let bytes_before = self.size().await;
        on_backend!(self, backend => backend.vacuum())?;
        Ok(Vacuumed { bytes_before, bytes_after: self.size().await })
    }

    /// Applies missing migrations and returns their number; opening the store has done so before.
    pub async fn migrate(&self) -> Result<usize> {
        on_backend!(self, backend => backend.migrate())
    }

    /// Applies all migrations to a store and closes it; the store is as empty as one that no hub has opened.
    /// Tests copy such a store instead of migrating each of theirs.
    #[doc(hidden)]
    pub async fn migrate_offline(url: &StoreUrl, clock: Arc<dyn Clock>) -> Result<()> {
        let db = Self::open(url, clock, limits::SEARCH_DEADLINE).await?;
        db.close().await;
        Ok(())
    }

    /// All migrations of this program, with the time of their application.
    pub async fn migrations(&self) -> Result<Vec<MigrationState>> {
        let applied: Vec<(i64, Timestamp)> = self
            .read((), |tx, ()| {
                Box::pin(tx.query("SELECT version, applied_at FROM schema_migrations ORDER BY version").fetch_all())
            })
            .await?;
        let when = |version| applied.iter().find(|(found, _)| *found == version).map(|(_, at)| *at);
        Ok(migrate::known(self.engine())
            .iter()
            .map(|migration| MigrationState {
                version: migration.version,
                name: migration.name.to_owned(),
                applied_at: when(migration.version),
            })
            .collect())
    }
}
