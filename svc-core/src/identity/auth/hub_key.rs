//! Keys that all nodes of a hub share, stored in the database.
//!
//! Invariants: a key is generated once, by the first node that needs it. It authenticates values that the hub
//! has issued. Anybody who can read the store can read the key, so nothing is encrypted with it.

use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::store::db::{Db, Tx};

/// The purpose of a key, as stored.
pub(crate) const CLIENT_SECRETS: &str = "client_secrets";

/// Reads the key for this purpose, or generates it.
pub(crate) async fn load(db: &Db, purpose: &'static str, entropy: &dyn Entropy) -> Result<[u8; 32]> {
    let found = db.read(purpose, |tx, purpose| Box::pin(find(tx, purpose))).await?;
    let key = if let Some(key) = found {
        key
    } else {
        let mut ours = [0; 32];
        entropy.fill(&mut ours);
        db.write((purpose, ours), |tx, (purpose, ours)| Box::pin(make(tx, purpose, ours))).await?
    };
    key.try_into().map_err(|_| Error::internal("a key of the hub has the wrong length"))
}

async fn find(tx: &mut Tx, purpose: &str) -> Result<Option<Vec<u8>>> {
    let found = tx.query("SELECT key FROM hub_keys WHERE purpose = $1").bind(purpose).fetch_optional().await?;
    Ok(found.map(|(key,)| key))
}

/// Stores our key, or returns that of the node that was faster.
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
