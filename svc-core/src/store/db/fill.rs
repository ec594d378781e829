//! Filling a store that does not exist yet: all of it or nothing.

#[cfg(feature = "sqlite")]
use std::path::Path;
use std::sync::Arc;

use super::job::{self, Job, unpack};
use super::{Db, StoreUrl, Unit, explain};
use crate::clock::Clock;
use crate::error::{Error, Result};

/// The units of work that fill a store.
pub(super) struct FillJobs {
    /// Writes the rows, in tables of the older schema.
    pub(super) rows: Box<dyn Job>,
    /// Writes what follows from them, in tables of the newest schema.
    pub(super) derived: Box<dyn Job>,
}

impl Db {
    /// Refuses a database with tables; for a file, [`not_empty`] is up to the caller.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unused_async, reason = "only a server is asked"))]
    pub(crate) async fn check_empty(url: &StoreUrl) -> Result<()> {
        let checked = match url {
            #[cfg(feature = "postgres")]
            StoreUrl::Postgres(address) => super::postgres::fill::check_empty(url, address).await,
            _ => Ok(()),
        };
        checked.map_err(|error| explain::explain(url, error))
    }

    /// Makes a store at this schema version, runs the unit of work in one transaction, without foreign keys and
    /// triggers, then applies the other migrations, checks all references, and runs the unit that derives data from the
    /// rows of the newest schema. On SQLite the units block their thread; the file is durable when this returns, and the
    /// caller removes it after an error. On PostgreSQL an error leaves nothing behind.
    pub(crate) async fn fill<I, T, F, D>(
        url: &StoreUrl,
        clock: Arc<dyn Clock>,
        schema: i64,
        input: I,
        work: F,
        derive: D,
    ) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
        D: Unit<(), ()>,
    {
        let jobs = FillJobs { rows: job::pack(input, work), derived: job::pack((), derive) };
        let filled = match url {
            #[cfg(feature = "sqlite")]
            StoreUrl::Sqlite(path) => {
                let file = path.clone();
                let filled =
                    tokio::task::spawn_blocking(move || super::sqlite::fill::fill(&file, &clock, schema, jobs));
                let filled = filled.await.map_err(|error| Error::internal(error.to_string()))?;
                match filled {
                    Ok(output) => durable(path).await.map(|()| output),
                    Err(error) => Err(error),
                }
            }
            #[cfg(feature = "postgres")]
            StoreUrl::Postgres(address) => super::postgres::fill::fill(url, address, clock, schema, jobs).await,
            #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
            other => Err(Error::invalid(
                "database_url",
                format!("this build of svc does not include the {} engine", other.engine()),
            )),
        };
        filled.and_then(unpack).map_err(|error| explain::explain(url, error))
    }
}

#[cfg(feature = "sqlite")]
async fn durable(path: &Path) -> Result<()> {
    let synced = async { tokio::fs::File::open(path).await?.sync_all().await };
    synced.await.map_err(|error| {
        let sentence = format!("{} could not be written to the disk: check the disk.", path.display());
        Error::unavailable("storage_unavailable", sentence).with_source(error)
    })
}

/// The error for a store that has content.
pub(crate) fn not_empty(place: &str) -> Error {
    let sentence = format!("{place} is not empty: restore into a new data directory, or into a new database.");
    Error::conflict("store_not_empty", sentence)
}

/// The error for rows that do not fit together.
pub(super) fn inconsistent(detail: &str) -> Error {
    let sentence = "The rows of the archive do not fit together, so nothing was restored: use another backup.";
    Error::conflict("backup_inconsistent", sentence).with_detail("detail", detail)
}
