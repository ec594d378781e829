//! The SQL of grants: the approval of a client by a user, with all tokens issued for it.

use svc_model::oauth::Grant;

use crate::error::Result;
use crate::ids::{AgentId, GrantId, UserId};
use crate::page::Page;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

const SWEEP: &str = "
    DELETE FROM oauth_grants
     WHERE id IN (SELECT id FROM oauth_grants WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";

const OF_USER: &str = "
    SELECT g.id, g.client_id, c.name AS client_name, a.handle AS agent, g.created_at, g.expires_at
      FROM oauth_grants g
      JOIN oauth_clients c ON c.client_id = g.client_id
      JOIN participants a ON a.id = g.agent_id
     WHERE g.user_id = $1 AND g.revoked_at IS NULL AND g.expires_at > $2
     ORDER BY g.id DESC
     LIMIT $3 OFFSET $4";

/// A code that was not exchanged yet counts like its grant.
const APPROVED: &str = "
    SELECT (SELECT count(*) FROM oauth_grants WHERE client_id = $1 AND user_id = $2 AND revoked_at IS NULL)
         + (SELECT count(*) FROM oauth_codes WHERE client_id = $1 AND user_id = $2 AND grant_id IS NULL)";

const END_OF_USER: &str = "UPDATE oauth_grants SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL";
const END_OF_AGENT: &str = "UPDATE oauth_grants SET revoked_at = $2 WHERE agent_id = $1 AND revoked_at IS NULL";

pub(super) const LISTED: &[(&str, &str)] = &[
    ("oauth_grants.sweep", SWEEP),
    ("oauth_grants.of_user", OF_USER),
    ("oauth_grants.approved", APPROVED),
    ("oauth_grants.end_of_user", END_OF_USER),
    ("oauth_grants.end_of_agent", END_OF_AGENT),
];

/// Whether this user has approved this client and has not revoked it.
pub(in crate::identity::oauth) async fn is_approved(tx: &mut Tx, user: UserId, client_id: &str) -> Result<bool> {
    let approvals: i64 = tx.query(APPROVED).bind(client_id).bind(user).fetch_value().await?;
    Ok(approvals > 0)
}

pub(in crate::identity::oauth) async fn of_user(tx: &mut Tx, user: UserId, page: Page) -> Result<Vec<Grant>> {
    let now = tx.now();
    tx.query(OF_USER).bind(user).bind(now).bind(page.limit()).bind(page.offset()).fetch_all().await
}

pub(in crate::identity::oauth) async fn count_of_user(tx: &mut Tx, user: UserId) -> Result<i64> {
    let now = tx.now();
    tx.query("SELECT count(*) FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2")
        .bind(user)
        .bind(now)
        .fetch_value()
        .await
}

/// The client of a grant, if the grant belongs to this user.
pub(in crate::identity::oauth) async fn client_of(tx: &mut Tx, user: UserId, id: GrantId) -> Result<Option<String>> {
    let found = tx
        .query("SELECT client_id FROM oauth_grants WHERE id = $1 AND user_id = $2")
        .bind(id)
        .bind(user)
        .fetch_optional()
        .await?;
    Ok(found.map(|(client_id,)| client_id))
}

/// A row to insert.
pub(in crate::identity::oauth) struct NewGrant<'a> {
    pub(in crate::identity::oauth) client_id: &'a str,
    pub(in crate::identity::oauth) user: UserId,
    pub(in crate::identity::oauth) agent: AgentId,
    pub(in crate::identity::oauth) scope: &'a str,
    pub(in crate::identity::oauth) resource: Option<&'a str>,
    pub(in crate::identity::oauth) expires_at: Timestamp,
}

pub(in crate::identity::oauth) async fn insert(tx: &mut Tx, new: NewGrant<'_>) -> Result<GrantId> {
    let now = tx.now();
    tx.query(
        "INSERT INTO oauth_grants (client_id, user_id, agent_id, scope, resource, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(new.client_id)
    .bind(new.user)
    .bind(new.agent)
    .bind(new.scope)
    .bind(new.resource)
    .bind(now)
    .bind(new.expires_at)
    .insert("id")
    .await
}

/// Locks a grant, so that its changes are serialized.
pub(in crate::identity::oauth) async fn lock(tx: &mut Tx, id: GrantId) -> Result<()> {
    tx.query("UPDATE oauth_grants SET expires_at = expires_at WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Extends a grant: it expires with its newest refresh token.
pub(in crate::identity::oauth) async fn extend(tx: &mut Tx, id: GrantId, expires_at: Timestamp) -> Result<()> {
    tx.query("UPDATE oauth_grants SET expires_at = $2 WHERE id = $1").bind(id).bind(expires_at).execute().await?;
    Ok(())
}

/// Revokes a grant. Returns whether it was active.
pub(in crate::identity::oauth) async fn revoke(tx: &mut Tx, id: GrantId) -> Result<bool> {
    let now = tx.now();
    let ended = tx
        .query("UPDATE oauth_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(ended == 1)
}

pub(in crate::identity::oauth) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}

/// Revokes all grants of a user.
pub(crate) async fn end_grants_of_user(tx: &mut Tx, user: UserId) -> Result<u64> {
    let now = tx.now();
    tx.query(END_OF_USER).bind(user).bind(now).execute().await
}

/// Revokes all grants of a user. Returns each with its client.
pub(in crate::identity::oauth) async fn end_each_of_user(tx: &mut Tx, user: UserId) -> Result<Vec<(GrantId, String)>> {
    let now = tx.now();
    tx.query(format!("{END_OF_USER} RETURNING id, client_id")).bind(user).bind(now).fetch_all().await
}

/// Revokes all grants for an agent. A client with client credentials for it gets no more tokens, because the
/// agent must be active.
pub(crate) async fn end_grants_of_agent(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    let now = tx.now();
    tx.query(END_OF_AGENT).bind(agent).bind(now).execute().await
}
