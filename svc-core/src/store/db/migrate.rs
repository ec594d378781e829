//! Numbered migrations: embedded, checksummed, and applied in order, once, under a lock.
//!
//! Nodes of two versions may share a store while it is upgraded. A migration says which programs go on with the store
//! after it (`needs`): one that only adds things ("expand") needs what was needed before it; one that removes or changes
//! things ("contract") needs a program that no longer uses them. A program below that need neither opens the store nor
//! writes to it any more.

use sha2::{Digest, Sha256};

use super::Engine;
use crate::clock::hex;
use crate::error::{Error, Result};

/// A migration of one engine.
#[derive(Debug)]
pub(super) struct Migration {
    pub(super) version: i64,
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// The schema that a program knows at least to go on with the store after this migration.
    pub(super) needs: i64,
}

/// A row of the migration history of a store.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) version: i64,
    pub(super) name: String,
    pub(super) checksum: String,
    /// The schema that a program knows at least to go on with the store after it.
    pub(super) needs: i64,
}

/// What a program is to a store that a newer one may have migrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It knows every migration of the store.
    Current,
    /// It does not know the newest migrations, and none of them needs it to.
    Behind,
    /// The store is at this schema, which needs a newer program.
    Outgrown(i64),
}

macro_rules! migrations {
    ($($version:literal $name:literal $(needs $needs:literal)?),+ $(,)?) => {
        const SQLITE: &[Migration] = &[$(migrations!(@one "sqlite" $version $name $($needs)?)),+];
        const POSTGRES: &[Migration] = &[$(migrations!(@one "postgres" $version $name $($needs)?)),+];
    };
    (@one $engine:literal $version:literal $name:literal) => {
        migrations!(@one $engine $version $name $version)
    };
    (@one $engine:literal $version:literal $name:literal $needs:literal) => {
        Migration {
            needs: $needs,
            version: $version,
            name: $name,
            text: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/migrations/", $engine, "/", $name, ".sql"
            )),
        }
    };
}

// `needs N` behind the name: programs that know schema N go on with the store. Without it, only programs that know
// this migration do.
migrations! {
    1 "0001_foundation",
    2 "0002_identity",
    3 "0003_messaging",
    4 "0004_totals",
    5 "0005_inbox",
    6 "0006_tasks",
    7 "0007_key_profiles",
    8 "0008_machines",
    9 "0009_mention_copies",
    10 "0010_machine_links",
    11 "0011_logins",
    12 "0012_client_secrets",
    13 "0013_oauth_bounds",
    14 "0014_file_store",
    15 "0015_nodes",
    16 "0016_quotas",
    17 "0017_handle_shapes",
    18 "0018_typed_profile",
    19 "0019_queue",
    20 "0020_webhooks",
    21 "0021_runs",
    22 "0022_governance",
    23 "0023_cluster",
    24 "0024_goals",
    25 "0025_wiki",
    26 "0026_push",
    27 "0027_rolling_upgrades",
    28 "0028_backups" needs 27,
    29 "0029_disk_samples" needs 27,
    30 "0030_certificates" needs 27,
    31 "0031_message_versions" needs 27,
    32 "0032_invites" needs 27,
    33 "0033_mentions" needs 27,
    34 "0034_kept_messages" needs 27,
    35 "0035_emoji_and_profiles" needs 27,
}

/// The history table; the text works on both engines.
pub(super) const HISTORY_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    version    BIGINT NOT NULL,
    name       TEXT   NOT NULL,
    checksum   TEXT   NOT NULL,
    applied_at BIGINT NOT NULL,
    CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
)";
/// The programs that go on with the store after a migration, where these are not only the ones that know it. A table
/// of its own, because it is read before any migration is applied.
pub(super) const NEEDS_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_needs (
    version BIGINT NOT NULL,
    needs   BIGINT NOT NULL,
    CONSTRAINT schema_needs_pkey PRIMARY KEY (version)
)";
/// The history without the needs, for a store that may not have their table yet.
pub(super) const READ_HISTORY: &str = "SELECT version, name, checksum FROM schema_migrations ORDER BY version";
pub(super) const READ_HISTORY_AND_NEEDS: &str = "SELECT applied.version, applied.name, applied.checksum,
       coalesce(schema_needs.needs, applied.version)
  FROM schema_migrations applied
  LEFT JOIN schema_needs ON schema_needs.version = applied.version
 ORDER BY applied.version";
/// The newest migration after one, and the greatest need of those after it; zeros if there is none.
pub(super) const READ_NEWER: &str = "SELECT coalesce(max(applied.version), 0),
       coalesce(max(coalesce(schema_needs.needs, applied.version)), 0)
  FROM schema_migrations applied
  LEFT JOIN schema_needs ON schema_needs.version = applied.version
 WHERE applied.version > $1";
