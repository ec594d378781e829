//! Revocation of grants, which ends all their tokens.

use svc_model::audit::AuditEvent;

use super::store::grants;
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::ids::UserId;
use crate::store::db::Tx;

pub(crate) use super::store::grants::{end_grants_of_agent, end_grants_of_user};

/// Revokes all grants of the calling user, with an audit entry for each.
pub(crate) async fn end_each_of_user(tx: &mut Tx, caller: &Caller, user: UserId) -> Result<()> {
    for (grant, client_id) in grants::end_each_of_user(tx, user).await? {
        let entry = NewEntry::by(AuditEvent::TokenRevoked, caller).client(&client_id).detail("kind", "oauth");
        audit::record(tx, &entry.detail("grant_id", grant.0)).await?;
    }
    Ok(())
}
