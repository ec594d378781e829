//! The SQL of onboarding: the newest trace and key use of an agent.

use super::connection::{Contact, SeenCredential};
use crate::error::Result;
use crate::ids::{AgentId, UserId};
use crate::store::db::Tx;
use crate::surface::Surface;
use crate::timestamp::Timestamp;

const LAST_TRACE: &str = "
    SELECT surface, details, created_at
      FROM traces
     WHERE owner_id = $1 AND agent = $2
     ORDER BY created_at DESC, id DESC
     LIMIT 1";

const LAST_KEY: &str = "
    SELECT name, kind, used_at
      FROM api_keys
     WHERE agent_id = $1 AND revoked_at IS NULL AND used_at IS NOT NULL
     ORDER BY used_at DESC
     LIMIT 1";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[("onboarding.last_trace", LAST_TRACE), ("onboarding.last_key", LAST_KEY)];

crate::row! {
    struct TraceRow {
        surface: Surface,
        details: serde_json::Value,
        created_at: Timestamp,
    }
}

/// The newest trace of an agent.
pub(super) async fn last_trace(tx: &mut Tx, owner: UserId, agent: &str) -> Result<Option<Contact>> {
    let row: Option<TraceRow> = tx.query(LAST_TRACE).bind(owner).bind(agent).fetch_optional().await?;
    Ok(row.map(|row| Contact::traced(row.surface, &row.details, row.created_at)))
}

/// The most recently used key of an agent.
pub(super) async fn last_key(tx: &mut Tx, agent: AgentId) -> Result<Option<SeenCredential>> {
    tx.query(LAST_KEY).bind(agent).fetch_optional().await
}
