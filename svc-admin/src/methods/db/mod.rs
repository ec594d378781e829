//! `db.check`: whether the store is sound, and what is done to it as a whole.

mod dialect;
mod maintenance;

use serde::{Deserialize, Serialize};
use svc_core::db::Tx;
use svc_core::{CheckedFiles, Result};

use super::{Method, NoParams, Server, root};

pub use maintenance::{Migrate, Migrations, Vacuum};

/// Looks the store and the files over. Nothing is changed but what is noted of damaged files; on a large store
/// it takes a while, and the hub goes on serving meanwhile.
pub struct Check;

/// What was found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CheckReport {
    /// The engine of the store.
    pub engine: String,
    /// Whether every check passed.
    pub ok: bool,
    /// How many tables there are.
    pub tables: i64,
    /// How many migrations have been applied.
    pub migrations: i64,
    /// How many files were compared with their hashes.
    #[serde(default)]
    pub files: u64,
    /// What was looked at.
    pub checks: Vec<CheckResult>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CheckResult {
    /// What.
    pub name: String,
    /// What is wrong; empty when nothing is.
    pub faults: Vec<String>,
}

/// The check that compares files with their hashes.
pub const FILES: &str = "files";

/// The migrations that were applied, and how many there ought to be.
const MIGRATIONS: &str = "SELECT count(*) FROM schema_migrations";

impl Method for Check {
    const NAME: &'static str = "db.check";
    const ABOUT: &'static str = "Checks that the store is sound and every file is what its hash says.";
    type Params = NoParams;
    type Answer = CheckReport;

    async fn run(server: &Server, _: NoParams) -> Result<CheckReport> {
        let db = server.hub.db();
        let engine = db.engine();
        let mut checks = Vec::new();
        for &(name, text) in dialect::checks(engine) {
            let found = db.read(text, |tx, text| Box::pin(faults(tx, text))).await;
            let faults = match found {
                // A page that cannot be read at all is what was looked for, not a failure to look.
                Err(error) if error.code() == "storage_damaged" => vec![error.message().to_owned()],
                other => other?,
            };
            checks.push(CheckResult { name: name.to_owned(), faults });
        }
        let (tables, migrations) = db.read((), |tx, ()| Box::pin(counts(tx))).await?;
        checks.push(CheckResult { name: "migrations".into(), faults: missing_migrations(migrations) });
        let checked = server.hub.attachments().check(&root()).await?;
        checks.push(CheckResult { name: FILES.into(), faults: damaged_files(&checked) });
        let ok = checks.iter().all(|check| check.faults.is_empty());
        Ok(CheckReport { engine: engine.to_string(), ok, tables, migrations, files: checked.compared, checks })
    }
}

/// Each damaged file by its hash, of many the first.
fn damaged_files(checked: &CheckedFiles) -> Vec<String> {
    let mut faults: Vec<_> = checked.hashes.iter().map(|hash| format!("{hash} is lost or damaged")).collect();
    let more = checked.damaged.saturating_sub(faults.len() as u64);
    if more > 0 {
        faults.push(format!("{more} more are lost or damaged"));
    }
    faults
}

async fn faults(tx: &mut Tx, text: &'static str) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = tx.query(text).fetch_all().await?;
    // SQLite's own check says "ok" in a row where others answer none.
    Ok(rows.into_iter().map(|(fault,)| fault).filter(|fault| fault != "ok").collect())
}

async fn counts(tx: &mut Tx) -> Result<(i64, i64)> {
    let tables = tx.query(dialect::tables(tx.engine())).fetch_value().await?;
    let migrations = tx.query(MIGRATIONS).fetch_value().await?;
    Ok((tables, migrations))
}

fn missing_migrations(applied: i64) -> Vec<String> {
    let known = svc_core::db::migration_names().len();
    if usize::try_from(applied).is_ok_and(|applied| applied == known) {
        return Vec::new();
    }
    vec![format!("{applied} migrations have been applied and this version has {known}: start the version that fits.")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_lacks_migrations_is_not_sound() {
        let known = i64::try_from(svc_core::db::migration_names().len()).unwrap();
        assert!(missing_migrations(known).is_empty());
        assert_eq!(missing_migrations(known - 1).len(), 1);
    }
}