pub(super) const RECORD_NEED: &str = "INSERT INTO schema_needs (version, needs) VALUES ($1, $2)";
pub(super) const RECORD: &str =
    "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)";

impl Migration {
    pub(super) fn checksum(&self) -> String {
        hex(&Sha256::digest(self.text.as_bytes()))
    }
}

impl From<(i64, String, String)> for Applied {
    fn from((version, name, checksum): (i64, String, String)) -> Self {
        Self { version, name, checksum, needs: version }
    }
}

impl From<(i64, String, String, i64)> for Applied {
    fn from((version, name, checksum, needs): (i64, String, String, i64)) -> Self {
        Self { version, name, checksum, needs }
    }
}

/// The newest schema that this program knows. It has the same number on both engines.
pub(super) fn newest() -> i64 {
    SQLITE.last().map_or(0, |migration| migration.version)
}

/// The standing of this program at a store whose newest unknown migration and greatest need among these are given; zeros
/// if it knows all.
pub(super) fn standing(version: i64, needs: i64) -> Standing {
    match version {
        0 => Standing::Current,
        _ if needs <= newest() => Standing::Behind,
        _ => Standing::Outgrown(version),
    }
}

/// The migrations of an engine.
pub(super) fn known(engine: Engine) -> &'static [Migration] {
    match engine {
        Engine::Sqlite => SQLITE,
        Engine::Postgres => POSTGRES,
    }
}

/// The names of all migrations, for the test that compares them with the directories.
#[doc(hidden)]
pub fn migration_names() -> Vec<&'static str> {
    SQLITE.iter().map(|migration| migration.name).collect()
}

/// The migrations that a store with this history lacks, or an error if the store must not be used.
pub(super) fn pending(engine: Engine, history: &[Applied]) -> Result<Vec<&'static Migration>> {
    let known = known(engine);
    let newest = newest();
    for applied in history {
        if applied.version > newest {
            if applied.needs <= newest {
                continue;
            }
            return Err(Error::conflict(
                "store_too_new",
                format!(
                    "This store was written by a newer svc: it is at schema {}, and this program knows up to {newest}. \
                     Start that newer version, or restore a backup made before the upgrade.",
                    history.last().map_or(applied.version, |last| last.version),
                ),
            ));
        }
        let unchanged = known
            .iter()
            .any(|migration| migration.version == applied.version && migration.checksum() == applied.checksum);
        if !unchanged {
            return Err(Error::conflict(
                "store_history_differs",
                format!(
                    "Migration {} of this store differs from the one of this program, so the two do not belong \
                     together. Use the program that created the store, or restore a backup.",
                    applied.name,
                ),
            ));
        }
    }
    Ok(known.iter().filter(|migration| history.iter().all(|applied| applied.version != migration.version)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(migration: &Migration) -> Applied {
        Applied {
            version: migration.version,
            name: migration.name.into(),
            checksum: migration.checksum(),
            needs: migration.needs,
        }
    }

    #[test]
    fn an_empty_store_needs_all_migrations() {
        assert_eq!(pending(Engine::Sqlite, &[]).unwrap().len(), SQLITE.len());
    }

    #[test]
    fn a_current_store_needs_no_migration() {
        let history: Vec<_> = POSTGRES.iter().map(applied).collect();
        assert!(pending(Engine::Postgres, &history).unwrap().is_empty());
    }

    #[test]
    fn a_newer_store_is_rejected() {
        let history = [Applied { version: 9999, name: "later".into(), checksum: String::new(), needs: 9999 }];
        let error = pending(Engine::Sqlite, &history).unwrap_err();
        assert_eq!(error.code(), "store_too_new");
        assert!(error.message().contains("9999"));
    }

    #[test]
    fn a_newer_store_that_needs_no_newer_program_is_used() {
        let mut history: Vec<_> = SQLITE.iter().map(applied).collect();
        history.push(Applied { version: 9999, name: "later".into(), checksum: String::new(), needs: newest() });
        assert!(pending(Engine::Sqlite, &history).unwrap().is_empty());
        assert_eq!(standing(9999, newest()), Standing::Behind);
        assert_eq!(standing(9999, newest() + 1), Standing::Outgrown(9999));
        assert_eq!(standing(0, 0), Standing::Current);
    }

    #[test]
    fn no_migration_needs_more_than_itself() {
        for migrations in [SQLITE, POSTGRES] {
            assert!(migrations.iter().all(|migration| migration.needs <= migration.version));
        }
    }

    #[test]
    fn a_changed_migration_is_rejected() {
        let mut changed = applied(&SQLITE[0]);
        changed.checksum = "0".repeat(64);
        assert_eq!(pending(Engine::Sqlite, &[changed]).unwrap_err().code(), "store_history_differs");
    }
}
