//! The database: one set of SQL statements on SQLite or PostgreSQL.
//!
//! A *unit of work* is a function of a transaction and an input: `db.write(input, |tx, input| …)`. It may be
//! run more than once (in a replayed batch, or after a transaction conflict), so it must change nothing but
//! the transaction. When `write` returns, the work is durable.
//!
//! ```
//! # use svc_core::{Hub, HubConfig};
//! # async fn example(hub: Hub) -> svc_core::Result<()> {
//! let count = hub
//!     .db()
//!     .read("greeting.sent", |tx, kind| {
//!         Box::pin(async move {
//!             tx.query("SELECT count(*) FROM events WHERE kind = $1")
//!                 .bind(*kind)
//!                 .fetch_value::<i64>()
//!                 .await
//!         })
//!     })
//!     .await?;
//! # drop(count);
//! # Ok(())
//! # }
//! ```

/// Calls the same method of the open engine.
macro_rules! on_backend {
    ($db:ident, $backend:ident => $call:expr) => {
        match &$db.inner.backend {
            #[cfg(feature = "sqlite")]
            Backend::Sqlite($backend) => $call.await,
            #[cfg(feature = "postgres")]
            Backend::Postgres($backend) => $call.await,
        }
    };
}

mod check;
mod condition;
mod constraint;
mod counts;
mod error;
pub(crate) mod explain;
mod fill;
pub(crate) mod job;
mod maintenance;
mod migrate;
mod notifier;
#[cfg(feature = "postgres")]
mod postgres;
mod query;
mod row;
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;
mod tx;
mod url;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

pub use crate::column::{Bind, Column, Json, Kind, Mismatch, Value};
pub use check::{CheckReport, CheckResult};
#[doc(hidden)]
pub use constraint::known_constraints;
pub use counts::WriteStats;
pub use error::{DbError, StoreFailure};
pub(crate) use fill::not_empty;
pub use job::{Running, Unit, Work};
pub use maintenance::{MigrationState, Vacuumed};
#[doc(hidden)]
pub use migrate::migration_names;
pub use query::Query;
pub(crate) use query::placeholders;
pub(crate) use rows::Rows;
pub use svc_model::row::{Columns, FromRow, RowError};
pub use tx::{Engine, Tx};
pub use url::StoreUrl;

use counts::WriteCounts;
use job::{Job, Output};
use notifier::CommitNotifier;

use crate::clock::Clock;
use crate::error::Result;

/// An open store. Clones share it.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
}

/// The purpose for which a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Regular use; the schema is brought up to date.
    Use,
    /// Inspection without changes; on SQLite nothing can be written.
    Inspect,
}

/// The connections that a job runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    Read,
    /// Connections for long reads.
    Search,
    Write,
    /// A connection that is opened for one long read.
    Snapshot,
    /// A connection that no other work occupies.
    Probe,
    ProbeWrite,
}

struct Inner {
    backend: Backend,
    notifier: Arc<CommitNotifier>,
    counts: Arc<WriteCounts>,
}

enum Backend {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::Sqlite),
    #[cfg(feature = "postgres")]
    Postgres(postgres::Postgres),
}

impl Db {
    /// Opens the store and applies missing migrations.
    pub(crate) async fn open(url: &StoreUrl, clock: Arc<dyn Clock>, search_deadline: Duration) -> Result<Self> {
        Self::open_for(url, clock, search_deadline, Purpose::Use).await
    }

    async fn open_for(
        url: &StoreUrl,
        clock: Arc<dyn Clock>,
        search_deadline: Duration,
        purpose: Purpose,
    ) -> Result<Self> {
        let notifier = Arc::<CommitNotifier>::default();
        let counts = Arc::<WriteCounts>::default();
        let backend = match url {
            #[cfg(feature = "sqlite")]
            StoreUrl::Sqlite(path) => {
                let (notifier, counts) = (notifier.clone(), counts.clone());
                let opened = sqlite::Sqlite::open(path.clone(), clock, search_deadline, notifier, counts, purpose);
                Backend::Sqlite(opened.await?)
            }
            #[cfg(feature = "postgres")]
            StoreUrl::Postgres(url) => {
                let (notifier, counts) = (notifier.clone(), counts.clone());
                let opened = postgres::Postgres::open(url, clock, search_deadline, notifier, counts, purpose);
                Backend::Postgres(opened.await?)
            }
            #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
            other => {
                return Err(crate::error::Error::invalid(
                    "database_url",
                    format!("this build of svc does not include the {} engine", other.engine()),
                ));
            }
        };
        Ok(Self { inner: Arc::new(Inner { backend, notifier, counts }) })
    }

    /// The engine of the store.
    pub fn engine(&self) -> Engine {
        match &self.inner.backend {
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(_) => Engine::Sqlite,
            #[cfg(feature = "postgres")]
            Backend::Postgres(_) => Engine::Postgres,
        }
    }

