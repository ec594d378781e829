//! Locks that only PostgreSQL needs: requests of machines and a replacement of the registry wait for each
//! other, and a reader of events stops before ids that are not committed yet. SQLite has one writer, and
//! nothing to wait for.
//!
//! Events get their ids from a sequence and become visible when their transactions commit, in another order.
//! So a transaction that is about to take ids first holds a lock whose number is the last id that was
//! assigned: its own ids are larger, and the lock is released when they are visible. A reader reads the last
//! id, then those locks, then the events. An event up to that id, and up to the smallest of the locks,
//! belongs to a transaction that held its lock before the reader began and has released it: an event that the
//! reader does not see by then will never appear.

use crate::error::Result;
use crate::ids::MachineEventId;
use crate::store::db::{Engine, Tx};

/// The number of the lock: any that no other lock of the database has.
const REGISTRY_LOCK: i64 = 0x7376_635f_7265_6769;

/// Keeps the registry unchanged until this transaction ends. It is an advisory lock rather than one on the
/// row, so that a replacement of the registry is not starved by a steady stream of requests.
pub(crate) async fn keep_registry(tx: &mut Tx) -> Result<()> {
    lock(tx, "SELECT pg_advisory_xact_lock_shared($1)").await
}

/// Waits for all requests that were admitted by the current registry, and blocks new ones until this
/// transaction ends.
pub(crate) async fn take_registry(tx: &mut Tx) -> Result<()> {
    lock(tx, "SELECT pg_advisory_xact_lock($1)").await
}

/// The upper half of the first number of the locks on ids. They are the only locks with two numbers: 16 bits
/// of the id are in the lower half of the first, and 31 in the second.
const ID_LOCKS: i64 = 0x7376;

/// Must be called before a transaction takes ids for events; it never waits.
pub(crate) async fn announce_ids(tx: &mut Tx) -> Result<()> {
    if tx.engine() == Engine::Postgres {
        // The subquery is evaluated once, and before the lock is taken.
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

/// The id up to which a later snapshot shows all events that will ever exist.
pub(crate) async fn settled(tx: &mut Tx) -> Result<MachineEventId> {
    if tx.engine() == Engine::Sqlite {
        return Ok(MachineEventId(i64::MAX));
    }
    // In this order: an id that is assigned between the two has its lock before.
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
