//! The SQL of machine principals. This file has keys and nonces; the others hold one topic each.

pub(super) mod configs;
pub(super) mod history;
pub(super) mod registry;
pub(super) mod statuses;

use svc_model::principals::{Audience, MachineKeyStatus, PublicKey, Scope};

use crate::error::Result;
use crate::store::db::{Json, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// A key with the data that decides whether it is usable.
    #[derive(Debug, Clone)]
    pub(super) struct KeyRow {
        pub(super) principal_id: String,
        pub(super) enabled: bool,
        pub(super) kid: String,
        pub(super) public_key: PublicKey,
        pub(super) status: MachineKeyStatus,
        pub(super) scopes: Json<Vec<Scope>>,
        pub(super) audience: Audience,
    }
}

/// Finds a key of a principal, in any state.
pub(super) async fn key(tx: &mut Tx, principal_id: &str, kid: &str) -> Result<Option<KeyRow>> {
    tx.query(
        "SELECT p.principal_id, p.enabled, k.kid, k.public_key, k.status, k.scopes, r.audience
           FROM machine_keys k
           JOIN machine_principals p ON p.principal_id = k.principal_id
           JOIN machine_registry r ON r.id = 1
          WHERE k.kid = $1 AND k.principal_id = $2",
    )
    .bind(kid)
    .bind(principal_id)
    .fetch_optional()
    .await
}

/// Consumes a nonce of a key; `false` if it was used before.
pub(super) async fn take_nonce(tx: &mut Tx, key: PublicKey, nonce: &str, expires_at: Timestamp) -> Result<bool> {
    let taken = tx
        .query(
            "INSERT INTO machine_nonces (public_key, nonce, expires_at) VALUES ($1, $2, $3)
             ON CONFLICT (public_key, nonce) DO NOTHING",
        )
        .bind(key)
        .bind(nonce)
        .bind(expires_at)
        .execute()
        .await?;
    Ok(taken == 1)
}

/// Whether a nonce of a key was used.
pub(super) async fn is_taken(tx: &mut Tx, key: PublicKey, nonce: &str) -> Result<bool> {
    let taken: i64 = tx
        .query("SELECT count(*) FROM machine_nonces WHERE public_key = $1 AND nonce = $2")
        .bind(key)
        .bind(nonce)
        .fetch_value()
        .await?;
    Ok(taken > 0)
}

const SWEEP_NONCES: &str = "
    DELETE FROM machine_nonces
     WHERE (public_key, nonce) IN
           (SELECT public_key, nonce FROM machine_nonces WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

const LISTED: &[(&str, &str)] = &[("principals.sweep_nonces", SWEEP_NONCES)];

/// The statements over growing tables, for the test of query plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [LISTED, configs::LISTED, &history::listed(), &statuses::listed()].concat()
}

/// Removes up to `limit` expired nonces.
pub(super) async fn sweep_nonces(tx: &mut Tx, limit: u32) -> Result<u64> {
    let now = tx.now();
    tx.query(SWEEP_NONCES).bind(now).bind(limit).execute().await
}
