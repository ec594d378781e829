//! The key pair, and the browsers that receive push messages.

use std::time::Duration;

use crate::error::Result;
use crate::ids::{PushSubscriptionId, SessionId, UserId};
use crate::limits;
use crate::messaging::notifications::store::hold_settings;
use crate::store::db::{Query, Tx};
use crate::timestamp::Timestamp;

/// The public key, and the sealed private key.
pub(in crate::insight::push) async fn key_pair(tx: &mut Tx) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    tx.query("SELECT public_key, private_key FROM push_key WHERE id = 1").fetch_optional().await
}

/// Stores a key pair unless another node was first. Returns the one that is stored.
pub(in crate::insight::push) async fn insert_key(
    tx: &mut Tx,
    public_key: &[u8],
    sealed: &[u8],
) -> Result<(Vec<u8>, Vec<u8>)> {
    let now = tx.now();
    tx.query(
        "INSERT INTO push_key (id, public_key, private_key, created_at) VALUES (1, $1, $2, $3)
         ON CONFLICT (id) DO NOTHING",
    )
    .bind(public_key)
    .bind(sealed)
    .bind(now)
    .execute()
    .await?;
    tx.query("SELECT public_key, private_key FROM push_key WHERE id = 1").fetch_one().await
}

crate::row! {
    /// A subscription as it is listed.
    #[derive(Debug, Clone)]
    pub(in crate::insight::push) struct SubscriptionRow {
        pub(in crate::insight::push) id: PushSubscriptionId,
        pub(in crate::insight::push) session_id: SessionId,
        pub(in crate::insight::push) endpoint: String,
        pub(in crate::insight::push) device: String,
        pub(in crate::insight::push) failures: u32,
        pub(in crate::insight::push) last_error: Option<String>,
        pub(in crate::insight::push) last_success_at: Option<Timestamp>,
        pub(in crate::insight::push) created_at: Timestamp,
    }
}

/// SQL condition: a subscription `s` is in force. Its session is there, or has expired by itself within the time since
/// `$3`. `$2` is now. Subscriptions of sessions that were ended are removed soon after, long before these would have
/// expired.
macro_rules! in_force {
    () => {
        "(EXISTS (SELECT 1 FROM sessions e WHERE e.id = s.session_id)
          OR (s.session_expires_at <= $2 AND s.session_expires_at > $3))"
    };
}
pub(super) use in_force;

