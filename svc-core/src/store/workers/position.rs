//! The stored position of a worker that walks a table.

use crate::error::Result;
use crate::store::db::Tx;

/// Locks the named position for this transaction and returns it; a new one is 0.
pub(crate) async fn hold(tx: &mut Tx, name: &str) -> Result<i64> {
    tx.query(
        "INSERT INTO worker_positions (name, position) VALUES ($1, 0)
         ON CONFLICT (name) DO UPDATE SET position = worker_positions.position",
    )
    .bind(name)
    .execute()
    .await?;
    tx.query("SELECT position FROM worker_positions WHERE name = $1").bind(name).fetch_value().await
}

/// Updates the position.
pub(crate) async fn set(tx: &mut Tx, name: &str, position: i64) -> Result<()> {
    tx.query("UPDATE worker_positions SET position = $2 WHERE name = $1").bind(name).bind(position).execute().await?;
    Ok(())
}
