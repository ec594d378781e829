//! Maintenance of the database as a whole, outside of units of work.

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool, Transaction};

use super::Postgres;
use super::failure::failure;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::Engine;
use crate::store::db::migrate::{self, Applied, Migration};

/// The advisory lock of migrations; the number only has to differ from those of other programs.
pub(super) const MIGRATION_LOCK: i64 = 0x7376_635f_6d69_6772;

/// Whether nodes register the schema that they know.
const NODES_HAVE_SCHEMA: &str = "SELECT EXISTS (
    SELECT 1 FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = 'nodes' AND column_name = 'schema')";
/// The live nodes that know less than a schema.
const OLDER_NODES: &str = "SELECT version FROM nodes
     WHERE id <> '' AND seen_at > $1 AND schema < $2
     ORDER BY version
     LIMIT 10";

/// The names of all tables, quoted because they become part of a statement.
const TABLES: &str = "SELECT quote_ident(tablename) FROM pg_catalog.pg_tables WHERE schemaname = current_schema()";

impl Postgres {
    /// Vacuums and analyzes all tables. Other work continues meanwhile.
    pub(in crate::store::db) async fn vacuum(&self) -> Result<()> {
        vacuum(&self.pool).await.map_err(|error| failure(&error).into())
    }

    /// Applies missing migrations and returns their number.
    pub(in crate::store::db) async fn migrate(&self) -> Result<usize> {
        migrate_database(&self.pool, self.clock.as_ref()).await
    }
}

async fn vacuum(pool: &PgPool) -> sqlx::Result<()> {
    // A detached connection, because its timeouts are lifted.
    let mut connection = pool.acquire().await?.detach();
    sqlx::raw_sql("SET lock_timeout = 0; SET statement_timeout = 0").execute(&mut connection).await?;
    let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut connection).await?;
    for table in tables {
        sqlx::raw_sql(AssertSqlSafe(format!("VACUUM (ANALYZE) {table}"))).execute(&mut connection).await?;
    }
    connection.close().await
}

/// Applies missing migrations in one transaction; the advisory lock admits one node at a time.
pub(super) async fn migrate_database(pool: &PgPool, clock: &dyn Clock) -> Result<usize> {
    let fail = |error: sqlx::Error| Error::from(failure(&error));
    let mut transaction = pool.begin().await.map_err(fail)?;
    // Another node may be migrating a large store.
    sqlx::raw_sql("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")
        .execute(&mut *transaction)
        .await
        .map_err(fail)?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut *transaction)
        .await
        .map_err(fail)?;
    sqlx::query(migrate::HISTORY_TABLE).execute(&mut *transaction).await.map_err(fail)?;
    sqlx::query(migrate::NEEDS_TABLE).execute(&mut *transaction).await.map_err(fail)?;
    let history: Vec<(i64, String, String, i64)> =
        sqlx::query_as(migrate::READ_HISTORY_AND_NEEDS).fetch_all(&mut *transaction).await.map_err(fail)?;
    let history: Vec<Applied> = history.into_iter().map(Applied::from).collect();
    let pending = migrate::pending(Engine::Postgres, &history)?;
    refuse_under_older_nodes(&mut transaction, &pending, clock).await?;
    apply(&mut transaction, pending.iter().copied(), clock).await.map_err(fail)?;
    transaction.commit().await.map_err(fail)?;
    Ok(pending.len())
}

/// Applies and records migrations.
pub(super) async fn apply(
    transaction: &mut Transaction<'static, sqlx::Postgres>,
    migrations: impl Iterator<Item = &'static Migration>,
    clock: &dyn Clock,
) -> sqlx::Result<()> {
    for migration in migrations {
        sqlx::raw_sql(migration.text).execute(&mut **transaction).await?;
        sqlx::query(migrate::RECORD)
            .bind(migration.version)
            .bind(migration.name)
            .bind(migration.checksum())
            .bind(clock.now().as_micros())
            .execute(&mut **transaction)
            .await?;
        if migration.needs < migration.version {
            let need = sqlx::query(migrate::RECORD_NEED).bind(migration.version).bind(migration.needs);
            need.execute(&mut **transaction).await?;
        }
    }
    Ok(())
}

/// Refuses migrations that live nodes of an older version could not go on with.
async fn refuse_under_older_nodes(
    connection: &mut PgConnection,
    pending: &[&Migration],
    clock: &dyn Clock,
) -> Result<()> {
    let fail = |error: sqlx::Error| Error::from(failure(&error));
    let Some(needs) = pending.iter().map(|migration| migration.needs).max() else { return Ok(()) };
    if !sqlx::query_scalar(NODES_HAVE_SCHEMA).fetch_one(&mut *connection).await.map_err(fail)? {
        return Ok(());
    }
    let alive_since = clock.now().minus(limits::NODE_LEASE).as_micros();
    let older: Vec<String> = sqlx::query_scalar(OLDER_NODES)
        .bind(alive_since)
        .bind(needs)
        .fetch_all(&mut *connection)
        .await
        .map_err(fail)?;
    if older.is_empty() {
        return Ok(());
    }
    Err(Error::conflict(
        "older_nodes",
        format!(
            "This version changes the store in a way that running nodes do not understand (versions: {}). Stop them, \
             then start this one; a node that has died is forgotten after {} s.",
            older.join(", "),
            limits::NODE_LEASE.as_secs()
        ),
    ))
}
