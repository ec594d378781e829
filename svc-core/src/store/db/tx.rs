//! The transaction of a unit of work. Services pass it on to other modules and never commit it themselves.

use std::borrow::Cow;

use super::condition::Condition;
use super::error::DbError;
use super::notifier::CommitSignal;
use super::query::Query;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::timestamp::Timestamp;
use std::sync::Arc;

/// An open transaction on either engine.
///
/// Invariants: [`Db::read`](super::Db::read) or [`Db::write`](super::Db::write) pass it to a unit of work and
/// commit it. A unit of work awaits nothing but statements: no network, no password hashing, no files.
pub struct Tx {
    pub(super) connection: Connection,
    #[cfg_attr(
        not(feature = "sqlite"),
        expect(dead_code, reason = "a SQLite connection is used for many units of work, each with its own moment")
    )]
    pub(super) clock: Arc<dyn Clock>,
    pub(super) now: Timestamp,
    /// The notifications to send after the commit.
    pub(super) signal: CommitSignal,
    /// A statement has failed: PostgreSQL has aborted the transaction, whatever the unit of work does.
    pub(super) failed: bool,
    /// A statement other than a query has succeeded.
    pub(super) executed: bool,
    /// The last error of the store itself, to report why a transaction was aborted.
    pub(super) store_error: Option<DbError>,
    /// The condition of the store, shared by all transactions.
    pub(super) condition: Arc<Condition>,
}

/// The connection of an engine.
pub(super) enum Connection {
    /// The writer's or a reader's connection; its thread begins and ends transactions.
    #[cfg(feature = "sqlite")]
    Sqlite(super::sqlite::Session),
    /// Rolled back when dropped without a commit.
    #[cfg(feature = "postgres")]
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
}

impl Tx {
    pub(super) fn new(connection: Connection, clock: Arc<dyn Clock>, condition: Arc<Condition>) -> Self {
        let now = clock.now();
        Self {
            connection,
            clock,
            now,
            signal: CommitSignal::default(),
            failed: false,
            executed: false,
            store_error: None,
            condition,
        }
    }

    /// Records the outcome of a statement.
    pub(super) fn learn<T>(&mut self, outcome: &Result<T, DbError>) {
        let Err(error) = outcome else { return };
        self.failed = true;
        self.condition.learn(error);
        if matches!(error, DbError::Full(_) | DbError::Unavailable(_) | DbError::Corrupt(_)) {
            self.store_error = Some(error.clone());
        }
    }

    /// Whether a statement has failed, after which no other is accepted.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Starts a statement. Dynamic parts of the text must be our own words; values are bound.
    pub fn query(&mut self, text: impl Into<Cow<'static, str>>) -> Query<'_> {
        Query::new(self, text.into())
    }

    /// When this unit of work began: the same time for everything that it writes.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The engine, for the few statements that must differ.
    pub fn engine(&self) -> Engine {
        match self.connection {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(_) => Engine::Sqlite,
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => Engine::Postgres,
        }
    }

    /// Rejects a unit of work that continued after one of its statements had failed. PostgreSQL would
    /// silently roll back at its commit; on SQLite it is rejected as well, so that tests on either engine
    /// find it. Use `ON CONFLICT` where a conflict is expected.
    pub(super) fn check_all_succeeded(&self) -> Result<()> {
        if self.failed {
            return Err(Error::internal("a unit of work continued after one of its statements had failed"));
        }
        Ok(())
    }

    /// Records that the unit of work wrote to the event log, so that readers are notified after the commit.
    pub(crate) fn note_event(&mut self) {
        self.signal.events = true;
    }

    /// Records that queue items became available, or will at another time than before, so that waiting
    /// workers are notified after the commit.
    pub(crate) fn note_queue(&mut self) {
        self.signal.queues = true;
    }

    #[cfg(feature = "sqlite")]
    pub(super) fn sqlite(&mut self) -> &mut super::sqlite::Session {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection,
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => unreachable!("the SQLite threads only make SQLite transactions"),
        }
    }
}

/// The database engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// A file inside this process.
    Sqlite,
    /// A server that several nodes share.
    Postgres,
}

crate::text_enum! { Engine { Sqlite => "sqlite", Postgres => "postgres" } }
