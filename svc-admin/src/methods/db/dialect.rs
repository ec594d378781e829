//! The checks that each engine has, as texts that answer one row of text per fault.

use svc_core::db::Engine;

/// The checks of an engine, by name.
pub(super) fn checks(engine: Engine) -> &'static [(&'static str, &'static str)] {
    match engine {
        Engine::Sqlite => SQLITE,
        Engine::Postgres => POSTGRES,
    }
}

/// Counts the tables.
pub(super) fn tables(engine: Engine) -> &'static str {
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
    ("pages and indexes", "PRAGMA integrity_check(100)"),
    (
        "foreign keys",
        "SELECT count(*) || ' rows of ' || \"table\" || ' refer to rows of ' || parent || ' that are not there'
           FROM pragma_foreign_key_check
          GROUP BY \"table\", parent
          ORDER BY \"table\", parent",
    ),
];

/// PostgreSQL guards its pages itself; what can go wrong in its catalogue is a build or a
/// validation that was interrupted.
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
