//! Keys that all nodes of a hub share, stored in the database.
//!
//! Invariants: a key is generated once, by the first node that needs it. It authenticates values that the hub
//! has issued. Anybody who can read the store can read the key, so nothing is encrypted with it.

use super::store::hub_keys;
use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::store::db::Db;

/// The purpose of a key, as stored.
pub(crate) const CLIENT_SECRETS: &str = "client_secrets";

/// Reads the key for this purpose, or generates it.
pub(crate) async fn load(db: &Db, purpose: &'static str, entropy: &dyn Entropy) -> Result<[u8; 32]> {
    let found = db.read(purpose, |tx, purpose| Box::pin(hub_keys::find(tx, purpose))).await?;
    let key = if let Some(key) = found {
        key
    } else {
        let mut ours = [0; 32];
        entropy.fill(&mut ours);
        db.write((purpose, ours), |tx, (purpose, ours)| Box::pin(hub_keys::insert(tx, purpose, ours))).await?
    };
    key.try_into().map_err(|_| Error::internal("a key of the hub has the wrong length"))
}
