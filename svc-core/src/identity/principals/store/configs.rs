//! The SQL of the configurations of sources.

use crate::error::Result;
use crate::identity::principals::configs::Draft;
use crate::identity::principals::machine::Machine;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// The current version.
    #[derive(Debug, Clone)]
    pub(in crate::identity::principals) struct ConfigVersion {
        pub(in crate::identity::principals) version: i64,
        pub(in crate::identity::principals) sha256: String,
        pub(in crate::identity::principals) created_at: Timestamp,
    }
}

const PRESENT: &str = "
    SELECT version, sha256, created_at
      FROM machine_source_configs
     WHERE principal_id = $1 AND source = $2
     ORDER BY version DESC
     LIMIT 1";

const SOURCES: &str = "
    SELECT count(DISTINCT source)
      FROM machine_source_configs
     WHERE principal_id = $1";

const OLD: &str = "DELETE FROM machine_source_configs WHERE principal_id = $1 AND source = $2 AND version <= $3";

pub(super) const LISTED: &[(&str, &str)] =
    &[("source_configs.present", PRESENT), ("source_configs.sources", SOURCES), ("source_configs.old", OLD)];

pub(in crate::identity::principals) async fn current(
    tx: &mut Tx,
    owner: &str,
    source: &str,
) -> Result<Option<ConfigVersion>> {
    tx.query(PRESENT).bind(owner).bind(source).fetch_optional().await
}

/// The number of sources of a principal.
pub(in crate::identity::principals) async fn count_sources(tx: &mut Tx, owner: &str) -> Result<i64> {
    tx.query(SOURCES).bind(owner).fetch_value().await
}

/// Inserts the next version and removes those that are too many.
pub(in crate::identity::principals) async fn insert(
    tx: &mut Tx,
    machine: &Machine,
    draft: &Draft,
    next: &ConfigVersion,
) -> Result<()> {
    tx.query(
        "INSERT INTO machine_source_configs (principal_id, source, version, config, sha256, kid, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(machine.principal_id())
    .bind(draft.source.as_str())
    .bind(next.version)
    .bind(draft.config.clone())
    .bind(next.sha256.as_str())
    .bind(machine.kid())
    .bind(next.created_at)
    .execute()
    .await?;
    let past = next.version - limits::MACHINE_CONFIG_VERSIONS;
    if past > 0 {
        tx.query(OLD).bind(machine.principal_id()).bind(draft.source.as_str()).bind(past).execute().await?;
    }
    Ok(())
}
