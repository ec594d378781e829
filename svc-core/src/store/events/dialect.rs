//! The statement of the event log that exists on PostgreSQL only.

use super::order::Writers;
use crate::error::Result;
use crate::store::db::{Engine, Tx};

/// The transactions that are writing to the log now, whatever the open snapshot shows. An `INSERT` takes this
/// lock on the table before it takes a position and keeps it until its transaction has ended for all. SQLite
/// has one writer, so positions are in the order of commits and there is nothing to list.
pub(super) async fn writers(tx: &mut Tx) -> Result<Option<Writers>> {
    if tx.engine() == Engine::Sqlite {
        return Ok(None);
    }
    let writers: Vec<(String,)> = tx
        .query(
            "SELECT virtualtransaction
               FROM pg_locks
              WHERE locktype = 'relation'
                AND mode = 'RowExclusiveLock'
                AND relation = CAST('events' AS regclass)
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        )
        .fetch_all()
        .await?;
    Ok(Some(writers.into_iter().map(|(writer,)| writer).collect()))
}
