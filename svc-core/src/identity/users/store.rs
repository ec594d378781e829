//! The SQL of accounts and invitations.

use svc_model::participants::ParticipantKind;
use svc_model::users::{Role, User};

use crate::error::Result;
use crate::identity::participants::{self, NewParticipant};
use crate::ids::{InviteId, UserId};
use crate::limits;
use crate::page::Page;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// An account with its login data.
    #[derive(Clone)]
    pub(crate) struct Login {
        pub(crate) id: UserId,
        pub(crate) username: String,
        pub(crate) display_name: String,
        pub(crate) role: Role,
        pub(crate) created_at: Timestamp,
        pub(crate) disabled_at: Option<Timestamp>,
        pub(crate) password_hash: Option<String>,
        pub(crate) password_changed_at: Timestamp,
    }
}

impl Login {
    pub(crate) fn into_user(self) -> User {
        let Self { id, username, display_name, role, created_at, disabled_at, .. } = self;
        User { id, username, display_name, role, created_at, disabled_at }
    }
}

const FIND: &str = "
    SELECT u.id, p.handle AS username, p.display_name, u.role, p.created_at, u.disabled_at
      FROM participants p
      JOIN users u ON u.id = p.id
     WHERE p.handle_key = $1 AND p.deleted_at IS NULL";

const FIND_LOGIN: &str = "
    SELECT u.id, p.handle AS username, p.display_name, u.role, p.created_at, u.disabled_at, u.password_hash,
           u.password_changed_at
      FROM participants p
      JOIN users u ON u.id = p.id
     WHERE p.handle_key = $1 AND p.deleted_at IS NULL";

const GET: &str = "
    SELECT u.id, p.handle AS username, p.display_name, u.role, p.created_at, u.disabled_at
      FROM users u
      JOIN participants p ON p.id = u.id
     WHERE u.id = $1 AND p.deleted_at IS NULL";

const LIST: &str = "
    SELECT u.id, p.handle AS username, p.display_name, u.role, p.created_at, u.disabled_at
      FROM participants p
      JOIN users u ON u.id = p.id
     WHERE p.deleted_at IS NULL
       AND ($1 = '' OR p.handle_key LIKE $1 ESCAPE '\\' OR lower(p.display_name) LIKE $1 ESCAPE '\\')
     ORDER BY p.handle_key
     LIMIT $2 OFFSET $3";

const COUNT: &str = "
    SELECT count(*)
      FROM participants p
      JOIN users u ON u.id = p.id
     WHERE p.deleted_at IS NULL
       AND ($1 = '' OR p.handle_key LIKE $1 ESCAPE '\\' OR lower(p.display_name) LIKE $1 ESCAPE '\\')";

