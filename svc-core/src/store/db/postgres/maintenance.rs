//! Maintenance of the database as a whole, outside of units of work.

use sqlx::{AssertSqlSafe, Connection as _, PgPool, Transaction};

use super::Postgres;
use super::failure::failure;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::store::db::Engine;
use crate::store::db::migrate::{self, Applied, Migration};

/// The advisory lock of migrations; the number only has to differ from those of other programs.
pub(super) const MIGRATION_LOCK: i64 = 0x7376_635f_6d69_6772;

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
    let history: Vec<(i64, String, String)> =
        sqlx::query_as(migrate::READ_HISTORY).fetch_all(&mut *transaction).await.map_err(fail)?;
    let history: Vec<Applied> =
        history.into_iter().map(|(version, name, checksum)| Applied { version, name, checksum }).collect();
    let pending = migrate::pending(Engine::Postgres, &history)?;
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
    }
    Ok(())
}
