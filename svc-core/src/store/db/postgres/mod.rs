//! PostgreSQL: pooled transactions, retried after a conflict, and notifications between nodes.

mod announce;
mod failure;
pub(super) mod fill;
mod maintenance;
pub(super) mod statement;

use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, PgPool, Transaction};
use tokio::sync::Mutex;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use announce::Announcer;
use failure::failure;

use super::condition::Condition;
use super::counts::WriteCounts;
use super::error::DbError;
use super::job::{Job, Output};
use super::notifier::{CommitNotifier, CommitSignal};
use super::tx::{Connection, Tx};
use super::{Lane, Purpose};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::StoreFailure as _;

/// Number of connections for units of work.
const CONNECTIONS: u32 = 16;
/// Timeout of acquiring a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// Idle time after which a connection is tested before it is used. One that was used just now is not: the test costs a
/// round trip of each transaction, and a connection that has died meanwhile is noticed when the transaction begins.
const IDLE_UNTESTED: Duration = Duration::from_secs(1);
/// Number of statements that a connection keeps prepared.
const STATEMENTS: usize = 200;
/// Maximum time for which a unit of work is retried after conflicts.
const RETRY_FOR: Duration = Duration::from_secs(10);
/// Timeout of an attempt, longer than any statement timeout; after it the server counts as unreachable.
const ATTEMPT_LIMIT: Duration = Duration::from_secs(75);

const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
     SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
static BEGIN_READ: LazyLock<String> = LazyLock::new(|| begin_read(limits::READ_DEADLINE));

/// The statements that begin a read-only transaction with this statement timeout.
fn begin_read(time: Duration) -> String {
    // 0 would mean no limit.
    let milliseconds = time.as_millis().max(1);
    format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = {milliseconds}")
}

/// An open database.
pub(super) struct Postgres {
    pool: PgPool,
    /// For readiness probes and notifications between nodes, so that busy work cannot starve them.
    side_pool: PgPool,
    /// For searches, so that they do not take connections from other work.
    search_pool: PgPool,
    begin_search: Arc<str>,
    clock: Arc<dyn Clock>,
    notifier: Arc<CommitNotifier>,
    announcer: Arc<Announcer>,
    counts: Arc<WriteCounts>,
    second_tries: Arc<Mutex<()>>,
    tasks: [AbortHandle; 2],
    condition: Arc<Condition>,
}

