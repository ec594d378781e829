//! Keys that all nodes of a hub share, kept in the store.
//!
//! What always holds: a key is made once, whichever node is first. It tells what the hub has made from
//! what it has not; whoever reads the store can do that too, so nothing is sealed with it.

use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::store::db::{Db, Tx};

/// What a key is for, as the store calls it.
pub(crate) const CLIENT_SECRETS: &str = "client_secrets";

/// The key for this purpose; it is made when there is none.
pub(crate) async fn load(db: &Db, purpose: &'static str, entropy: &dyn Entropy) -> Result<[u8; 32]> {
    let found = db.read(purpose, |tx, purpose| Box::pin(find(tx, purpose))).await?;
    let key = if let Some(key) = found {
        key
    } else {
        let mut ours = [0; 32];
        entropy.fill(&mut ours);
        db.write((purpose, ours), |tx, (purpose, ours)| Box::pin(make(tx, purpose, ours))).await?
    };
    key.try_into().map_err(|_| Error::internal("a key of the hub has not the length of a key"))
}

async fn find(tx: &mut Tx, purpose: &str) -> Result<Option<Vec<u8>>> {
    let found = tx.query("SELECT key FROM hub_keys WHERE purpose = $1").bind(purpose).fetch_optional().await?;
    Ok(found.map(|(key,)| key))
}

/// Ours, or that of the node that was faster.
async fn make(tx: &mut Tx, purpose: &str, ours: &[u8; 32]) -> Result<Vec<u8>> {
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
