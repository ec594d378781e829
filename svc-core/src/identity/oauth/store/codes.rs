//! The SQL of authorization codes.

use crate::error::Result;
use crate::ids::{AgentId, GrantId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A code with its user, agent and client.
    pub(in crate::identity::oauth) struct FoundCode {
        pub(in crate::identity::oauth) client_id: String,
        pub(in crate::identity::oauth) redirect_uri: String,
        pub(in crate::identity::oauth) code_challenge: String,
        pub(in crate::identity::oauth) resource: Option<String>,
        pub(in crate::identity::oauth) expires_at: Timestamp,
        pub(in crate::identity::oauth) grant_id: Option<GrantId>,
        pub(in crate::identity::oauth) user_id: UserId,
        pub(in crate::identity::oauth) username: String,
        pub(in crate::identity::oauth) agent_id: AgentId,
        pub(in crate::identity::oauth) agent: String,
        pub(in crate::identity::oauth) ended: bool,
    }
}

const FIND: &str = "
    SELECT c.client_id, c.redirect_uri, c.code_challenge, c.resource, c.expires_at, c.grant_id,
           c.user_id, o.handle AS username, c.agent_id, a.handle AS agent,
           (u.disabled_at IS NOT NULL OR o.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL) AS ended
      FROM oauth_codes c
      JOIN users u ON u.id = c.user_id
      JOIN participants o ON o.id = c.user_id
      JOIN participants a ON a.id = c.agent_id
     WHERE c.code_hash = $1";

const SWEEP: &str = "
    DELETE FROM oauth_codes
     WHERE code_hash IN (SELECT code_hash FROM oauth_codes WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";

pub(super) const LISTED: &[(&str, &str)] = &[("oauth_codes.find", FIND), ("oauth_codes.sweep", SWEEP)];

/// A row to insert.
pub(in crate::identity::oauth) struct NewCode<'a> {
    pub(in crate::identity::oauth) hash: &'a [u8],
    pub(in crate::identity::oauth) client_id: &'a str,
    pub(in crate::identity::oauth) user: UserId,
    pub(in crate::identity::oauth) agent: AgentId,
    pub(in crate::identity::oauth) redirect_uri: &'a str,
    pub(in crate::identity::oauth) code_challenge: &'a str,
    pub(in crate::identity::oauth) scope: &'a str,
    pub(in crate::identity::oauth) resource: Option<&'a str>,
    pub(in crate::identity::oauth) expires_at: Timestamp,
}

pub(in crate::identity::oauth) async fn insert(tx: &mut Tx, new: NewCode<'_>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO oauth_codes
            (code_hash, client_id, user_id, agent_id, redirect_uri, code_challenge, scope, resource,
             created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(new.hash)
    .bind(new.client_id)
    .bind(new.user)
    .bind(new.agent)
    .bind(new.redirect_uri)
    .bind(new.code_challenge)
    .bind(new.scope)
    .bind(new.resource)
    .bind(now)
    .bind(new.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// Locks the code, so that of two concurrent exchanges the second sees the first.
pub(in crate::identity::oauth) async fn lock(tx: &mut Tx, hash: &[u8]) -> Result<Option<FoundCode>> {
    tx.query("UPDATE oauth_codes SET expires_at = expires_at WHERE code_hash = $1").bind(hash).execute().await?;
    tx.query(FIND).bind(hash).fetch_optional().await
}

/// Records the grant for which a code was exchanged.
pub(in crate::identity::oauth) async fn mark_used(tx: &mut Tx, hash: &[u8], grant: GrantId) -> Result<()> {
    tx.query("UPDATE oauth_codes SET grant_id = $2 WHERE code_hash = $1").bind(hash).bind(grant).execute().await?;
    Ok(())
}

pub(in crate::identity::oauth) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}
