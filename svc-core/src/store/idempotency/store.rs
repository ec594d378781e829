//! The SQL of idempotency keys.

use super::IdempotencyKey;
use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;

crate::row! {
    /// The stored response to the first request with a key.
    pub(super) struct FirstAnswer {
        pub(super) fingerprint: Vec<u8>,
        pub(super) answer: String,
    }
}

const FIND: &str = "
    SELECT fingerprint, answer
      FROM idempotency_keys
     WHERE scope = $1 AND key = $2 AND created_at > $3";

const SWEEP: &str = "
    DELETE FROM idempotency_keys
     WHERE (scope, key) IN
           (SELECT scope, key FROM idempotency_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2)";

/// The statements over growing tables, for the test of query plans.
pub(crate) const LISTED: &[(&str, &str)] = &[("idempotency.find", FIND), ("idempotency.sweep", SWEEP)];

pub(super) async fn find(tx: &mut Tx, key: &IdempotencyKey) -> Result<Option<FirstAnswer>> {
    let oldest = tx.now().minus(limits::IDEMPOTENCY_RETENTION);
    tx.query(FIND).bind(key.scope.as_str()).bind(key.key.as_str()).bind(oldest).fetch_optional().await
}

/// Stores a key, replacing an expired one; a key that is still valid violates a constraint.
pub(super) async fn insert(tx: &mut Tx, key: &IdempotencyKey, answer: &str) -> Result<()> {
    let now = tx.now();
    tx.query("DELETE FROM idempotency_keys WHERE scope = $1 AND key = $2 AND created_at <= $3")
        .bind(key.scope.as_str())
        .bind(key.key.as_str())
        .bind(now.minus(limits::IDEMPOTENCY_RETENTION))
        .execute()
        .await?;
    tx.query(
        "INSERT INTO idempotency_keys (scope, key, fingerprint, answer, created_at)
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(key.scope.as_str())
    .bind(key.key.as_str())
    .bind(key.fingerprint.as_slice())
    .bind(answer)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn sweep(tx: &mut Tx, limit: u32) -> Result<u64> {
    let now = tx.now();
    // A clock that was set back must not extend the validity of a key.
    tx.query("UPDATE idempotency_keys SET created_at = $1 WHERE created_at > $1").bind(now).execute().await?;
    let oldest = tx.now().minus(limits::IDEMPOTENCY_RETENTION);
    tx.query(SWEEP).bind(oldest).bind(limit).execute().await
}
