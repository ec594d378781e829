//! Visible pages of users.

use crate::error::Result;
use crate::ids::UserId;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// Records a sign of a visible page, and removes the oldest pages beyond the maximum.
pub(in crate::insight::push) async fn see(tx: &mut Tx, user: UserId, page: &str) -> Result<()> {
    let until = tx.now().plus(limits::PRESENCE_TTL);
    tx.query(
        "INSERT INTO presence (user_id, page, visible_until) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, page) DO UPDATE SET visible_until = excluded.visible_until",
    )
    .bind(user)
    .bind(page)
    .bind(until)
    .execute()
    .await?;
    tx.query(
        "DELETE FROM presence
          WHERE user_id = $1
            AND page NOT IN (SELECT p.page FROM presence p WHERE p.user_id = $1
                              ORDER BY p.visible_until DESC, p.page LIMIT $2)",
    )
    .bind(user)
    .bind(limits::PRESENCE_PAGES_MAX)
    .execute()
    .await?;
    Ok(())
}

/// Ends the visibility of a page.
pub(in crate::insight::push) async fn leave(tx: &mut Tx, user: UserId, page: &str) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE presence SET visible_until = $3 WHERE user_id = $1 AND page = $2 AND visible_until > $3")
        .bind(user)
        .bind(page)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Whether a page of the user was visible at this time, or became visible after it. A later end than signs can give is
/// one of a clock that was set back.
pub(in crate::insight::push) async fn is_present(tx: &mut Tx, user: UserId, at: Timestamp) -> Result<bool> {
    let latest = tx.now().plus(limits::PRESENCE_TTL);
    let found: Option<(i64,)> = tx
        .query("SELECT 1 FROM presence WHERE user_id = $1 AND visible_until > $2 AND visible_until <= $3 LIMIT 1")
        .bind(user)
        .bind(at)
        .bind(latest)
        .fetch_optional()
        .await?;
    Ok(found.is_some())
}