impl Postgres {
    /// Connects, applies missing migrations and starts listening to other nodes.
    pub(super) async fn open(
        url: &str,
        clock: Arc<dyn Clock>,
        search_deadline: Duration,
        notifier: Arc<CommitNotifier>,
        counts: Arc<WriteCounts>,
        purpose: Purpose,
    ) -> Result<Self> {
        let options: PgConnectOptions = url.parse().map_err(|error: sqlx::Error| {
            Error::invalid("database_url", "is not an address of a PostgreSQL server").with_source(error)
        })?;
        // A crashed node must not keep its locks, and an unreachable server must not block a node.
        let options = options.application_name("svc").statement_cache_capacity(STATEMENTS).options([
            ("idle_in_transaction_session_timeout", "30s"),
            ("lock_timeout", "10s"),
            ("statement_timeout", "60s"),
            ("tcp_keepalives_idle", "30"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
        ]);
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .test_before_acquire(false)
            .before_acquire(|connection, used| {
                Box::pin(async move {
                    if used.idle_for >= IDLE_UNTESTED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(options.clone())
            .await
            .map_err(|error| DbError::Unavailable(error.to_string()))?;
        if purpose == Purpose::Use {
            maintenance::migrate_database(&pool, clock.as_ref()).await?;
        }
        let side_pool =
            PgPoolOptions::new().max_connections(3).acquire_timeout(ACQUIRE_TIMEOUT).connect_lazy_with(options.clone());
        let search_pool = PgPoolOptions::new()
            .max_connections(u32::try_from(limits::SEARCHES_AT_ONCE).unwrap_or(1))
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(options);
        let announcer = Arc::<Announcer>::default();
        let tasks = [
            tokio::spawn(announce::announce(side_pool.clone(), announcer.clone())).abort_handle(),
            tokio::spawn(announce::listen(side_pool.clone(), notifier.clone(), announcer.clone())).abort_handle(),
        ];
        let condition = Arc::<Condition>::default();
        let begin_search = begin_read(search_deadline).into();
        Ok(Self {
            pool,
            side_pool,
            search_pool,
            begin_search,
            clock,
            notifier,
            announcer,
            counts,
            second_tries: Arc::default(),
            tasks,
            condition,
        })
    }

    /// Runs a job. Its writes are durable when this returns.
    pub(super) async fn run(&self, lane: Lane, job: Box<dyn Job>) -> Result<Output> {
        match lane {
            Lane::Read => self.read_on(&self.pool, &BEGIN_READ, job.as_ref()).await,
            Lane::Search => self.read_on(&self.search_pool, &self.begin_search, job.as_ref()).await,
            Lane::Snapshot => self.snapshot(job.as_ref()).await,
            Lane::Probe => self.read_on(&self.side_pool, &BEGIN_READ, job.as_ref()).await,
            Lane::Write => self.write(job).await,
            Lane::ProbeWrite => {
                self.condition.check_write()?;
                let once = || write_once(&self.side_pool, &self.clock, &self.condition, job.as_ref());
                let (output, _) = retrying(&self.second_tries, once).await?;
                Ok(output)
            }
        }
    }

    /// Reads without time limits and without retries; connections of the pool have both.
    async fn snapshot(&self, job: &dyn Job) -> Result<Output> {
        let transaction = begin(&self.pool, BEGIN_SNAPSHOT).await?;
        let mut tx = Tx::new(Connection::Postgres(transaction), self.clock.clone(), self.condition.clone());
        let outcome = job.run(&mut tx).await;
        end(tx, End::RollBack).await.or_else(|error| if outcome.is_ok() { Err(error) } else { Ok(()) })?;
        outcome
    }

    async fn read_on(&self, pool: &PgPool, begin_with: &str, job: &dyn Job) -> Result<Output> {
        retrying(&self.second_tries, || async {
            let transaction = begin(pool, begin_with).await?;
            let mut tx = Tx::new(Connection::Postgres(transaction), self.clock.clone(), self.condition.clone());
            let outcome = job.run(&mut tx).await;
            end(tx, End::RollBack).await.or_else(|error| if outcome.is_ok() { Err(error) } else { Ok(()) })?;
            outcome
        })
        .await
    }

    /// Runs a write in its own task, so that a caller that stops waiting does not interrupt it.
    async fn write(&self, job: Box<dyn Job>) -> Result<Output> {
        self.condition.check_write()?;
        let (pool, clock, condition) = (self.pool.clone(), self.clock.clone(), self.condition.clone());
        let (notifier, announcer) = (self.notifier.clone(), self.announcer.clone());
        let second_tries = self.second_tries.clone();
        self.counts.note(1);
        let task = tokio::spawn(async move {
            let once = || write_once(&pool, &clock, &condition, job.as_ref());
            let (output, signal) = retrying(&second_tries, once).await?;
            notifier.notify(signal);
            announcer.note(signal);
            Ok(output)
        });
        task.await.unwrap_or_else(|panic| Err(Error::internal(format!("a unit of work panicked: {panic}"))))
    }

    /// Closes all connections.
    pub(super) async fn close(&self) {
        for task in &self.tasks {
            task.abort();
        }
        self.pool.close().await;
        self.side_pool.close().await;
        self.search_pool.close().await;
    }

    /// Always `None`: the server manages its log itself.
    #[expect(clippy::unused_async, reason = "on SQLite it looks at a file")]
    pub(super) async fn log_size(&self) -> Option<u64> {
        None
    }

    /// The condition of the database.
    pub(super) fn condition(&self) -> &Condition {
        &self.condition
    }

    /// The size of the database in bytes.
    pub(super) async fn size(&self) -> u64 {
        let size: Result<i64, _> =
            sqlx::query_scalar("SELECT pg_database_size(current_database())").fetch_one(&self.side_pool).await;
        size.ok().and_then(|size| u64::try_from(size).ok()).unwrap_or(0)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

async fn write_once(
    pool: &PgPool,
    clock: &Arc<dyn Clock>,
    condition: &Arc<Condition>,
    job: &dyn Job,
) -> Result<(Output, CommitSignal)> {
    let transaction = begin(pool, BEGIN_WRITE).await?;
    let mut tx = Tx::new(Connection::Postgres(transaction), clock.clone(), condition.clone());
    let output = job.run(&mut tx).await?;
    tx.check_all_succeeded()?;
    let signal = tx.signal;
    end(tx, End::Commit).await?;
    Ok((output, signal))
}

/// Begins a transaction. Idle connections may have died; another attempt with another one is safe, because nothing has
/// been done yet. It has its own task: a caller that stops waiting would leave the pool a connection inside a
/// transaction that the pool does not know of.
async fn begin(pool: &PgPool, statement: &str) -> Result<Transaction<'static, sqlx::Postgres>, DbError> {
    let (pool, statement) = (pool.clone(), statement.to_owned());
    let task = tokio::spawn(async move {
        // All of them may have died at once, with their server.
        for _ in 0..CONNECTIONS {
            match pool.begin_with(AssertSqlSafe(statement.clone())).await {
                Err(error) if has_died(&error) => {}
                outcome => return outcome,
            }
        }
        pool.begin_with(AssertSqlSafe(statement)).await
    });
    match task.await {
        Ok(begun) => begun.map_err(|error| failure(&error)),
        Err(panic) => Err(DbError::Statement(format!("a transaction could not begin: {panic}"))),
    }
}

/// Whether a connection was lost, or was ended by the server.
fn has_died(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(database) => {
            matches!(database.code().as_deref(), Some("57P01" | "57P02" | "57P05"))
        }
        _ => false,
    }
}

enum End {
    Commit,
    RollBack,
}

/// The transaction behind a unit of work.
#[cfg_attr(
    not(feature = "sqlite"),
    expect(clippy::unnecessary_wraps, reason = "with SQLite there are two kinds of connection")
)]
fn taken(tx: Tx) -> Result<Transaction<'static, sqlx::Postgres>> {
    match tx.connection {
        Connection::Postgres(transaction) => Ok(transaction),
        #[cfg(feature = "sqlite")]
        Connection::Sqlite(_) => Err(Error::internal("a transaction changed its engine")),
    }
}

async fn end(tx: Tx, how: End) -> Result<()> {
    let transaction = taken(tx)?;
    let ended = match how {
        End::Commit => transaction.commit().await,
        End::RollBack => transaction.rollback().await,
    };
    Ok(ended.map_err(|error| failure(&error))?)
}

/// Runs work and retries it after conflicts. Transactions that have lost once run one at a time from then on,
/// so that heavy contention resolves.
async fn retrying<T, W: Future<Output = Result<T>>>(
    second_tries: &Mutex<()>,
    mut work: impl FnMut() -> W,
) -> Result<T> {
    let first = attempt(work()).await;
    if !has_lost(&first) {
        return first;
    }
    let _turn = second_tries.lock().await;
    let give_up = Instant::now() + RETRY_FOR;
    for round in 0.. {
        tokio::time::sleep(pause_before(round)).await;
        let again = attempt(work()).await;
        if !has_lost(&again) || Instant::now() >= give_up {
            return again;
        }
    }
    first
}

async fn attempt<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    // Boxed, because it is large and occurs twice in every read and write.
    tokio::time::timeout(ATTEMPT_LIMIT, Box::pin(work))
        .await
        .unwrap_or_else(|_| Err(DbError::Unavailable("the server did not answer in time".into()).into()))
}

fn has_lost<T>(outcome: &Result<T>) -> bool {
    outcome.as_ref().is_err_and(|error| error.db().is_some_and(DbError::is_transient))
}

/// A random pause: up to a few milliseconds at first, up to a quarter of a second in the end. Random, so that
/// two conflicting transactions do not collide again.
fn pause_before(attempt: u32) -> Duration {
    let longest = 1_000_u64 << attempt.min(8);
    Duration::from_micros(RandomState::new().hash_one(attempt) % longest)
}
