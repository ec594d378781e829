//! Registrations of processes that store or remove a blob, by its hash. Several processes may store
//! a blob concurrently, because they store the same bytes. While it is being stored it cannot be
//! removed, and while it is being removed it cannot be stored.
//!
//! Invariant: processes that store a blob share one registration, which the first to finish
//! deletes. A process that finds it deleted or replaced starts again. So a crashed process does not
//! block others.

use svc_model::attachments::ContentHash;

use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;

/// Registers a process that stores, sharing the registration of others that store.
const STORE: &str = "
    INSERT INTO attachment_moves (hash, direction, holder, expires_at)
    VALUES ($1, 'in', $2, $3)
    ON CONFLICT (hash) DO UPDATE
       SET holder = CASE WHEN attachment_moves.expires_at > $4 THEN attachment_moves.holder ELSE $2 END,
           direction = 'in', expires_at = $3
     WHERE attachment_moves.direction = 'in' OR attachment_moves.expires_at <= $4
    RETURNING holder";

/// Registers a process that removes, exclusively.
const REMOVE: &str = "
    INSERT INTO attachment_moves (hash, direction, holder, expires_at)
    VALUES ($1, 'out', $2, $3)
    ON CONFLICT (hash) DO UPDATE
       SET direction = 'out', holder = $2, expires_at = $3
     WHERE attachment_moves.expires_at <= $4
    RETURNING holder";

/// Whether a blob is stored or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

/// Joins the registration of a hash, or replaces an expired one. Returns the registered holder;
/// `None` if it is taken.
pub(crate) async fn begin(
    tx: &mut Tx,
    hash: &ContentHash,
    direction: Direction,
    holder: &str,
) -> Result<Option<String>> {
    let now = tx.now();
    let (text, until) = match direction {
        Direction::In => (STORE, now.plus(limits::BLOB_MOVE)),
        Direction::Out => (REMOVE, now.plus(limits::BLOB_REMOVAL)),
    };
    let found: Option<(String,)> =
        tx.query(text).bind(hash.as_str()).bind(holder).bind(until).bind(now).fetch_optional().await?;
    Ok(found.map(|(holder,)| holder))
}

/// Ends a registration; `false` if it has ended or was replaced.
pub(crate) async fn end(tx: &mut Tx, hash: &ContentHash, holder: &str) -> Result<bool> {
    let ended = tx
        .query("DELETE FROM attachment_moves WHERE hash = $1 AND holder = $2")
        .bind(hash.as_str())
        .bind(holder)
        .execute()
        .await?;
    Ok(ended == 1)
}