    /// Runs a read-only unit of work, on one consistent snapshot.
    pub fn read<I, T, F>(&self, input: I, work: F) -> Running<'_, T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
    {
        Running::new(self.run(Lane::Read, job::pack(input, work)))
    }

    /// Runs a long read on one of a few dedicated connections, so that no other work waits for it. It has the
    /// search timeout of [`HubConfig`](crate::HubConfig), and fails with `timeout` when that is exceeded.
    pub fn search<I, T, F>(&self, input: I, work: F) -> Running<'_, T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
    {
        Running::new(self.run(Lane::Search, job::pack(input, work)))
    }

    /// Runs a read of any length on one consistent snapshot, on a connection that no other work uses. It is not
    /// retried. On SQLite it may block its thread, which is its own.
    pub(crate) fn snapshot<I, T, F>(&self, input: I, work: F) -> Running<'_, T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
    {
        Running::new(self.run(Lane::Snapshot, job::pack(input, work)))
    }

    /// Runs a unit of work and commits it; it is durable when this returns. It runs to its end even when the
    /// caller stops waiting.
    pub fn write<I, T, F>(&self, input: I, work: F) -> Running<'_, T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
    {
        Running::new(self.run(Lane::Write, job::pack(input, work)))
    }

    /// Records something about a read. Returns `None` when the disk is full, the store is damaged or a newer program
    /// has upgraded it, so that the read itself still succeeds.
    pub(crate) async fn note<I, T, F>(&self, input: I, work: F) -> Result<Option<T>>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
    {
        match self.write(input, work).await {
            Err(error) if matches!(error.db(), Some(DbError::Full(_) | DbError::Corrupt(_) | DbError::Outgrown(_))) => {
                tracing::debug!(error = error.log_line(), "the record of a read was not written");
                Ok(None)
            }
            outcome => outcome.map(Some),
        }
    }

    /// Reads on a dedicated connection, so that the result reflects the state of the store and not its load.
    pub(crate) fn probe<I, T, F>(&self, input: I, work: F) -> Running<'_, T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
    {
        Running::new(self.run(Lane::Probe, job::pack(input, work)))
    }

    /// Writes for [`Db::probe`]. SQLite has one writer, so there it is the regular one.
    pub(crate) fn probe_write<I, T, F>(&self, input: I, work: F) -> Running<'_, T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Unit<I, T>,
    {
        Running::new(self.run(Lane::ProbeWrite, job::pack(input, work)))
    }

    fn run(&self, lane: Lane, job: Box<dyn Job>) -> Work<'_, Output> {
        Box::pin(async move { on_backend!(self, backend => backend.run(lane, job)) })
    }

    /// The number of writes and of the commits that they shared.
    pub fn write_stats(&self) -> WriteStats {
        self.inner.counts.stats()
    }

    /// The size of the store in bytes.
    pub async fn size(&self) -> u64 {
        on_backend!(self, backend => backend.size())
    }

    /// The size of the write-ahead log of a SQLite file in bytes; `None` on a server.
    pub async fn log_size(&self) -> Option<u64> {
        on_backend!(self, backend => backend.log_size())
    }

    /// Whether damage was detected since the store was opened; all writes are rejected from then on.
    pub fn is_damaged(&self) -> bool {
        self.condition().is_damaged()
    }

    /// The newest schema that this program knows.
    pub(crate) fn known_schema() -> i64 {
        migrate::newest()
    }

    /// Looks whether a newer program has migrated the store. If this one cannot go on with it, all writes are rejected
    /// from now on.
    pub(crate) async fn check_schema(&self) -> Result<()> {
        let newer = self.probe((), |tx, ()| Box::pin(newer_schema(tx))).await?;
        self.condition().note_standing(migrate::standing(newer.0, newer.1));
        Ok(())
    }

    fn condition(&self) -> &condition::Condition {
        match &self.inner.backend {
            #[cfg(feature = "sqlite")]
            Backend::Sqlite(backend) => backend.condition(),
            #[cfg(feature = "postgres")]
            Backend::Postgres(backend) => backend.condition(),
        }
    }

    /// Finishes queued work and closes the store. Later calls fail with `storage_unavailable`.
    pub(crate) async fn close(&self) {
        on_backend!(self, backend => backend.close());
    }

    /// Notifies after a commit that may have written events, by this or another process.
    pub(crate) fn committed(&self) -> &Notify {
        self.inner.notifier.events()
    }

    /// Notifies after a commit that may have made queue items available, by this or another process.
    pub(crate) fn queue_commits(&self) -> watch::Receiver<()> {
        self.inner.notifier.queues()
    }
}

async fn newer_schema(tx: &mut Tx) -> Result<(i64, i64)> {
    tx.query(migrate::READ_NEWER).bind(migrate::newest()).fetch_one().await
}