/// Binds the placeholders `$2` and `$3` of [`in_force`].
pub(super) fn bind_times(query: Query<'_>, now: Timestamp) -> Query<'_> {
    query.bind(now).bind(now.minus(limits::PUSH_AFTER_SESSION))
}

pub(super) const OF_USER: &str = concat!(
    "SELECT s.id, s.session_id, s.endpoint, s.device, s.failures, s.last_error, s.last_success_at, s.created_at
       FROM push_subscriptions s
      WHERE s.user_id = $1 AND ",
    in_force!(),
    " ORDER BY s.id"
);

/// The subscriptions of a user, oldest first.
pub(in crate::insight::push) async fn of_user(tx: &mut Tx, user: UserId) -> Result<Vec<SubscriptionRow>> {
    let now = tx.now();
    bind_times(tx.query(OF_USER).bind(user), now).fetch_all().await
}

/// Removes subscriptions, of one user or of all, whose sessions were ended up to this time. One whose session has
/// expired before stays.
pub(in crate::insight::push) async fn remove_with_sessions(
    tx: &mut Tx,
    user: Option<UserId>,
    at: Timestamp,
) -> Result<()> {
    tx.query(
        "DELETE FROM push_subscriptions AS s
          WHERE ($1 IS NULL OR s.user_id = $1) AND s.session_expires_at > $2
            AND NOT EXISTS (SELECT 1 FROM sessions e WHERE e.id = s.session_id)",
    )
    .bind(user)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

/// Removes subscriptions of a user, and one with this endpoint, that are no longer in force.
pub(in crate::insight::push) async fn remove_ended(tx: &mut Tx, user: UserId, endpoint_hash: &[u8]) -> Result<()> {
    let text = concat!(
        "DELETE FROM push_subscriptions AS s WHERE (s.user_id = $1 OR s.endpoint_hash = $4) AND NOT ",
        in_force!()
    );
    let now = tx.now();
    bind_times(tx.query(text).bind(user), now).bind(endpoint_hash).execute().await?;
    Ok(())
}

/// When a session expires; `None` when it has ended.
pub(in crate::insight::push) async fn session_end(tx: &mut Tx, session: SessionId) -> Result<Option<Timestamp>> {
    let found: Option<(Timestamp,)> =
        tx.query("SELECT expires_at FROM sessions WHERE id = $1").bind(session).fetch_optional().await?;
    Ok(found.map(|(end,)| end))
}

/// A subscription to be stored.
#[derive(Debug, Clone)]
pub(in crate::insight::push) struct NewSubscription {
    pub(in crate::insight::push) user: UserId,
    pub(in crate::insight::push) session: SessionId,
    pub(in crate::insight::push) endpoint: String,
    pub(in crate::insight::push) endpoint_hash: Vec<u8>,
    pub(in crate::insight::push) public_key: Vec<u8>,
    pub(in crate::insight::push) auth: Vec<u8>,
    pub(in crate::insight::push) device: String,
}

crate::row! {
    /// The subscription that already has an endpoint.
    pub(in crate::insight::push) struct Taken {
        pub(in crate::insight::push) id: PushSubscriptionId,
        pub(in crate::insight::push) user_id: UserId,
        pub(in crate::insight::push) public_key: Vec<u8>,
        pub(in crate::insight::push) auth: Vec<u8>,
    }
}

/// Finds and locks the subscription with this endpoint.
pub(in crate::insight::push) async fn taken(tx: &mut Tx, endpoint_hash: &[u8]) -> Result<Option<Taken>> {
    tx.query("UPDATE push_subscriptions SET failures = failures WHERE endpoint_hash = $1")
        .bind(endpoint_hash)
        .execute()
        .await?;
    tx.query("SELECT id, user_id, public_key, auth FROM push_subscriptions WHERE endpoint_hash = $1")
        .bind(endpoint_hash)
        .fetch_optional()
        .await
}

/// Locks the subscriptions of a user for this transaction, so that their number can be limited.
pub(in crate::insight::push) async fn hold_user(tx: &mut Tx, user: UserId) -> Result<()> {
    hold_settings(tx, user).await
}

pub(in crate::insight::push) async fn insert(
    tx: &mut Tx,
    new: &NewSubscription,
    session_end: Timestamp,
) -> Result<PushSubscriptionId> {
    let (now, newest) = (tx.now(), tx.newest_event().await?);
    tx.query(
        "INSERT INTO push_subscriptions
            (user_id, session_id, endpoint, endpoint_hash, public_key, auth, device, after_event, failures, created_at,
             session_expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10)",
    )
    .bind(new.user)
    .bind(new.session)
    .bind(new.endpoint.as_str())
    .bind(new.endpoint_hash.as_slice())
    .bind(new.public_key.as_slice())
    .bind(new.auth.as_slice())
    .bind(new.device.as_str())
    .bind(newest)
    .bind(now)
    .bind(session_end)
    .insert("id")
    .await
}

/// Gives a subscription to a user and a session, with the keys that the browser has now.
pub(in crate::insight::push) async fn replace(
    tx: &mut Tx,
    id: PushSubscriptionId,
    new: &NewSubscription,
    session_end: Timestamp,
    is_moved: bool,
) -> Result<()> {
    let newest = tx.newest_event().await?;
    tx.query(
        "UPDATE push_subscriptions
            SET user_id = $2, session_id = $3, public_key = $4, auth = $5, device = $6, failures = 0,
                last_error = NULL, after_event = CASE WHEN $7 THEN $8 ELSE after_event END, session_expires_at = $9
          WHERE id = $1",
    )
    .bind(id)
    .bind(new.user)
    .bind(new.session)
    .bind(new.public_key.as_slice())
    .bind(new.auth.as_slice())
    .bind(new.device.as_str())
    .bind(is_moved)
    .bind(newest)
    .bind(session_end)
    .execute()
    .await?;
    Ok(())
}

/// Removes a subscription of a user. Returns whether there was one.
pub(in crate::insight::push) async fn remove(tx: &mut Tx, user: UserId, id: PushSubscriptionId) -> Result<bool> {
    let removed =
        tx.query("DELETE FROM push_subscriptions WHERE id = $1 AND user_id = $2").bind(id).bind(user).execute().await?;
    Ok(removed > 0)
}

/// Removes everything of a user.
pub(crate) async fn remove_all_of(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query("DELETE FROM push_subscriptions WHERE user_id = $1").bind(user).execute().await?;
    tx.query("DELETE FROM presence WHERE user_id = $1").bind(user).execute().await?;
    Ok(())
}

crate::row! {
    /// The subscription of an attempt.
    #[derive(Debug, Clone)]
    pub(in crate::insight::push) struct Job {
        pub(in crate::insight::push) id: PushSubscriptionId,
        pub(in crate::insight::push) user_id: UserId,
        pub(in crate::insight::push) endpoint: String,
        pub(in crate::insight::push) public_key: Vec<u8>,
        pub(in crate::insight::push) auth: Vec<u8>,
    }
}

pub(super) const JOB: &str = concat!(
    "SELECT s.id, s.user_id, s.endpoint, s.public_key, s.auth
       FROM push_subscriptions s
       JOIN users u ON u.id = s.user_id
      WHERE s.id = $1 AND u.disabled_at IS NULL AND ",
    in_force!()
);

pub(in crate::insight::push) async fn job(tx: &mut Tx, id: PushSubscriptionId) -> Result<Option<Job>> {
    let now = tx.now();
    bind_times(tx.query(JOB).bind(id), now).fetch_optional().await
}

/// Records a success.
pub(in crate::insight::push) async fn note_success(tx: &mut Tx, id: PushSubscriptionId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE push_subscriptions SET last_success_at = $2, failures = 0, last_error = NULL WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Records a failed attempt.
pub(in crate::insight::push) async fn note_failure(tx: &mut Tx, id: PushSubscriptionId, error: &str) -> Result<()> {
    tx.query("UPDATE push_subscriptions SET failures = failures + 1, last_error = $2 WHERE id = $1")
        .bind(id)
        .bind(error)
        .execute()
        .await?;
    Ok(())
}

/// Removes a subscription that its push service no longer knows, unless the browser has renewed it meanwhile.
pub(in crate::insight::push) async fn remove_gone(tx: &mut Tx, job: &Job) -> Result<()> {
    tx.query("DELETE FROM push_subscriptions WHERE id = $1 AND user_id = $2 AND auth = $3")
        .bind(job.id)
        .bind(job.user_id)
        .bind(job.auth.as_slice())
        .execute()
        .await?;
    Ok(())
}

/// Whether any browser receives push messages of events after the oldest one that was added.
pub(in crate::insight::push) async fn is_any(tx: &mut Tx) -> Result<bool> {
    let found: Option<(i64,)> = tx.query("SELECT 1 FROM push_subscriptions LIMIT 1").fetch_optional().await?;
    Ok(found.is_some())
}

/// Counts a test of a user. Returns the time to wait when there were too many in this minute.
pub(in crate::insight::push) async fn count_test(tx: &mut Tx, user: UserId, most: u32) -> Result<Option<Duration>> {
    let (now, minute) = (tx.now(), Duration::from_mins(1));
    let (tests, since): (u32, Timestamp) = tx
        .query("SELECT tests, tests_since FROM notification_settings WHERE user_id = $1")
        .bind(user)
        .fetch_one()
        .await?;
    // A minute that begins in the future is one of a clock that was set back.
    let is_new = since > now || now.since(since) >= minute;
    if !is_new && tests >= most {
        return Ok(Some(minute.saturating_sub(now.since(since))));
    }
    let (tests, since) = if is_new { (1, now) } else { (tests + 1, since) };
    tx.query("UPDATE notification_settings SET tests = $2, tests_since = $3 WHERE user_id = $1")
        .bind(user)
        .bind(tests)
        .bind(since)
        .execute()
        .await?;
    Ok(None)
}
