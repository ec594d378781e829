//! Looking after a store that is in use: its size, its schema.
//!
//! What always holds: nothing that was acknowledged is lost, whenever it is interrupted; on SQLite
//! writers wait meanwhile and readers go on.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Backend, Db, StoreUrl, migrate};
use crate::clock::Clock;
use crate::error::Result;
use crate::limits;
use crate::timestamp::Timestamp;

/// What giving back unused space brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacuumed {
    /// Bytes that the store took before.
    pub bytes_before: u64,
    /// Bytes that it takes now.
    pub bytes_after: u64,
}

/// A step of the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigrationState {
    /// Its number.
    pub version: i64,
    /// Its name.
    pub name: String,
    /// When it was applied to this store; absent for one that was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied_at: Option<Timestamp>,
}

impl Db {
    /// Gives unused space back, and tells the planner what the tables hold. It runs outside a
    /// transaction, and on a large store for a while.
    pub async fn vacuum(&self) -> Result<Vacuumed> {
        let bytes_before = self.size().await;
        on_backend!(self, backend => backend.vacuum())?;
        Ok(Vacuumed { bytes_before, bytes_after: self.size().await })
    }

    /// Applies what the schema lacks; opening the store has done so before. Tells how many there were.
    pub async fn migrate(&self) -> Result<usize> {
        on_backend!(self, backend => backend.migrate())
    }

    /// Brings the schema of a store up to date and closes it: the store is as empty as one that no hub has opened.
    /// Tests copy such a store instead of migrating each of theirs.
    #[doc(hidden)]
    pub async fn migrate_offline(url: &StoreUrl, clock: Arc<dyn Clock>) -> Result<()> {
        let db = Self::open(url, clock, limits::SEARCH_DEADLINE).await?;
        db.close().await;
        Ok(())
    }

    /// Every migration of this program, with its time of application.
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
