//! The SQL of leases.

use std::time::Duration;

use super::Lease;
use crate::error::Result;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

pub(super) async fn acquire(tx: &mut Tx, name: &str, holder: &str, length: Duration) -> Result<Option<i64>> {
    let now = tx.now();
    let term = tx
        .query(
            "INSERT INTO leases (name, holder, term, expires_at)
             VALUES ($1, $2, 1, $3)
             ON CONFLICT (name) DO UPDATE
                SET holder = $2, term = leases.term + 1, expires_at = $3
              WHERE leases.expires_at <= $4 OR leases.holder = $2
             RETURNING term",
        )
        .bind(name)
        .bind(holder)
        .bind(now.plus(length))
        .bind(now)
        .fetch_optional::<(i64,)>()
        .await?;
    if term.is_none() {
        shorten(tx, name, now.plus(length)).await?;
    }
    Ok(term.map(|(term,)| term))
}

/// Shortens a lease whose end is too far in the future because the clock was set back: it then lasts as long
/// as a lease that is acquired now.
async fn shorten(tx: &mut Tx, name: &str, latest: Timestamp) -> Result<()> {
    tx.query("UPDATE leases SET expires_at = $2 WHERE name = $1 AND expires_at > $2")
        .bind(name)
        .bind(latest)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn renew(tx: &mut Tx, lease: &Lease, length: Duration) -> Result<bool> {
    let until = tx.now().plus(length);
    let renewed = tx
        .query(
            "UPDATE leases SET expires_at = $4
              WHERE name = $1 AND holder = $2 AND term = $3",
        )
        .bind(&*lease.name)
        .bind(&*lease.holder)
        .bind(lease.term)
        .bind(until)
        .execute()
        .await?;
    Ok(renewed == 1)
}

pub(super) async fn release(tx: &mut Tx, lease: &Lease) -> Result<()> {
    tx.query(
        "UPDATE leases SET expires_at = 0
          WHERE name = $1 AND holder = $2 AND term = $3",
    )
    .bind(&*lease.name)
    .bind(&*lease.holder)
    .bind(lease.term)
    .execute()
    .await?;
    Ok(())
}

/// Ends the leases of a process that has died.
pub(crate) async fn end_of_holder(tx: &mut Tx, holder: &str) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE leases SET expires_at = 0 WHERE holder = $1 AND expires_at > $2")
        .bind(holder)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Checks the lease and locks its row, so that no other process can acquire it before this transaction ends.
pub(super) async fn is_held(tx: &mut Tx, lease: &Lease) -> Result<bool> {
    let now = tx.now();
    let held = tx
        .query(
            "UPDATE leases SET term = term
              WHERE name = $1 AND holder = $2 AND term = $3 AND expires_at > $4",
        )
        .bind(&*lease.name)
        .bind(&*lease.holder)
        .bind(lease.term)
        .bind(now)
        .execute()
        .await?;
    Ok(held == 1)
}
