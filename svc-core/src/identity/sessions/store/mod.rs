//! The SQL of sessions.

pub(super) mod devices;

use svc_model::users::Role;

use crate::error::Result;
use crate::identity::auth::Visit;
use crate::identity::participants;
use crate::ids::{DeviceId, ParticipantId, SessionId, UserId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    pub(super) struct SessionRow {
        pub(super) id: SessionId,
        pub(super) remote_ip: Option<String>,
        pub(super) user_agent: Option<String>,
        pub(super) created_at: Timestamp,
        pub(super) seen_at: Timestamp,
        pub(super) expires_at: Timestamp,
    }
}

crate::row! {
    /// A valid session with its account.
    pub(crate) struct FoundSession {
        pub(crate) id: SessionId,
        pub(crate) seen_at: Timestamp,
        pub(crate) confirmed_at: Timestamp,
        pub(crate) user_id: UserId,
        pub(crate) username: String,
        pub(crate) role: Role,
    }
}

const FIND: &str = "
    SELECT s.id, s.seen_at, s.confirmed_at, s.user_id, p.handle AS username, u.role
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      JOIN participants p ON p.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL AND p.deleted_at IS NULL";

const OF_USER: &str = "
    SELECT id, remote_ip, user_agent, created_at, seen_at, expires_at
      FROM sessions
     WHERE user_id = $1 AND expires_at > $2
     ORDER BY id DESC";

const SWEEP: &str = "
    DELETE FROM sessions
     WHERE id IN (SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

const LISTED: &[(&str, &str)] = &[("sessions.of_user", OF_USER), ("sessions.sweep", SWEEP)];

/// The statements over growing tables, for the test of query plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [LISTED, devices::LISTED].concat()
}

/// Finds the session with this hash, if it is still valid.
pub(crate) async fn find(tx: &mut Tx, hash: &[u8]) -> Result<Option<FoundSession>> {
    let now = tx.now();
    tx.query(FIND).bind(hash).bind(now).fetch_optional().await
}

pub(crate) async fn note_use(tx: &mut Tx, id: SessionId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2").bind(id).bind(now).execute().await?;
    Ok(())
}

pub(super) async fn insert(
    tx: &mut Tx,
    user: UserId,
    hash: &[u8],
    visit: &Visit,
    device: DeviceId,
    expires_at: Timestamp,
) -> Result<SessionId> {
    participants::note_seen(tx, ParticipantId(user.0)).await?;
    let now = tx.now();
    tx.query(
        "INSERT INTO sessions
            (user_id, token_hash, remote_ip, user_agent, created_at, seen_at, confirmed_at, expires_at, device_id)
         VALUES ($1, $2, $3, $4, $5, $5, $5, $6, $7)",
    )
    .bind(user)
    .bind(hash)
    .bind(visit.remote_ip.map(|address| address.to_string()))
    .bind(visit.kept_user_agent())
    .bind(now)
    .bind(expires_at)
    .bind(device)
    .insert("id")
    .await
}

/// Ends the oldest sessions of an account that has reached the maximum.
pub(super) async fn make_room(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query(
        "DELETE FROM sessions
          WHERE id IN (SELECT id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1000 OFFSET $2)",
    )
    .bind(user)
    .bind(limits::SESSIONS_PER_USER - 1)
    .execute()
    .await?;
    Ok(())
}

/// Records that the password was entered in this session. Returns whether the session still exists.
pub(crate) async fn confirm(tx: &mut Tx, user: UserId, id: SessionId) -> Result<bool> {
    let now = tx.now();
    let confirmed = tx
        .query("UPDATE sessions SET confirmed_at = $3 WHERE id = $1 AND user_id = $2 AND expires_at > $3")
        .bind(id)
        .bind(user)
        .bind(now)
        .execute()
        .await?;
    Ok(confirmed == 1)
}

pub(super) async fn of_user(tx: &mut Tx, user: UserId) -> Result<Vec<SessionRow>> {
    let now = tx.now();
    tx.query(OF_USER).bind(user).bind(now).fetch_all().await
}

/// Ends a session. Returns whether it existed.
pub(super) async fn delete(tx: &mut Tx, user: UserId, id: SessionId) -> Result<bool> {
    let ended = tx.query("DELETE FROM sessions WHERE id = $1 AND user_id = $2").bind(id).bind(user).execute().await?;
    Ok(ended == 1)
}

/// Ends all of a user's sessions except `spared`. Returns their ids.
pub(super) async fn delete_all(tx: &mut Tx, user: UserId, spared: Option<SessionId>) -> Result<Vec<SessionId>> {
    let ended: Vec<(SessionId,)> = tx
        .query("DELETE FROM sessions WHERE user_id = $1 AND id <> $2 RETURNING id")
        .bind(user)
        .bind(spared.unwrap_or(SessionId(0)))
        .fetch_all()
        .await?;
    Ok(ended.into_iter().map(|(id,)| id).collect())
}

pub(super) async fn sweep(tx: &mut Tx, limit: u32) -> Result<u64> {
    let now = tx.now();
    tx.query(SWEEP).bind(now).bind(limit).execute().await
}
