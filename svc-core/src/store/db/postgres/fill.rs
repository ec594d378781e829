//! Filling a database without tables in one transaction, so that a crash leaves nothing behind.

use std::str::FromStr;
use std::sync::Arc;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgPool, Transaction};

use super::failure::failure;
use super::maintenance::{self, MIGRATION_LOCK};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::store::db::error::DbError;
use crate::store::db::fill::{FillJobs, inconsistent, not_empty};
use crate::store::db::job::Output;
use crate::store::db::tx::{Connection, Tx};
use crate::store::db::{Engine, StoreFailure as _, StoreUrl, migrate};

const TABLES: &str = "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema()";

/// The foreign keys, as statements that add them and statements that remove them.
const FOREIGN_KEYS: &str = "
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
           format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
      FROM pg_catalog.pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
     ORDER BY conrelid::regclass::text, conname";

/// The tables with triggers of ours.
const TRIGGERS: &str = "
    SELECT DISTINCT tgrelid::regclass::text
      FROM pg_catalog.pg_trigger
      JOIN pg_catalog.pg_class ON pg_class.oid = tgrelid
     WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace";

fn refused(error: &sqlx::Error) -> Error {
    failure(error).into()
}

/// Connects to the database alone.
async fn connect(address: &str) -> Result<PgPool> {
    let options = PgConnectOptions::from_str(address).map_err(|error| {
        Error::invalid("database_url", "is not an address of a PostgreSQL server").with_source(error)
    })?;
    let pool = PgPoolOptions::new().max_connections(1).connect_with(options.application_name("svc")).await;
    Ok(pool.map_err(|error| DbError::Unavailable(error.to_string()))?)
}

/// Refuses a database with tables.
pub(in crate::store::db) async fn check_empty(url: &StoreUrl, address: &str) -> Result<()> {
    let pool = connect(address).await?;
    let tables: sqlx::Result<i64> = sqlx::query_scalar(TABLES).fetch_one(&pool).await;
    pool.close().await;
    match tables.map_err(|error| refused(&error))? {
        0 => Ok(()),
        _ => Err(not_empty(&url.to_string())),
    }
}

/// Makes the tables of a schema version, writes the rows, checks all references, applies the other migrations,
/// and derives the rest.
pub(in crate::store::db) async fn fill(
    url: &StoreUrl,
    address: &str,
    clock: Arc<dyn Clock>,
    schema: i64,
    jobs: FillJobs,
) -> Result<Output> {
    let pool = connect(address).await?;
    let filled = fill_in_one(&pool, url, clock, schema, jobs).await;
    if filled.is_ok()
        && let Err(error) = sqlx::raw_sql("ANALYZE").execute(&pool).await
    {
        tracing::debug!(%error, "the statistics of the planner come later");
    }
    pool.close().await;
    filled
}

async fn fill_in_one(
    pool: &PgPool,
    url: &StoreUrl,
    clock: Arc<dyn Clock>,
    schema: i64,
    jobs: FillJobs,
) -> Result<Output> {
    let mut transaction = pool.begin().await.map_err(|error| refused(&error))?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut *transaction)
        .await
        .map_err(|error| refused(&error))?;
    let tables: i64 = sqlx::query_scalar(TABLES).fetch_one(&mut *transaction).await.map_err(|error| refused(&error))?;
    if tables > 0 {
        return Err(not_empty(&url.to_string()));
    }
    run(&mut transaction, migrate::HISTORY_TABLE).await?;
    run(&mut transaction, migrate::NEEDS_TABLE).await?;
    let known = migrate::known(Engine::Postgres);
    let (before, after) = known.split_at(known.partition_point(|migration| migration.version <= schema));
    maintenance::apply(&mut transaction, before.iter(), clock.as_ref()).await.map_err(|error| refused(&error))?;
    let keys: Vec<(String, String)> =
        sqlx::query_as(FOREIGN_KEYS).fetch_all(&mut *transaction).await.map_err(|error| refused(&error))?;
    let triggers: Vec<String> =
        sqlx::query_scalar(TRIGGERS).fetch_all(&mut *transaction).await.map_err(|error| refused(&error))?;
    for (_, remove) in &keys {
        run(&mut transaction, remove).await?;
    }
    for table in &triggers {
        run(&mut transaction, &format!("ALTER TABLE {table} DISABLE TRIGGER USER")).await?;
    }
    let mut tx = Tx::new(Connection::Postgres(transaction), clock.clone(), Arc::default());
    let output = jobs.rows.run(&mut tx).await?;
    tx.check_all_succeeded()?;
    let mut transaction = super::taken(tx)?;
    for table in &triggers {
        run(&mut transaction, &format!("ALTER TABLE {table} ENABLE TRIGGER USER")).await?;
    }
    for (add, _) in &keys {
        // It checks every row.
        let added = run(&mut transaction, add).await;
        if let Err(error) = added {
            return Err(if matches!(error.db(), Some(DbError::ForeignKey { .. })) { inconsistent(add) } else { error });
        }
    }
    maintenance::apply(&mut transaction, after.iter(), clock.as_ref()).await.map_err(|error| refused(&error))?;
    let mut tx = Tx::new(Connection::Postgres(transaction), clock, Arc::default());
    jobs.derived.run(&mut tx).await?;
    tx.check_all_succeeded()?;
    super::taken(tx)?.commit().await.map_err(|error| refused(&error))?;
    Ok(output)
}

async fn run(transaction: &mut Transaction<'static, sqlx::Postgres>, text: &str) -> Result<()> {
    let ran = sqlx::raw_sql(AssertSqlSafe(text.to_owned())).execute(&mut **transaction).await;
    ran.map(drop).map_err(|error| refused(&error))
}
