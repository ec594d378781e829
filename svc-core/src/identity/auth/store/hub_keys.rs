//! The SQL of keys that all nodes of a hub share.

use crate::error::Result;
use crate::store::db::Tx;

/// The key for this purpose.
pub(in crate::identity::auth) async fn find(tx: &mut Tx, purpose: &str) -> Result<Option<Vec<u8>>> {
    let found = tx.query("SELECT key FROM hub_keys WHERE purpose = $1").bind(purpose).fetch_optional().await?;
    Ok(found.map(|(key,)| key))
}

/// Stores our key, or returns that of the node that was faster.
pub(in crate::identity::auth) async fn insert(tx: &mut Tx, purpose: &str, ours: &[u8; 32]) -> Result<Vec<u8>> {
    tx.query(
        "INSERT INTO hub_keys (purpose, key)
         VALUES ($1, $2)
         ON CONFLICT (purpose) DO UPDATE SET key = hub_keys.key
         RETURNING key",
    )
    .bind(purpose)
    .bind(ours.as_slice())
    .fetch_value()
    .await
}
