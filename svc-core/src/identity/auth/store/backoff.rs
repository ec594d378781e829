//! The SQL of the counters of failed logins. A subject is the hash of what a counter counts for.

use std::time::Duration;

use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    pub(in crate::identity::auth) struct Tally {
        pub(in crate::identity::auth) failures: u32,
        pub(in crate::identity::auth) last_at: Timestamp,
        pub(in crate::identity::auth) blocked_until: Timestamp,
    }
}

pub(in crate::identity::auth) async fn find(tx: &mut Tx, subject: &[u8]) -> Result<Option<Tally>> {
    tx.query("SELECT failures, last_at, blocked_until FROM login_failures WHERE subject = $1")
        .bind(subject)
        .fetch_optional()
        .await
}

/// Locks the row, so that concurrent attempts are counted one after another.
pub(in crate::identity::auth) async fn hold(tx: &mut Tx, subject: &[u8]) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO login_failures (subject, failures, last_at, blocked_until)
         VALUES ($1, 0, $2, $2)
         ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject",
    )
    .bind(subject)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Sets the number of failures, which block for this time.
pub(in crate::identity::auth) async fn put(
    tx: &mut Tx,
    subject: &[u8],
    failures: u32,
    blocked_for: Duration,
) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE login_failures SET failures = $2, last_at = $3, blocked_until = $4 WHERE subject = $1")
        .bind(subject)
        .bind(failures)
        .bind(now)
        .bind(now.plus(blocked_for))
        .execute()
        .await?;
    Ok(())
}

pub(in crate::identity::auth) async fn delete(tx: &mut Tx, subject: &[u8]) -> Result<()> {
    tx.query("DELETE FROM login_failures WHERE subject = $1").bind(subject).execute().await?;
    Ok(())
}

const SWEEP: &str = "
    DELETE FROM login_failures
     WHERE subject IN (SELECT subject FROM login_failures WHERE last_at < $1 ORDER BY last_at LIMIT $2)";

/// The statements over growing tables, for the test of query plans.
pub(crate) const LISTED: &[(&str, &str)] = &[("login_failures.sweep", SWEEP)];

/// Removes expired counters.
pub(crate) async fn sweep(tx: &mut Tx, limit: u32) -> Result<u64> {
    let before = tx.now().minus(limits::LOGIN_FORGOTTEN);
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}
