//! The SQL of API keys.

use svc_model::api_keys::{ApiKey, ApiKeyFilter, KeyKind, KeyStatus, McpProfile, NewApiKey};
use svc_model::auth::Permission;

use crate::error::Result;
use crate::identity::auth::Token;
use crate::ids::{AgentId, ApiKeyId, UserId};
use crate::limits;
use crate::store::db::{Json, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    struct KeyRow {
        id: ApiKeyId,
        key_id: String,
        kind: KeyKind,
        name: String,
        owner: String,
        agent: Option<String>,
        permissions: Json<Vec<Permission>>,
        allowed_channels: Json<Vec<String>>,
        mcp_profile: McpProfile,
        created_at: Timestamp,
        expires_at: Option<Timestamp>,
        used_at: Option<Timestamp>,
        revoked_at: Option<Timestamp>,
    }
}

const LIST: &str = "
    SELECT k.id, k.key_id, k.kind, k.name, o.handle AS owner, a.handle AS agent, k.permissions,
           k.allowed_channels, k.mcp_profile, k.created_at, k.expires_at, k.used_at, k.revoked_at
      FROM api_keys k
      JOIN participants o ON o.id = k.owner_id
      LEFT JOIN participants a ON a.id = k.agent_id
     WHERE k.owner_id = $1
       AND k.kind = 'managed'
       AND ($2 IS NULL OR (k.revoked_at IS NOT NULL) = $2)
     ORDER BY k.id DESC
     LIMIT $3 OFFSET $4";

/// Lists the keys of all users, including agent keys, for an operator.
const LIST_ALL: &str = "
    SELECT k.id, k.key_id, k.kind, k.name, o.handle AS owner, a.handle AS agent, k.permissions,
           k.allowed_channels, k.mcp_profile, k.created_at, k.expires_at, k.used_at, k.revoked_at
      FROM api_keys k
      JOIN participants o ON o.id = k.owner_id
      LEFT JOIN participants a ON a.id = k.agent_id
     WHERE ($1 IS NULL OR k.owner_id = $1)
       AND ($2 IS NULL OR (k.revoked_at IS NOT NULL) = $2)
     ORDER BY k.id DESC
     LIMIT $3 OFFSET $4";

const FIND: &str = "
    SELECT k.id, k.key_id, k.kind, k.name, o.handle AS owner, a.handle AS agent, k.permissions,
           k.allowed_channels, k.mcp_profile, k.created_at, k.expires_at, k.used_at, k.revoked_at
      FROM api_keys k
      JOIN participants o ON o.id = k.owner_id
      LEFT JOIN participants a ON a.id = k.agent_id
     WHERE k.id = $1 AND ($2 IS NULL OR (k.owner_id = $2 AND k.kind = 'managed'))";

/// The statements over growing tables, for the test of query plans.
pub(crate) const LISTED: &[(&str, &str)] =
    &[("api_keys.list", LIST), ("api_keys.active", COUNT_ACTIVE), ("api_keys.sweep", SWEEP)];

const COUNT_ACTIVE: &str =
    "SELECT count(*) FROM api_keys WHERE owner_id = $1 AND kind = 'managed' AND revoked_at IS NULL";

const SWEEP: &str = "
    DELETE FROM api_keys
     WHERE id IN
           (SELECT id FROM api_keys WHERE revoked_at IS NOT NULL AND revoked_at < $1 ORDER BY revoked_at LIMIT $2)";

/// The keys that a caller can access: the managed keys of one user, or all keys of both kinds.
pub(super) type Owner = Option<UserId>;

impl From<KeyRow> for ApiKey {
    fn from(row: KeyRow) -> Self {
        let prefix = match row.kind {
            KeyKind::Agent => "svca_",
            KeyKind::Managed => "svck_",
        };
        Self {
            id: row.id,
            name: row.name,
            kind: row.kind,
            owner: row.owner,
            agent: row.agent,
            permissions: row.permissions.0,
            allowed_channels: row.allowed_channels.0,
            mcp_profile: row.mcp_profile,
            status: if row.revoked_at.is_some() { KeyStatus::Revoked } else { KeyStatus::Active },
            prefix: format!("{prefix}{}", row.key_id),
            created_at: row.created_at,
            expires_at: row.expires_at,
            last_used_at: row.used_at,
            revoked_at: row.revoked_at,
        }
    }
}

