//! The SQL of readiness.

use crate::error::Result;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// Writes the time of a probe, which never goes back. Returns the stored time.
pub(super) async fn probe(tx: &mut Tx) -> Result<Timestamp> {
    let now = tx.now();
    tx.query(
        "UPDATE readiness
            SET probed_at = CASE WHEN probed_at > $1 THEN probed_at ELSE $1 END
          WHERE id = 1
         RETURNING probed_at",
    )
    .bind(now)
    .fetch_value()
    .await
}

/// The time of the last probe.
pub(super) async fn probed_at(tx: &mut Tx) -> Result<Timestamp> {
    tx.query("SELECT probed_at FROM readiness WHERE id = 1").fetch_value().await
}
