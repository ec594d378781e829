//! What only PostgreSQL needs: who is let in, and who replaces the registry, wait for each other; and whoever reads
//! events stops before ids that are still to come. SQLite has one writer, and nobody to wait for.
//!
//! Events get their ids from a sequence and are seen when their transactions commit, in another order. So whoever is
//! about to take ids first holds a lock whose number is the last id that was given: theirs are larger, and the lock
//! goes when they are seen. A reader asks for the last id, then for those locks, then for the events. An event up to
//! that id, and up to the smallest of the locks, belongs to a transaction that held its lock before the reader asked
//! and has it no more: what the reader does not see by then will never be there.

use crate::error::Result;
use crate::ids::MachineEventId;
use crate::store::db::{Engine, Tx};

/// The lock's number: any that no other lock of the database has.
const REGISTRY_LOCK: i64 = 0x7376_635f_7265_6769;

/// Keeps the registry as it is until this transaction ends. A lock of its own rather than one on the row: those who
/// want to replace the registry are not kept waiting by an endless row of those who want to keep it.
pub(crate) async fn keep_registry(tx: &mut Tx) -> Result<()> {
    lock(tx, "SELECT pg_advisory_xact_lock_shared($1)").await
}

/// Waits for everybody who was let in by the registry that is in force, and lets nobody in until this transaction
/// ends.
pub(crate) async fn take_registry(tx: &mut Tx) -> Result<()> {
    lock(tx, "SELECT pg_advisory_xact_lock($1)").await
}

/// What the locks on ids have in the upper half of their first number. They are the only ones with two numbers: 16
/// bits of the id stand in the lower half of the first, and 31 in the second.
const ID_LOCKS: i64 = 0x7376;

/// To be called before a transaction takes ids for events; nobody waits for it.
pub(crate) async fn announce_ids(tx: &mut Tx) -> Result<()> {
    if tx.engine() == Engine::Postgres {
        // The subquery is asked once, and before the lock is taken.
        tx.query(
            "SELECT pg_advisory_xact_lock_shared(CAST(($1 << 16) | ((s.last_id >> 31) & 65535) AS INTEGER),
                                                 CAST(s.last_id & 2147483647 AS INTEGER))
               FROM (SELECT coalesce(pg_sequence_last_value(
                                CAST(pg_get_serial_sequence('machine_events', 'id') AS regclass)), 0) AS last_id) s",
        )
        .bind(ID_LOCKS)
        .execute()
        .await?;
    }
    Ok(())
}

/// Up to which id a snapshot that is taken later shows all events that there will ever be.
pub(crate) async fn settled(tx: &mut Tx) -> Result<MachineEventId> {
    if tx.engine() == Engine::Sqlite {
        return Ok(MachineEventId(i64::MAX));
    }
    // In this order: an id that is given between the two has its lock before.
    let last: i64 = tx
        .query(
            "SELECT coalesce(pg_sequence_last_value(
                        CAST(pg_get_serial_sequence('machine_events', 'id') AS regclass)), 0)",
        )
        .fetch_value()
        .await?;
    let announced: i64 = tx
        .query(
            "SELECT coalesce(min(((CAST(classid AS BIGINT) & 65535) << 31) | CAST(objid AS BIGINT)), $2)
               FROM pg_locks
              WHERE locktype = 'advisory'
                AND objsubid = 2
                AND CAST(classid AS BIGINT) >> 16 = $1
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        )
        .bind(ID_LOCKS)
        .bind(last)
        .fetch_value()
        .await?;
    Ok(MachineEventId(last.min(announced)))
}

async fn lock(tx: &mut Tx, text: &'static str) -> Result<()> {
    if tx.engine() == Engine::Postgres {
        tx.query(text).bind(REGISTRY_LOCK).execute().await?;
    }
    Ok(())
}
