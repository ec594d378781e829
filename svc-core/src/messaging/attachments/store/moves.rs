//! Who is storing or removing a blob, by its hash. Any number may store it at once, because they store the same;
//! while somebody does, nobody removes it, and while somebody removes it, nobody stores it.
//!
//! What always holds: those who store a blob share one registration, which the first of them to come to an end
//! takes away. Whoever finds it gone or replaced begins again. So the death of one is no reason for others to wait.

use svc_model::attachments::ContentHash;

use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;

/// Registers one who stores, together with those who do so already.
const STORE: &str = "
    INSERT INTO attachment_moves (hash, direction, holder, expires_at)
    VALUES ($1, 'in', $2, $3)
    ON CONFLICT (hash) DO UPDATE
       SET holder = CASE WHEN attachment_moves.expires_at > $4 THEN attachment_moves.holder ELSE $2 END,
           direction = 'in', expires_at = $3
     WHERE attachment_moves.direction = 'in' OR attachment_moves.expires_at <= $4
    RETURNING holder";

/// Registers one who removes, alone.
const REMOVE: &str = "
    INSERT INTO attachment_moves (hash, direction, holder, expires_at)
    VALUES ($1, 'out', $2, $3)
    ON CONFLICT (hash) DO UPDATE
       SET direction = 'out', holder = $2, expires_at = $3
     WHERE attachment_moves.expires_at <= $4
    RETURNING holder";

/// Which way a blob moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

/// Takes part in the move of a hash, or takes it from somebody whose time is over. Answers under which name it
/// is registered, `None` when it is taken.
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

/// Ends a move; `false` when it has ended or somebody else has taken it over.
pub(crate) async fn end(tx: &mut Tx, hash: &ContentHash, holder: &str) -> Result<bool> {
    let ended = tx
        .query("DELETE FROM attachment_moves WHERE hash = $1 AND holder = $2")
        .bind(hash.as_str())
        .bind(holder)
        .execute()
        .await?;
    Ok(ended == 1)
}
