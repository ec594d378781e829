//! The SQL of device codes.

use crate::error::Result;
use crate::ids::{AgentId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The status of a device authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::identity::oauth) enum DeviceStatus {
    Pending,
    Approved,
    Denied,
    Used,
}

crate::text_enum! {
    DeviceStatus {
        Pending => "pending",
        Approved => "approved",
        Denied => "denied",
        Used => "used",
    }
}

crate::row! {
    /// A device authorization, with the user and agent of its approval.
    pub(in crate::identity::oauth) struct FoundDevice {
        pub(in crate::identity::oauth) client_id: String,
        pub(in crate::identity::oauth) resource: Option<String>,
        pub(in crate::identity::oauth) status: DeviceStatus,
        pub(in crate::identity::oauth) interval_seconds: u32,
        pub(in crate::identity::oauth) polled_at: Option<Timestamp>,
        pub(in crate::identity::oauth) expires_at: Timestamp,
        pub(in crate::identity::oauth) user_id: Option<UserId>,
        pub(in crate::identity::oauth) username: Option<String>,
        pub(in crate::identity::oauth) agent_id: Option<AgentId>,
        pub(in crate::identity::oauth) agent: Option<String>,
        pub(in crate::identity::oauth) ended: bool,
    }
}

const FIND: &str = "
    SELECT d.client_id, d.resource, d.status, d.interval_seconds, d.polled_at, d.expires_at,
           d.user_id, o.handle AS username, d.agent_id, a.handle AS agent,
           (u.disabled_at IS NOT NULL OR o.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL) AS ended
      FROM oauth_device_codes d
      LEFT JOIN users u ON u.id = d.user_id
      LEFT JOIN participants o ON o.id = d.user_id
      LEFT JOIN participants a ON a.id = d.agent_id
     WHERE d.device_code_hash = $1";

const SWEEP: &str = "
    DELETE FROM oauth_device_codes
     WHERE device_code_hash IN
           (SELECT device_code_hash FROM oauth_device_codes WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";

pub(super) const LISTED: &[(&str, &str)] = &[("oauth_device_codes.find", FIND), ("oauth_device_codes.sweep", SWEEP)];

/// A row to insert.
pub(in crate::identity::oauth) struct NewDevice<'a> {
    pub(in crate::identity::oauth) hash: &'a [u8],
    pub(in crate::identity::oauth) user_code: &'a str,
    pub(in crate::identity::oauth) client_id: &'a str,
    pub(in crate::identity::oauth) scope: &'a str,
    pub(in crate::identity::oauth) resource: Option<&'a str>,
    pub(in crate::identity::oauth) interval_seconds: u32,
    pub(in crate::identity::oauth) expires_at: Timestamp,
}

/// Inserts a device authorization. Returns whether the user code was free.
pub(in crate::identity::oauth) async fn insert(tx: &mut Tx, new: NewDevice<'_>) -> Result<bool> {
    let now = tx.now();
    let inserted = tx
        .query(
            "INSERT INTO oauth_device_codes
                (device_code_hash, user_code, client_id, scope, resource, status, interval_seconds,
                 created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (user_code) DO NOTHING",
        )
        .bind(new.hash)
        .bind(new.user_code)
        .bind(new.client_id)
        .bind(new.scope)
        .bind(new.resource)
        .bind(DeviceStatus::Pending)
        .bind(new.interval_seconds)
        .bind(now)
        .bind(new.expires_at)
        .execute()
        .await?;
    Ok(inserted == 1)
}

/// The client of the pending device authorization with this user code.
pub(in crate::identity::oauth) async fn waiting(tx: &mut Tx, user_code: &str) -> Result<Option<(String,)>> {
    let now = tx.now();
    tx.query(
        "SELECT client_id
           FROM oauth_device_codes
          WHERE user_code = $1 AND status = 'pending' AND expires_at > $2",
    )
    .bind(user_code)
    .bind(now)
    .fetch_optional()
    .await
}

/// Approves or denies a device authorization. Returns whether it was still pending.
pub(in crate::identity::oauth) async fn decide(
    tx: &mut Tx,
    user_code: &str,
    status: DeviceStatus,
    user: UserId,
    agent: Option<AgentId>,
) -> Result<bool> {
    let now = tx.now();
    let decided = tx
        .query(
            "UPDATE oauth_device_codes
                SET status = $2, user_id = $3, agent_id = $4
              WHERE user_code = $1 AND status = 'pending' AND expires_at > $5",
        )
        .bind(user_code)
        .bind(status)
        .bind(user)
        .bind(agent)
        .bind(now)
        .execute()
        .await?;
    Ok(decided == 1)
}

/// Locks the row, so that concurrent polls of a device are serialized.
pub(in crate::identity::oauth) async fn lock(tx: &mut Tx, hash: &[u8]) -> Result<Option<FoundDevice>> {
    tx.query("UPDATE oauth_device_codes SET status = status WHERE device_code_hash = $1").bind(hash).execute().await?;
    tx.query(FIND).bind(hash).fetch_optional().await
}

/// Records a poll, and the new poll interval.
pub(in crate::identity::oauth) async fn note_poll(tx: &mut Tx, hash: &[u8], interval_seconds: u32) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE oauth_device_codes SET polled_at = $2, interval_seconds = $3 WHERE device_code_hash = $1")
        .bind(hash)
        .bind(now)
        .bind(interval_seconds)
        .execute()
        .await?;
    Ok(())
}

pub(in crate::identity::oauth) async fn mark_used(tx: &mut Tx, hash: &[u8]) -> Result<()> {
    tx.query("UPDATE oauth_device_codes SET status = $2 WHERE device_code_hash = $1")
        .bind(hash)
        .bind(DeviceStatus::Used)
        .execute()
        .await?;
    Ok(())
}

pub(in crate::identity::oauth) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}
