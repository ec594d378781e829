//! Integrity check of a store and of its schema version.
//!
//! Invariants: a check changes nothing. A store that is found damaged is not written to any more.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::DbError;
use super::migrate::{self, Applied};
use super::{Db, Engine, Purpose, StoreUrl, Tx};
use crate::clock::SystemClock;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::StoreFailure as _;

/// The result of a check.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CheckReport {
    /// The engine of the store.
    pub engine: String,
    /// Whether every check passed.
    pub ok: bool,
    /// The number of tables.
    pub tables: i64,
    /// The number of applied migrations.
    pub migrations: i64,
    /// The number of files that were compared with their hashes.
    #[serde(default)]
    pub files: u64,
    /// The individual checks.
    pub checks: Vec<CheckResult>,
}

/// The result of one check.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CheckResult {
    /// The name of the check.
    pub name: String,
    /// The faults; empty when the check passed.
    pub faults: Vec<String>,
}

/// The check of the migration history; its faults are not damage.
const MIGRATIONS: &str = "migrations";
/// The check of a file's pages; its faults are damage.
const PAGES: &str = "pages and indexes";

impl CheckReport {
    /// Whether all faults concern the schema version, so that a backup would not help.
    pub fn is_version_only(&self) -> bool {
        !self.ok && self.checks.iter().all(|check| check.faults.is_empty() || check.name == MIGRATIONS)
    }

    /// A report without a check.
    pub fn begin(engine: Engine) -> Self {
        Self::of(engine, 0, 0, Vec::new())
    }

    /// Adds the result of another check.
    pub fn add(&mut self, check: CheckResult) {
        self.ok &= check.faults.is_empty();
        self.checks.push(check);
    }

    fn of(engine: Engine, tables: i64, migrations: i64, checks: Vec<CheckResult>) -> Self {
        let ok = checks.iter().all(|check| check.faults.is_empty());
        Self { engine: engine.to_string(), ok, tables, migrations, files: 0, checks }
    }
}

impl Db {
    /// Checks the store. On a large SQLite file it takes minutes, without a deadline and on a connection of its own;
    /// the hub keeps serving meanwhile. A caller that stops waiting ends the check.
    pub async fn check(&self) -> Result<CheckReport> {
        let engine = self.engine();
        let mut checks = Vec::new();
        for &(name, text) in texts(engine) {
            let found = self.snapshot(text, |tx, text| Box::pin(faults(tx, text))).await;
            let faults = match found {
                // An unreadable page is a fault to report, not a failure of the check.
                Err(error) if error.code() == "storage_damaged" => vec![error.message().to_owned()],
                other => other?,
            };
            if let (PAGES, Some(fault)) = (name, faults.first()) {
                self.condition().note_damage(fault);
            }
            checks.push(CheckResult { name: name.to_owned(), faults });
        }
        let counted = self.snapshot((), |tx, ()| Box::pin(counts(tx))).await;
        let (tables, history) = match counted {
            Err(error) if error.code() == "storage_damaged" => return Ok(CheckReport::of(engine, 0, 0, checks)),
            other => other?,
        };
        let migrations = i64::try_from(history.len()).unwrap_or(i64::MAX);
        checks.push(CheckResult { name: MIGRATIONS.to_owned(), faults: schema_faults(engine, &history) });
        Ok(CheckReport::of(engine, tables, migrations, checks))
    }

    /// Checks a store that this process has not opened. Another process may have it open.
    pub async fn check_offline(url: &StoreUrl) -> Result<CheckReport> {
        if let StoreUrl::Sqlite(path) = url
            && !tokio::fs::try_exists(path).await.unwrap_or(true)
        {
            let sentence = format!("There is no store at {}: name its data directory, or its address.", path.display());
            return Err(Error::unavailable("storage_unavailable", sentence));
        }
        match Self::open_for(url, Arc::new(SystemClock), limits::SEARCH_DEADLINE, Purpose::Inspect).await {
            Ok(db) => {
                let report = db.check().await;
                db.close().await;
                report
            }
            Err(error) if matches!(error.db(), Some(DbError::Corrupt(_))) => {
                let fault = format!("{url} is damaged or is not a database.");
                let check = CheckResult { name: PAGES.to_owned(), faults: vec![fault] };
                Ok(CheckReport::of(url.engine(), 0, 0, vec![check]))
            }
            Err(error) => Err(super::explain::explain(url, error)),
        }
    }
}

