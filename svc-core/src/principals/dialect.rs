//! What only PostgreSQL needs: who is let in, and who replaces the registry, wait for each other. SQLite has one
//! writer, and nobody to wait for.

use crate::db::{Engine, Tx};
use crate::error::Result;

/// The lock's number: any that no other lock of the database has.
const REGISTRY_LOCK: i64 = 0x7376_635f_7265_6769;

/// Keeps the registry as it is until this transaction ends. A lock of its own rather than one on the row: those who
/// want to replace the registry are not kept waiting by an endless row of those who want to keep it.
pub(super) async fn keep_registry(tx: &mut Tx) -> Result<()> {
    lock(tx, "SELECT pg_advisory_xact_lock_shared($1)").await
}

/// Waits for everybody who was let in by the registry that is in force, and lets nobody in until this transaction
/// ends.
pub(super) async fn take_registry(tx: &mut Tx) -> Result<()> {
    lock(tx, "SELECT pg_advisory_xact_lock($1)").await
}

async fn lock(tx: &mut Tx, text: &'static str) -> Result<()> {
    if tx.engine() == Engine::Postgres {
        tx.query(text).bind(REGISTRY_LOCK).execute().await?;
    }
    Ok(())
}
