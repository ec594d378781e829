//! Visible pages of users.

use crate::error::Result;
use crate::ids::UserId;
use crate::limits;
use crate::store::db::Tx;

/// Records a sign of a visible page, and removes the oldest pages beyond the maximum.
pub(in crate::insight::push) async fn see(tx: &mut Tx, user: UserId, page: &str) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO presence (user_id, page, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, page) DO UPDATE SET seen_at = excluded.seen_at",
    )
    .bind(user)
    .bind(page)
    .bind(now)
    .execute()
    .await?;
    tx.query(
        "DELETE FROM presence
          WHERE user_id = $1
            AND page NOT IN (SELECT p.page FROM presence p WHERE p.user_id = $1
                              ORDER BY p.seen_at DESC, p.page LIMIT $2)",
    )
    .bind(user)
    .bind(limits::PRESENCE_PAGES_MAX)
    .execute()
    .await?;
    Ok(())
}

/// Withdraws a page.
pub(in crate::insight::push) async fn leave(tx: &mut Tx, user: UserId, page: &str) -> Result<()> {
    tx.query("DELETE FROM presence WHERE user_id = $1 AND page = $2").bind(user).bind(page).execute().await?;
    Ok(())
}

/// Whether a page of the user is visible now. A sign from the future is one of a clock that was set back.
pub(in crate::insight::push) async fn is_present(tx: &mut Tx, user: UserId) -> Result<bool> {
    let now = tx.now();
    let found: Option<(i64,)> = tx
        .query("SELECT 1 FROM presence WHERE user_id = $1 AND seen_at > $2 AND seen_at <= $3 LIMIT 1")
        .bind(user)
        .bind(now.minus(limits::PRESENCE_TTL))
        .bind(now)
        .fetch_optional()
        .await?;
    Ok(found.is_some())
}
