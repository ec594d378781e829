//! The one text of the event log that exists on PostgreSQL alone.

use super::order::Writers;
use crate::error::Result;
use crate::store::db::{Engine, Tx};

/// Who is writing to the log at this moment, whatever the open snapshot shows. An `INSERT` takes
/// this lock on the table before it takes a place and keeps it until its transaction has ended
/// for everybody. SQLite has one writer, so there the order of places is the order of commits and
/// the question does not arise.
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