pub(super) async fn find(tx: &mut Tx, owner: Owner, id: ApiKeyId) -> Result<Option<ApiKey>> {
    let row: Option<KeyRow> = tx.query(FIND).bind(id).bind(owner).fetch_optional().await?;
    Ok(row.map(ApiKey::from))
}

fn revoked(filter: &ApiKeyFilter) -> Option<bool> {
    filter.status.map(|status| status == KeyStatus::Revoked)
}

pub(super) async fn list(tx: &mut Tx, owner: UserId, filter: &ApiKeyFilter) -> Result<Vec<ApiKey>> {
    page(tx, LIST, Some(owner), filter).await
}

pub(super) async fn list_all(tx: &mut Tx, owner: Owner, filter: &ApiKeyFilter) -> Result<Vec<ApiKey>> {
    page(tx, LIST_ALL, owner, filter).await
}

async fn page(tx: &mut Tx, text: &'static str, owner: Owner, filter: &ApiKeyFilter) -> Result<Vec<ApiKey>> {
    let rows: Vec<KeyRow> = tx
        .query(text)
        .bind(owner)
        .bind(revoked(filter))
        .bind(filter.page.limit())
        .bind(filter.page.offset())
        .fetch_all()
        .await?;
    Ok(rows.into_iter().map(ApiKey::from).collect())
}

/// Counts all rows of a list; `kind` narrows it.
pub(super) async fn count(tx: &mut Tx, owner: Owner, kind: Option<KeyKind>, filter: &ApiKeyFilter) -> Result<i64> {
    tx.query(
        "SELECT count(*)
           FROM api_keys k
          WHERE ($1 IS NULL OR k.owner_id = $1)
            AND ($2 IS NULL OR k.kind = $2)
            AND ($3 IS NULL OR (k.revoked_at IS NOT NULL) = $3)",
    )
    .bind(owner)
    .bind(kind)
    .bind(revoked(filter))
    .fetch_value()
    .await
}

/// Counts the active managed keys of a user.
pub(super) async fn count_active(tx: &mut Tx, owner: UserId) -> Result<i64> {
    tx.query(COUNT_ACTIVE).bind(owner).fetch_value().await
}

/// Removes keys that were revoked long ago; the audit log keeps their entries.
pub(crate) async fn sweep(tx: &mut Tx, limit: u32) -> Result<u64> {
    let before = tx.now().minus(limits::REVOKED_KEY_KEPT);
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}

struct NewRow<'a> {
    token: &'a Token,
    kind: KeyKind,
    owner: UserId,
    agent: Option<AgentId>,
    name: &'a str,
    permissions: Vec<Permission>,
    allowed_channels: Vec<String>,
    expires_at: Option<Timestamp>,
    mcp_profile: McpProfile,
}

