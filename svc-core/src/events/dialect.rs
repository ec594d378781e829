//! The one text of the event log that exists on PostgreSQL alone.

use super::order::Horizon;
use crate::db::{Engine, Tx};
use crate::error::Result;

/// Which transactions have ended, as the open snapshot sees it. SQLite has one writer, so there
/// the order of places is the order of commits and the question does not arise.
pub(super) async fn horizon(tx: &mut Tx) -> Result<Option<Horizon>> {
    if tx.engine() == Engine::Sqlite {
        return Ok(None);
    }
    let (all_ended_below, none_begun_from) = tx
        .query(
            "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT),
                    CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)",
        )
        .fetch_one()
        .await?;
    Ok(Some(Horizon { all_ended_below, none_begun_from }))
}
