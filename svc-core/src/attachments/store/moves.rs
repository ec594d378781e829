//! Who is storing or removing a blob: one at a time for each hash, until their time is over.

use crate::attachments::hash::ContentHash;
use crate::db::Tx;
use crate::error::Result;
use crate::limits;

/// Which way a blob moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

impl Direction {
    fn as_str(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}

/// Takes the move of a hash, also from somebody whose time is over; `false` when it is taken.
pub(crate) async fn begin(tx: &mut Tx, hash: &ContentHash, direction: Direction, holder: &str) -> Result<bool> {
    let now = tx.now();
    let taken = tx
        .query(
            "INSERT INTO attachment_moves (hash, direction, holder, expires_at)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (hash) DO UPDATE
                SET direction = $2, holder = $3, expires_at = $4
              WHERE attachment_moves.expires_at <= $5",
        )
        .bind(hash.as_str())
        .bind(direction.as_str())
        .bind(holder)
        .bind(now.plus(limits::BLOB_MOVE))
        .bind(now)
        .execute()
        .await?;
    Ok(taken == 1)
}

/// Ends a move; `false` when somebody else has taken it over.
pub(crate) async fn end(tx: &mut Tx, hash: &ContentHash, holder: &str) -> Result<bool> {
    let ended = tx
        .query("DELETE FROM attachment_moves WHERE hash = $1 AND holder = $2")
        .bind(hash.as_str())
        .bind(holder)
        .execute()
        .await?;
    Ok(ended == 1)
}
