//! The SQL of known browsers, in which a human has logged in.
//!
//! Invariants: a browser is identified by 256 random bits in a separate cookie, stored only as a hash and
//! replaced at every login; it is not a credential, and only exempts its owner from delays caused by others;
//! it is forgotten when the password changes, when its session is ended from elsewhere, and after a time.

use crate::error::Result;
use crate::ids::{DeviceId, SessionId, UserId};
use crate::limits;
use crate::store::db::Tx;

const FIND: &str = "
    SELECT d.id
      FROM login_devices d
      JOIN participants p ON p.id = d.user_id
     WHERE d.token_hash = $1 AND d.expires_at > $2 AND p.handle_key = $3";

const SWEEP: &str = "
    DELETE FROM login_devices
     WHERE id IN (SELECT id FROM login_devices WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

pub(super) const LISTED: &[(&str, &str)] = &[("login_devices.find", FIND), ("login_devices.sweep", SWEEP)];

/// Finds the browser with this hash, if the user with this name has logged in there.
pub(in crate::identity::sessions) async fn find(tx: &mut Tx, hash: &[u8], username: &str) -> Result<Option<DeviceId>> {
    let now = tx.now();
    let found = tx.query(FIND).bind(hash).bind(now).bind(username.to_ascii_lowercase()).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// Stores a browser, or replaces its hash.
pub(in crate::identity::sessions) async fn remember(
    tx: &mut Tx,
    user: UserId,
    known: Option<DeviceId>,
    hash: &[u8],
) -> Result<DeviceId> {
    let (now, expires_at) = (tx.now(), tx.now().plus(limits::DEVICE_TTL));
    if let Some(known) = known {
        let renewed = tx
            .query(
                "UPDATE login_devices SET token_hash = $3, seen_at = $4, expires_at = $5 WHERE id = $1 AND user_id = $2",
            )
            .bind(known)
            .bind(user)
            .bind(hash)
            .bind(now)
            .bind(expires_at)
            .execute()
            .await?;
        if renewed == 1 {
            return Ok(known);
        }
    }
    make_room(tx, user).await?;
    tx.query(
        "INSERT INTO login_devices (user_id, token_hash, created_at, seen_at, expires_at)
         VALUES ($1, $2, $3, $3, $4)",
    )
    .bind(user)
    .bind(hash)
    .bind(now)
    .bind(expires_at)
    .insert("id")
    .await
}

/// Removes surplus browsers. Programs that log in and keep no cookie leave browsers behind that never return;
/// those are removed first.
async fn make_room(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query(
        "DELETE FROM login_devices
          WHERE id IN (SELECT id
                         FROM login_devices
                        WHERE user_id = $1
                        ORDER BY CASE WHEN seen_at > created_at THEN 0 ELSE 1 END, seen_at DESC, id DESC
                        LIMIT 1000 OFFSET $2)",
    )
    .bind(user)
    .bind(limits::DEVICES_PER_USER - 1)
    .execute()
    .await?;
    Ok(())
}

/// Forgets the browser of one session.
pub(in crate::identity::sessions) async fn forget_of(tx: &mut Tx, user: UserId, session: SessionId) -> Result<()> {
    tx.query(
        "DELETE FROM login_devices
          WHERE user_id = $1 AND id IN (SELECT device_id FROM sessions WHERE id = $2 AND user_id = $1)",
    )
    .bind(user)
    .bind(session)
    .execute()
    .await?;
    Ok(())
}

/// Forgets all browsers of an account.
pub(in crate::identity::sessions) async fn forget_all(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query("DELETE FROM login_devices WHERE user_id = $1").bind(user).execute().await?;
    Ok(())
}

pub(in crate::identity::sessions) async fn sweep(tx: &mut Tx, limit: u32) -> Result<u64> {
    let now = tx.now();
    tx.query(SWEEP).bind(now).bind(limit).execute().await
}