async fn faults(tx: &mut Tx, text: &'static str) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = tx.query(text).fetch_all().await?;
    // SQLite's integrity check returns a row "ok" where other checks return none.
    Ok(rows.into_iter().map(|(fault,)| fault).filter(|fault| fault != "ok").collect())
}

async fn counts(tx: &mut Tx) -> Result<(i64, Vec<Applied>)> {
    let tables = tx.query(tables(tx.engine())).fetch_value().await?;
    let history: Vec<(i64, String, String)> = tx.query(migrate::READ_HISTORY).fetch_all().await?;
    Ok((tables, history.into_iter().map(Applied::from).collect()))
}

/// The faults of the migration history, each with its remedy.
fn schema_faults(engine: Engine, history: &[Applied]) -> Vec<String> {
    let known = migrate::known(engine);
    let newest = known.last().map_or(0, |migration| migration.version);
    let mut faults = Vec::new();
    if let Some(later) = history.iter().filter(|applied| applied.version > newest).max_by_key(|applied| applied.version)
    {
        faults.push(format!(
            "A newer version has migrated this store: it is at {}, and this program knows up to {newest}. Start the newer \
             version here too.",
            later.name
        ));
    }
    for migration in known {
        match history.iter().find(|applied| applied.version == migration.version) {
            None => faults.push(format!(
                "The migration {} is missing: `svc-admin db migrate` applies it, as does a start of the server.",
                migration.name
            )),
            Some(applied) if applied.checksum != migration.checksum() => faults.push(format!(
                "The migration {} differs from the one of this program: use the program that created the store.",
                applied.name
            )),
            Some(_) => {}
        }
    }
    faults
}

/// The checks of an engine by name, as statements that return one row of text per fault.
fn texts(engine: Engine) -> &'static [(&'static str, &'static str)] {
    match engine {
        Engine::Sqlite => SQLITE,
        Engine::Postgres => POSTGRES,
    }
}

/// The statement that counts the tables.
fn tables(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => {
            "SELECT count(*)
               FROM sqlite_schema
              WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        }
        Engine::Postgres => {
            "SELECT count(*)
               FROM pg_catalog.pg_tables
              WHERE schemaname = current_schema()"
        }
    }
}

const SQLITE: &[(&str, &str)] = &[
    (PAGES, "PRAGMA integrity_check(100)"),
    (
        "foreign keys",
        "SELECT count(*) || ' rows of ' || \"table\" || ' refer to rows of ' || parent || ' that are not there'
           FROM pragma_foreign_key_check
          GROUP BY \"table\", parent
          ORDER BY \"table\", parent",
    ),
];

/// PostgreSQL protects its pages itself; faults in its catalogue come from an interrupted build or
/// validation.
const POSTGRES: &[(&str, &str)] = &[
    (
        "indexes",
        "SELECT 'the index ' || name.relname || ' was not built to its end'
           FROM pg_catalog.pg_index AS index
           JOIN pg_catalog.pg_class AS name ON name.oid = index.indexrelid
           JOIN pg_catalog.pg_namespace AS space ON space.oid = name.relnamespace
          WHERE space.nspname = current_schema()
            AND NOT (index.indisvalid AND index.indisready)
          ORDER BY name.relname",
    ),
    (
        "constraints",
        "SELECT 'the constraint ' || rule.conname || ' has not been validated'
           FROM pg_catalog.pg_constraint AS rule
           JOIN pg_catalog.pg_namespace AS space ON space.oid = rule.connamespace
          WHERE space.nspname = current_schema()
            AND NOT rule.convalidated
          ORDER BY rule.conname",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn history(engine: Engine) -> Vec<Applied> {
        let known = migrate::known(engine).iter();
        known.map(|one| Applied::from((one.version, one.name.to_owned(), one.checksum()))).collect()
    }

    #[test]
    fn each_schema_fault_has_its_own_message() {
        let told = |change: fn(&mut Vec<Applied>)| {
            let mut history = history(Engine::Sqlite);
            change(&mut history);
            schema_faults(Engine::Sqlite, &history).join("\n")
        };
        assert_eq!(told(|_| {}), "");
        let newer = |history: &mut Vec<Applied>| {
            history.push(Applied::from((9999, "9999_later".to_owned(), String::new())));
        };
        assert!(told(newer).starts_with("A newer version has migrated this store: it is at 9999_later"));
        let missing = told(|history| drop(history.remove(1)));
        assert!(missing.contains("0002_identity is missing") && missing.contains("db migrate"), "{missing}");
        assert!(told(|history| history[0].checksum.clear()).contains("0001_foundation differs"));
    }
}
