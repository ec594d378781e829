//! Revocation of grants, which ends all their tokens.

use svc_model::audit::AuditEvent;

use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::ids::{AgentId, GrantId, UserId};
use crate::store::db::Tx;

const END_OF_USER: &str = "UPDATE oauth_grants SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL";
const END_OF_AGENT: &str = "UPDATE oauth_grants SET revoked_at = $2 WHERE agent_id = $1 AND revoked_at IS NULL";

pub(super) const LISTED: &[(&str, &str)] =
    &[("oauth_grants.end_of_user", END_OF_USER), ("oauth_grants.end_of_agent", END_OF_AGENT)];

/// Revokes all grants of a user.
pub(crate) async fn end_grants_of_user(tx: &mut Tx, user: UserId) -> Result<u64> {
    let now = tx.now();
    tx.query(END_OF_USER).bind(user).bind(now).execute().await
}

/// Revokes all grants of the calling user, with an audit entry for each.
pub(crate) async fn end_each_of_user(tx: &mut Tx, caller: &Caller, user: UserId) -> Result<()> {
    let now = tx.now();
    let ended: Vec<(GrantId, String)> =
        tx.query(format!("{END_OF_USER} RETURNING id, client_id")).bind(user).bind(now).fetch_all().await?;
    for (grant, client_id) in ended {
        let entry = NewEntry::by(AuditEvent::TokenRevoked, caller).client(&client_id).detail("kind", "oauth");
        audit::record(tx, &entry.detail("grant_id", grant.0)).await?;
    }
    Ok(())
}

/// Revokes all grants for an agent. A client with client credentials for it gets no more tokens, because the
/// agent must be active.
pub(crate) async fn end_grants_of_agent(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    let now = tx.now();
    tx.query(END_OF_AGENT).bind(agent).bind(now).execute().await
}