const SWEEP_INVITES: &str = "
    DELETE FROM invites
     WHERE id IN (SELECT id FROM invites WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";

const SWEEP_RESETS: &str = "
    DELETE FROM password_resets
     WHERE id IN (SELECT id FROM password_resets WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";

/// The statements over growing tables, for the test of query plans.
pub(crate) const LISTED: &[(&str, &str)] = &[("invites.sweep", SWEEP_INVITES)];

pub(crate) async fn find(tx: &mut Tx, username: &str) -> Result<Option<User>> {
    tx.query(FIND).bind(username.to_ascii_lowercase()).fetch_optional().await
}

pub(crate) async fn find_login(tx: &mut Tx, username: &str) -> Result<Option<Login>> {
    tx.query(FIND_LOGIN).bind(username.to_ascii_lowercase()).fetch_optional().await
}

pub(crate) async fn get(tx: &mut Tx, id: UserId) -> Result<Option<User>> {
    tx.query(GET).bind(id).fetch_optional().await
}

/// The accounts that match a `LIKE` pattern; an empty text allows all.
pub(super) async fn list(tx: &mut Tx, pattern: &str, page: Page) -> Result<Vec<User>> {
    tx.query(LIST).bind(pattern).bind(page.limit()).bind(page.offset()).fetch_all().await
}

/// The number of accounts that match a pattern; see [`list`].
pub(super) async fn count(tx: &mut Tx, pattern: &str) -> Result<i64> {
    tx.query(COUNT).bind(pattern).fetch_value().await
}

/// A row to insert.
pub(crate) struct NewRow<'a> {
    pub(crate) username: &'a str,
    pub(crate) display_name: &'a str,
    pub(crate) role: Role,
    pub(crate) password_hash: &'a str,
}

/// Inserts an account; `None` when the handle is taken.
pub(crate) async fn insert(tx: &mut Tx, new: NewRow<'_>) -> Result<Option<User>> {
    let participant =
        NewParticipant { kind: ParticipantKind::Human, handle: new.username, display_name: new.display_name };
    let Some(id) = participants::insert(tx, participant).await? else {
        return Ok(None);
    };
    let now = tx.now();
    tx.query("INSERT INTO users (id, password_hash, role, password_changed_at) VALUES ($1, $2, $3, $4)")
        .bind(id)
        .bind(new.password_hash)
        .bind(new.role)
        .bind(now)
        .execute()
        .await?;
    Ok(Some(User {
        id: UserId(id.0),
        username: new.username.to_owned(),
        display_name: new.display_name.to_owned(),
        role: new.role,
        created_at: now,
        disabled_at: None,
    }))
}

pub(crate) async fn set_password(tx: &mut Tx, id: UserId, password_hash: &str) -> Result<()> {
    let now = tx.now();
    // The time also distinguishes consecutive passwords, so it must always increase.
    tx.query(
        "UPDATE users
            SET password_hash = $2,
                password_changed_at = CASE WHEN password_changed_at < $3 THEN $3 ELSE password_changed_at + 1 END
          WHERE id = $1",
    )
    .bind(id)
    .bind(password_hash)
    .bind(now)
    .execute()
    .await?;
    // A link that was made before must not undo this.
    tx.query("DELETE FROM password_resets WHERE user_id = $1").bind(id).execute().await?;
    Ok(())
}

/// Removes the password of an account that stays active, so that nobody can log in until another one is set.
pub(super) async fn withhold_password(tx: &mut Tx, id: UserId) -> Result<()> {
    tx.query("UPDATE users SET password_hash = NULL, password_changed_at = password_changed_at + 1 WHERE id = $1")
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Stores a link to choose a new password, in place of an earlier one.
pub(super) async fn put_reset(tx: &mut Tx, user: UserId, hash: &[u8], expires_at: Timestamp) -> Result<()> {
    let now = tx.now();
    tx.query("DELETE FROM password_resets WHERE user_id = $1").bind(user).execute().await?;
    tx.query("INSERT INTO password_resets (token_hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)")
        .bind(hash)
        .bind(user)
        .bind(now)
        .bind(expires_at)
        .execute()
        .await?;
    Ok(())
}

/// Finds the account of the link with this hash, if both can still be used.
pub(super) async fn open_reset(tx: &mut Tx, hash: &[u8]) -> Result<Option<User>> {
    let now = tx.now();
    tx.query(
        "SELECT u.id, p.handle AS username, p.display_name, u.role, p.created_at, u.disabled_at
           FROM password_resets r
           JOIN users u ON u.id = r.user_id
           JOIN participants p ON p.id = u.id
          WHERE r.token_hash = $1 AND r.expires_at > $2 AND u.disabled_at IS NULL AND p.deleted_at IS NULL",
    )
    .bind(hash)
    .bind(now)
    .fetch_optional()
    .await
}

/// Uses a link up. Returns whether it was still there; of concurrent calls one succeeds.
pub(super) async fn take_reset(tx: &mut Tx, hash: &[u8]) -> Result<bool> {
    let taken = tx.query("DELETE FROM password_resets WHERE token_hash = $1").bind(hash).execute().await?;
    Ok(taken == 1)
}

pub(crate) async fn sweep_resets(tx: &mut Tx, limit: u32) -> Result<u64> {
    let now = tx.now();
    tx.query(SWEEP_RESETS).bind(now).bind(limit).execute().await
}

/// Locks the account, so that its changes are serialized.
pub(crate) async fn hold(tx: &mut Tx, id: UserId) -> Result<()> {
    tx.query("UPDATE users SET role = role WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Locks the account if it is active and its password has not changed since it was read.
pub(crate) async fn hold_unchanged(tx: &mut Tx, login: &Login) -> Result<bool> {
    let held = tx
        .query(
            "UPDATE users SET role = role
              WHERE id = $1 AND password_changed_at = $2 AND disabled_at IS NULL AND password_hash IS NOT NULL",
        )
        .bind(login.id)
        .bind(login.password_changed_at)
        .execute()
        .await?;
    Ok(held == 1)
}

/// Replaces a hash with another one of the same password.
pub(crate) async fn refresh_hash(tx: &mut Tx, id: UserId, old: &str, new: &str) -> Result<()> {
    tx.query("UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2")
        .bind(id)
        .bind(old)
        .bind(new)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn set_role(tx: &mut Tx, id: UserId, role: Role) -> Result<()> {
    tx.query("UPDATE users SET role = $2 WHERE id = $1").bind(id).bind(role).execute().await?;
    Ok(())
}

pub(super) async fn set_disabled(tx: &mut Tx, id: UserId, disabled_at: Option<Timestamp>) -> Result<()> {
    tx.query("UPDATE users SET disabled_at = $2 WHERE id = $1").bind(id).bind(disabled_at).execute().await?;
    Ok(())
}

/// Removes the password, so that nobody can log in to the account.
pub(crate) async fn forget_password(tx: &mut Tx, id: UserId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE users SET password_hash = NULL, disabled_at = coalesce(disabled_at, $2) WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Counts the admins who can log in, besides this account. The rows of all are locked first, so that two who leave at
/// once do not each rely on the other.
pub(super) async fn count_other_admins(tx: &mut Tx, leaving: UserId) -> Result<i64> {
    tx.query("UPDATE users SET role = role WHERE role = 'admin'").execute().await?;
    tx.query(
        "SELECT count(*)
           FROM users u
           JOIN participants p ON p.id = u.id
          WHERE u.role = 'admin' AND u.id <> $1 AND u.disabled_at IS NULL AND u.password_hash IS NOT NULL
            AND p.deleted_at IS NULL",
    )
    .bind(leaving)
    .fetch_value()
    .await
}

crate::row! {
    /// An invitation with the names of the accounts that it refers to.
    pub(super) struct InviteRow {
        pub(super) id: InviteId,
        pub(super) role: Role,
        pub(super) note: Option<String>,
        pub(super) created_by: Option<String>,
        pub(super) created_at: Timestamp,
        pub(super) expires_at: Timestamp,
        pub(super) redeemed_at: Option<Timestamp>,
        pub(super) redeemed_by: Option<String>,
        pub(super) revoked_at: Option<Timestamp>,
    }
}

/// An invitation to insert.
pub(super) struct NewInviteRow<'a> {
    pub(super) hash: &'a [u8],
    pub(super) role: Role,
    pub(super) note: Option<&'a str>,
    pub(super) created_by: Option<UserId>,
    pub(super) expires_at: Timestamp,
}

pub(super) async fn insert_invite(tx: &mut Tx, new: NewInviteRow<'_>) -> Result<InviteId> {
    let now = tx.now();
    tx.query(
        "INSERT INTO invites (token_hash, role, created_at, expires_at, note, created_by)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(new.hash)
    .bind(new.role)
    .bind(now)
    .bind(new.expires_at)
    .bind(new.note)
    .bind(new.created_by)
    .insert("id")
    .await
}

pub(super) async fn list_invites(tx: &mut Tx, page: Page) -> Result<Vec<InviteRow>> {
    tx.query(
        "SELECT i.id, i.role, i.note, c.handle AS created_by, i.created_at, i.expires_at, i.redeemed_at,
                r.handle AS redeemed_by, i.revoked_at
           FROM invites i
           LEFT JOIN participants c ON c.id = i.created_by
           LEFT JOIN participants r ON r.id = i.redeemed_by
          ORDER BY i.id DESC
          LIMIT $1 OFFSET $2",
    )
    .bind(page.limit())
    .bind(page.offset())
    .fetch_all()
    .await
}

pub(super) async fn find_invite(tx: &mut Tx, id: InviteId) -> Result<Option<InviteRow>> {
    tx.query(
        "SELECT i.id, i.role, i.note, c.handle AS created_by, i.created_at, i.expires_at, i.redeemed_at,
                r.handle AS redeemed_by, i.revoked_at
           FROM invites i
           LEFT JOIN participants c ON c.id = i.created_by
           LEFT JOIN participants r ON r.id = i.redeemed_by
          WHERE i.id = $1",
    )
    .bind(id)
    .fetch_optional()
    .await
}

pub(super) async fn count_invites(tx: &mut Tx) -> Result<i64> {
    tx.query("SELECT count(*) FROM invites").fetch_value().await
}

/// Counts the invitations that can be redeemed.
pub(super) async fn count_open_invites(tx: &mut Tx) -> Result<i64> {
    let now = tx.now();
    tx.query("SELECT count(*) FROM invites WHERE expires_at > $1 AND redeemed_at IS NULL").bind(now).fetch_value().await
}

/// Finds the invitation with this hash, if it can still be redeemed.
pub(super) async fn open_invite(tx: &mut Tx, hash: &[u8]) -> Result<Option<(InviteId, Role)>> {
    let now = tx.now();
    tx.query(
        "SELECT id, role FROM invites
          WHERE token_hash = $1 AND redeemed_at IS NULL AND revoked_at IS NULL AND expires_at > $2",
    )
    .bind(hash)
    .bind(now)
    .fetch_optional()
    .await
}

/// Redeems an invitation. Returns whether it was still open; of concurrent calls one succeeds.
pub(super) async fn close_invite(tx: &mut Tx, id: InviteId, by: UserId) -> Result<bool> {
    let now = tx.now();
    let closed = tx
        .query(
            "UPDATE invites SET redeemed_at = $2, redeemed_by = $3
              WHERE id = $1 AND redeemed_at IS NULL AND revoked_at IS NULL",
        )
        .bind(id)
        .bind(now)
        .bind(by)
        .execute()
        .await?;
    Ok(closed == 1)
}

/// Revokes an invitation. Returns whether it could still be redeemed.
pub(super) async fn revoke_invite(tx: &mut Tx, id: InviteId) -> Result<bool> {
    let now = tx.now();
    let revoked = tx
        .query(
            "UPDATE invites SET revoked_at = $2, expires_at = $2
              WHERE id = $1 AND redeemed_at IS NULL AND revoked_at IS NULL AND expires_at > $2",
        )
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(revoked == 1)
}

pub(crate) async fn sweep_invites(tx: &mut Tx, limit: u32) -> Result<u64> {
    let before = tx.now().minus(limits::INVITE_KEPT);
    tx.query(SWEEP_INVITES).bind(before).bind(limit).execute().await
}
