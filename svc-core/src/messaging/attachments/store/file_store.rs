//! The SQL of the file store record.

use crate::error::Result;
use crate::store::db::Tx;

/// The id that the file store must record; `None` before the hub has one.
pub(crate) async fn hub_id(tx: &mut Tx) -> Result<Option<String>> {
    let found: Option<(String,)> = tx.query("SELECT hub_id FROM file_store WHERE id = 1").fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// Sets the id of the hub; of several concurrent nodes, the first one wins.
pub(crate) async fn set_hub_id(tx: &mut Tx, id: &str) -> Result<()> {
    tx.query("INSERT INTO file_store (id, hub_id) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// The number of files without a row, if there are too many of them.
pub(crate) async fn unknown_files(tx: &mut Tx) -> Result<i64> {
    let found: Option<(i64,)> = tx.query("SELECT unknown_files FROM file_store WHERE id = 1").fetch_optional().await?;
    Ok(found.map_or(0, |(count,)| count))
}

pub(crate) async fn set_unknown_files(tx: &mut Tx, count: i64) -> Result<()> {
    tx.query("UPDATE file_store SET unknown_files = $1 WHERE id = 1").bind(count).execute().await?;
    Ok(())
}