async fn insert(tx: &mut Tx, new: NewRow<'_>) -> Result<ApiKeyId> {
    let now = tx.now();
    tx.query(
        "INSERT INTO api_keys
            (key_id, secret_hash, kind, owner_id, agent_id, name, permissions, allowed_channels, created_at,
             expires_at, mcp_profile)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(new.token.key_id())
    .bind(new.token.hash())
    .bind(new.kind)
    .bind(new.owner)
    .bind(new.agent)
    .bind(new.name)
    .bind(Json(new.permissions))
    .bind(Json(new.allowed_channels))
    .bind(now)
    .bind(new.expires_at)
    .bind(new.mcp_profile)
    .insert("id")
    .await
}

pub(crate) async fn insert_agent_key(
    tx: &mut Tx,
    owner: UserId,
    agent: AgentId,
    name: &str,
    mcp_profile: McpProfile,
    token: &Token,
) -> Result<ApiKeyId> {
    let row = NewRow {
        token,
        kind: KeyKind::Agent,
        owner,
        agent: Some(agent),
        name,
        permissions: vec![Permission::Read, Permission::Write],
        allowed_channels: Vec::new(),
        expires_at: None,
        mcp_profile,
    };
    insert(tx, row).await
}

pub(super) async fn insert_managed(
    tx: &mut Tx,
    owner: UserId,
    agent: Option<AgentId>,
    new: &NewApiKey,
    token: &Token,
) -> Result<ApiKeyId> {
    let row = NewRow {
        token,
        kind: KeyKind::Managed,
        owner,
        agent,
        name: &new.name,
        permissions: new.permissions.clone(),
        allowed_channels: new.allowed_channels.clone().unwrap_or_default(),
        expires_at: new.expires_at,
        mcp_profile: new.mcp_profile.unwrap_or_default(),
    };
    insert(tx, row).await
}

/// The MCP profile of an agent's newest own key.
pub(crate) async fn agent_profile(tx: &mut Tx, agent: AgentId) -> Result<Option<McpProfile>> {
    let found: Option<(McpProfile,)> = tx
        .query("SELECT mcp_profile FROM api_keys WHERE agent_id = $1 AND kind = 'agent' ORDER BY id DESC LIMIT 1")
        .bind(agent)
        .fetch_optional()
        .await?;
    Ok(found.map(|(profile,)| profile))
}

/// Sets the MCP profile of an agent's newest own key.
pub(crate) async fn set_agent_profile(tx: &mut Tx, agent: AgentId, profile: McpProfile) -> Result<()> {
    tx.query(
        "UPDATE api_keys
            SET mcp_profile = $2
          WHERE id = (SELECT max(k.id) FROM api_keys k WHERE k.agent_id = $1 AND k.kind = 'agent')",
    )
    .bind(agent)
    .bind(profile)
    .execute()
    .await?;
    Ok(())
}

pub(crate) async fn note_use(tx: &mut Tx, id: ApiKeyId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE api_keys SET used_at = $2 WHERE id = $1").bind(id).bind(now).execute().await?;
    Ok(())
}

/// Revokes a key. Returns whether it was active.
pub(super) async fn revoke(tx: &mut Tx, id: ApiKeyId) -> Result<bool> {
    let now = tx.now();
    let revoked = tx
        .query("UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(revoked == 1)
}

/// Revokes the agent's own key.
pub(crate) async fn revoke_agent_key(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    let now = tx.now();
    tx.query("UPDATE api_keys SET revoked_at = $2 WHERE agent_id = $1 AND kind = 'agent' AND revoked_at IS NULL")
        .bind(agent)
        .bind(now)
        .execute()
        .await
}

/// Revokes every key that acts as an agent.
pub(crate) async fn revoke_all_of_agent(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    let now = tx.now();
    tx.query("UPDATE api_keys SET revoked_at = $2 WHERE agent_id = $1 AND revoked_at IS NULL")
        .bind(agent)
        .bind(now)
        .execute()
        .await
}

/// Revokes every managed key of a user. Returns their ids.
pub(super) async fn revoke_managed_of_owner(tx: &mut Tx, owner: UserId) -> Result<Vec<ApiKeyId>> {
    let now = tx.now();
    let ended: Vec<(ApiKeyId,)> = tx
        .query(
            "UPDATE api_keys SET revoked_at = $2
              WHERE owner_id = $1 AND kind = 'managed' AND revoked_at IS NULL
              RETURNING id",
        )
        .bind(owner)
        .bind(now)
        .fetch_all()
        .await?;
    Ok(ended.into_iter().map(|(id,)| id).collect())
}

/// Revokes every key of a user.
pub(crate) async fn revoke_all_of_owner(tx: &mut Tx, owner: UserId) -> Result<u64> {
    let now = tx.now();
    tx.query("UPDATE api_keys SET revoked_at = $2 WHERE owner_id = $1 AND revoked_at IS NULL")
        .bind(owner)
        .bind(now)
        .execute()
        .await
}
