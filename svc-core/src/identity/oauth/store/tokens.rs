//! The SQL of access and refresh tokens.

use crate::error::Result;
use crate::identity::auth::Token;
use crate::ids::{GrantId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The kind of a token, as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::identity::oauth) enum Purpose {
    Access,
    Refresh,
}

crate::text_enum! { Purpose { Access => "access", Refresh => "refresh" } }

crate::row! {
    /// A token with its grant.
    pub(in crate::identity::oauth) struct FoundToken {
        pub(in crate::identity::oauth) kind: Purpose,
        pub(in crate::identity::oauth) created_at: Timestamp,
        pub(in crate::identity::oauth) expires_at: Timestamp,
        pub(in crate::identity::oauth) rotated_at: Option<Timestamp>,
        pub(in crate::identity::oauth) salt: Option<Vec<u8>>,
        pub(in crate::identity::oauth) grant_id: GrantId,
        pub(in crate::identity::oauth) client_id: String,
        pub(in crate::identity::oauth) scope: String,
        /// The resource of the token; that of an access token may be narrower than its grant's.
        pub(in crate::identity::oauth) resource: Option<String>,
        pub(in crate::identity::oauth) user_id: UserId,
        pub(in crate::identity::oauth) username: String,
        pub(in crate::identity::oauth) agent: String,
        /// Whether it was revoked, or its user or agent is not active.
        pub(in crate::identity::oauth) ended: bool,
    }
}

const FIND: &str = "
    SELECT t.kind, t.created_at, t.expires_at, t.rotated_at, t.salt, g.id AS grant_id, g.client_id, g.scope,
           COALESCE(t.resource, g.resource) AS resource, g.user_id, o.handle AS username, a.handle AS agent,
           (t.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL OR u.disabled_at IS NOT NULL
            OR o.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL) AS ended
      FROM oauth_tokens t
      JOIN oauth_grants g ON g.id = t.grant_id
      JOIN users u ON u.id = g.user_id
      JOIN participants o ON o.id = g.user_id
      JOIN participants a ON a.id = g.agent_id
     WHERE t.token_hash = $1";

const SWEEP: &str = "
    DELETE FROM oauth_tokens
     WHERE token_hash IN (SELECT token_hash FROM oauth_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";

pub(super) const LISTED: &[(&str, &str)] = &[("oauth_tokens.find", FIND), ("oauth_tokens.sweep", SWEEP)];

pub(in crate::identity::oauth) async fn find(tx: &mut Tx, token: &Token) -> Result<Option<FoundToken>> {
    tx.query(FIND).bind(token.hash()).fetch_optional().await
}

/// A row to insert.
pub(in crate::identity::oauth) struct NewToken<'a> {
    pub(in crate::identity::oauth) grant: GrantId,
    pub(in crate::identity::oauth) kind: Purpose,
    pub(in crate::identity::oauth) token: &'a Token,
    pub(in crate::identity::oauth) resource: Option<&'a str>,
    pub(in crate::identity::oauth) expires_at: Timestamp,
}

pub(in crate::identity::oauth) async fn insert(tx: &mut Tx, new: NewToken<'_>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO oauth_tokens (token_hash, kind, grant_id, resource, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(new.token.hash())
    .bind(new.kind)
    .bind(new.grant)
    .bind(new.resource)
    .bind(now)
    .bind(new.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// Records the use of a refresh token, and the salt of its successors. The salts of earlier tokens are
/// removed, so that their successors can no longer be derived from the store.
pub(in crate::identity::oauth) async fn rotate(tx: &mut Tx, grant: GrantId, token: &Token, salt: &[u8]) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE oauth_tokens SET salt = NULL WHERE grant_id = $1 AND salt IS NOT NULL")
        .bind(grant)
        .execute()
        .await?;
    tx.query("UPDATE oauth_tokens SET rotated_at = $2, salt = $3 WHERE token_hash = $1")
        .bind(token.hash())
        .bind(now)
        .bind(salt)
        .execute()
        .await?;
    Ok(())
}

/// Revokes a token. Returns whether it was active.
pub(in crate::identity::oauth) async fn revoke(tx: &mut Tx, token: &Token) -> Result<bool> {
    let now = tx.now();
    let ended = tx
        .query("UPDATE oauth_tokens SET revoked_at = $2 WHERE token_hash = $1 AND revoked_at IS NULL")
        .bind(token.hash())
        .bind(now)
        .execute()
        .await?;
    Ok(ended == 1)
}

pub(in crate::identity::oauth) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}
