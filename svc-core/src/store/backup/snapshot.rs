//! Reading all rows of one state of the store, in parts.

use std::time::Instant;

use async_channel::Sender;

use super::catalogue::{self, TableShape};
use super::rows;
use crate::error::Result;
use crate::limits;
use crate::store::db::{Columns, DbError, Engine, Tx};

/// Rows that the server sends at once. Its driver passes them on one by one.
const FETCHED: u32 = 200;

/// A step of a snapshot, in this order.
pub(crate) enum Taken {
    /// The tables that follow, and the schema version.
    Tables { shapes: Vec<TableShape>, schema: i64 },
    /// Rows of a table.
    Part(Part),
    /// The last numbers that were assigned to rows. It is the last step.
    Numbers(Vec<(String, i64)>),
}

/// Rows of a table as text.
pub(crate) struct Part {
    /// The place of the table in the list.
    pub(crate) table: usize,
    pub(crate) rows: u64,
    pub(crate) bytes: Vec<u8>,
}

/// Sends all rows. The unit of work of [`Db::snapshot`](crate::store::db::Db::snapshot).
pub(crate) async fn copy(tx: &mut Tx, to: &Sender<Taken>) -> Result<()> {
    let begun = Instant::now();
    let schema: i64 = tx.query("SELECT coalesce(max(version), 0) FROM schema_migrations").fetch_value().await?;
    let shapes = catalogue::shapes(tx).await?;
    send(tx.engine(), to, Taken::Tables { shapes: shapes.clone(), schema }).await?;
    for (table, shape) in shapes.iter().enumerate() {
        let mut draft = Draft { shape, table, rows: 0, bytes: Vec::new(), begun };
        match tx.engine() {
            Engine::Sqlite => copy_blocking(tx, &mut draft, to).await?,
            Engine::Postgres => copy_through_cursor(tx, &mut draft, to).await?,
        }
        if draft.rows > 0 {
            send(tx.engine(), to, Taken::Part(draft.take())).await?;
        }
    }
    let numbers = catalogue::last_numbers(tx).await?;
    send(tx.engine(), to, Taken::Numbers(numbers)).await
}

/// On SQLite every statement is stepped to its end at once, so the thread waits for the receiver between two rows.
async fn copy_blocking(tx: &mut Tx, draft: &mut Draft<'_>, to: &Sender<Taken>) -> Result<()> {
    let text = draft.select();
    let mut each = |columns: &mut Columns<'_>| {
        draft.add(columns)?;
        if draft.is_full() {
            to.send_blocking(Taken::Part(draft.take())).map_err(|_| abandoned())?;
        }
        Ok(())
    };
    tx.query(text).fetch_columns(&mut each).await
}

async fn copy_through_cursor(tx: &mut Tx, draft: &mut Draft<'_>, to: &Sender<Taken>) -> Result<()> {
    let cursor = format!("svc_backup_{}", draft.shape.name);
    tx.query(format!("DECLARE {cursor} NO SCROLL CURSOR FOR {}", draft.select())).execute().await?;
    loop {
        let mut fetched = 0;
        let mut each = |columns: &mut Columns<'_>| {
            fetched += 1;
            draft.add(columns)
        };
        tx.query(format!("FETCH {FETCHED} FROM {cursor}")).fetch_columns(&mut each).await?;
        if fetched == 0 {
            break;
        }
        if draft.is_full() {
            send(Engine::Postgres, to, Taken::Part(draft.take())).await?;
        }
    }
    tx.query(format!("CLOSE {cursor}")).execute().await?;
    Ok(())
}

/// A part that rows are added to.
struct Draft<'s> {
    shape: &'s TableShape,
    table: usize,
    rows: u64,
    bytes: Vec<u8>,
    /// The beginning of the snapshot.
    begun: Instant,
}

impl Draft<'_> {
    fn select(&self) -> String {
        format!("SELECT {} FROM {}", self.shape.list(), self.shape.name)
    }

    fn add(&mut self, columns: &mut Columns<'_>) -> Result<(), DbError> {
        if self.begun.elapsed() > limits::BACKUP_SNAPSHOT_MAX {
            return Err(DbError::TooSlow("the rows of a backup were not taken in time".into()));
        }
        rows::write(self.shape, columns, &mut self.bytes)?;
        self.rows += 1;
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.bytes.len() >= limits::BACKUP_PART
    }

    fn take(&mut self) -> Part {
        let (rows, bytes) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.bytes));
        Part { table: self.table, rows, bytes }
    }
}

async fn send(engine: Engine, to: &Sender<Taken>, taken: Taken) -> Result<()> {
    let sent = match engine {
        Engine::Sqlite => to.send_blocking(taken),
        Engine::Postgres => to.send(taken).await,
    };
    Ok(sent.map_err(|_| abandoned())?)
}

/// Nobody reads the backup any more.
fn abandoned() -> DbError {
    DbError::Unavailable("the backup was abandoned".into())
}
