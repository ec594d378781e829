//! The SQL of authentication. This file has the statements of bearer credentials: one each, by a unique index.

pub(super) mod backoff;
pub(super) mod hub_keys;

use svc_model::api_keys::McpProfile;
use svc_model::auth::Permission;
use svc_model::users::Role;

use crate::error::Result;
use crate::ids::{AgentId, ApiKeyId, GrantId, RunId, UserId};
use crate::store::db::{Json, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// A key and the identity that it acts as.
    pub(super) struct FoundKey {
        pub(super) id: ApiKeyId,
        pub(super) secret_hash: Vec<u8>,
        pub(super) permissions: Json<Vec<Permission>>,
        pub(super) allowed_channels: Json<Vec<String>>,
        pub(super) mcp_profile: McpProfile,
        pub(super) expires_at: Option<Timestamp>,
        pub(super) used_at: Option<Timestamp>,
        pub(super) revoked_at: Option<Timestamp>,
        pub(super) owner_id: UserId,
        pub(super) owner_name: String,
        pub(super) owner_role: Role,
        pub(super) owner_ended: bool,
        pub(super) agent_id: Option<AgentId>,
        pub(super) agent_name: Option<String>,
        pub(super) agent_deleted_at: Option<Timestamp>,
        pub(super) tools: Option<Json<Vec<String>>>,
    }
}

const FIND_KEY: &str = "
    SELECT k.id, k.secret_hash, k.permissions, k.allowed_channels, k.mcp_profile, k.expires_at, k.used_at, k.revoked_at,
           k.owner_id, o.handle AS owner_name, u.role AS owner_role,
           (u.disabled_at IS NOT NULL OR o.deleted_at IS NOT NULL) AS owner_ended,
           k.agent_id, a.handle AS agent_name, a.deleted_at AS agent_deleted_at,
           (SELECT x.tools FROM agents x WHERE x.id = k.agent_id) AS tools
      FROM api_keys k
      JOIN users u ON u.id = k.owner_id
      JOIN participants o ON o.id = k.owner_id
      LEFT JOIN participants a ON a.id = k.agent_id
     WHERE k.key_id = $1";

pub(super) async fn find_key(tx: &mut Tx, key_id: &str) -> Result<Option<FoundKey>> {
    tx.query(FIND_KEY).bind(key_id).fetch_optional().await
}

crate::row! {
    /// An access token and the identity that it acts as.
    pub(super) struct FoundAccess {
        pub(super) grant_id: GrantId,
        pub(super) client_id: String,
        pub(super) resource: Option<String>,
        pub(super) expires_at: Timestamp,
        pub(super) ended: bool,
        pub(super) owner_id: UserId,
        pub(super) owner_name: String,
        pub(super) agent_id: AgentId,
        pub(super) agent_name: String,
        pub(super) tools: Option<Json<Vec<String>>>,
    }
}

const FIND_ACCESS: &str = "
    SELECT t.grant_id, g.client_id, COALESCE(t.resource, g.resource) AS resource, t.expires_at,
           (t.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL OR u.disabled_at IS NOT NULL
            OR o.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL) AS ended,
           g.user_id AS owner_id, o.handle AS owner_name, g.agent_id, a.handle AS agent_name,
           (SELECT x.tools FROM agents x WHERE x.id = g.agent_id) AS tools
      FROM oauth_tokens t
      JOIN oauth_grants g ON g.id = t.grant_id
      JOIN users u ON u.id = g.user_id
      JOIN participants o ON o.id = g.user_id
      JOIN participants a ON a.id = g.agent_id
     WHERE t.token_hash = $1 AND t.kind = 'access'";

pub(super) async fn find_access(tx: &mut Tx, hash: &[u8]) -> Result<Option<FoundAccess>> {
    tx.query(FIND_ACCESS).bind(hash).fetch_optional().await
}

crate::row! {
    /// The credential of a run and the identity that it acts as.
    pub(super) struct FoundRun {
        pub(super) run_id: RunId,
        pub(super) depth: u32,
        pub(super) running: bool,
        pub(super) ended: bool,
        pub(super) owner_id: UserId,
        pub(super) owner_name: String,
        pub(super) agent_id: AgentId,
        pub(super) agent_name: String,
        pub(super) mcp_profile: Option<McpProfile>,
        pub(super) tools: Option<Json<Vec<String>>>,
    }
}

const FIND_RUN: &str = "
    SELECT c.run_id, r.depth, (r.status = 'running') AS running,
           (u.disabled_at IS NOT NULL OR o.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL) AS ended,
           r.owner_id, o.handle AS owner_name, r.agent_id, a.handle AS agent_name,
           (SELECT k.mcp_profile FROM api_keys k WHERE k.agent_id = r.agent_id AND k.kind = 'agent'
             ORDER BY k.id DESC LIMIT 1) AS mcp_profile,
           (SELECT x.tools FROM agents x WHERE x.id = r.agent_id) AS tools
      FROM run_credentials c
      JOIN reactive_runs r ON r.id = c.run_id
      JOIN users u ON u.id = r.owner_id
      JOIN participants o ON o.id = r.owner_id
      JOIN participants a ON a.id = r.agent_id
     WHERE c.token_hash = $1";

pub(super) async fn find_run(tx: &mut Tx, hash: &[u8]) -> Result<Option<FoundRun>> {
    tx.query(FIND_RUN).bind(hash).fetch_optional().await
}

/// Stores the credential of a run that begins.
pub(crate) async fn insert_run(tx: &mut Tx, run: RunId, hash: &[u8]) -> Result<()> {
    let now = tx.now();
    tx.query("INSERT INTO run_credentials (run_id, token_hash, created_at) VALUES ($1, $2, $3)")
        .bind(run)
        .bind(hash)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Removes the credential of a run that ends.
pub(crate) async fn remove_run(tx: &mut Tx, run: RunId) -> Result<()> {
    tx.query("DELETE FROM run_credentials WHERE run_id = $1").bind(run).execute().await?;
    Ok(())
}

/// Whether a run, and so its credential, still lasts.
pub(crate) async fn run_holds(tx: &mut Tx, run: RunId) -> Result<bool> {
    let query = tx.query("SELECT r.id FROM reactive_runs r WHERE r.id = $1 AND r.status = 'running'").bind(run);
    let found: Option<(RunId,)> = query.fetch_optional().await?;
    Ok(found.is_some())
}
