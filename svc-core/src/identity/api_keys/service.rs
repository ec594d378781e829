//! Listing and revocation of keys.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::api_keys::{ApiKey, ApiKeyFilter, ApiKeyPage, KeyKind};
use svc_model::audit::AuditEvent;

use super::create::ChannelSight;
use super::store;
use crate::clock::{Clock, Entropy};
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Actor, Caller};
use crate::identity::users;
use crate::ids::{ApiKeyId, UserId};
use crate::store::db::{Db, Tx};
use crate::store::vault::Vault;

/// The keys of a hub; see [`Hub::api_keys`](crate::Hub::api_keys).
#[derive(Clone)]
pub struct ApiKeys {
    pub(super) db: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) vault: Vault,
    pub(super) channels: Arc<dyn ChannelSight>,
}

#[boxed_futures]
impl ApiKeys {
    pub(crate) fn new(
        db: Db,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        vault: Vault,
        channels: Arc<dyn ChannelSight>,
    ) -> Self {
        Self { db, clock, entropy, vault, channels }
    }

    /// Lists the caller's managed keys, newest first; for an operator, the keys of all users and of both
    /// kinds.
    pub async fn list(&self, caller: &Caller, filter: ApiKeyFilter) -> Result<ApiKeyPage> {
        let owner = owner(caller)?;
        self.db
            .read((owner, filter), |tx, (owner, filter)| {
                Box::pin(async move {
                    if let Some(owner) = *owner {
                        let keys = store::list(tx, owner, filter).await?;
                        let total = store::count(tx, Some(owner), Some(KeyKind::Managed), filter).await?;
                        return Ok(ApiKeyPage { keys, total });
                    }
                    let narrowed = match &filter.owner {
                        None => None,
                        Some(owner) => Some(
                            users::store::find(tx, owner.as_str()).await?.ok_or_else(|| Error::not_found("user"))?.id,
                        ),
                    };
                    let keys = store::list_all(tx, narrowed, filter).await?;
                    Ok(ApiKeyPage { keys, total: store::count(tx, narrowed, None, filter).await? })
                })
            })
            .await
    }

    /// Returns one of the caller's keys.
    pub async fn get(&self, caller: &Caller, id: ApiKeyId) -> Result<ApiKey> {
        let owner = owner(caller)?;
        self.db
            .read((owner, id), |tx, (owner, id)| Box::pin(store::find(tx, *owner, *id)))
            .await?
            .ok_or_else(|| Error::not_found("key"))
    }

    /// Revokes a key at once. Revoking it again changes nothing.
    pub async fn revoke(&self, caller: &Caller, id: ApiKeyId) -> Result<()> {
        let owner = owner(caller)?;
        self.db
            .write((owner, id, caller.clone()), |tx, (owner, id, caller)| {
                Box::pin(async move {
                    let key = store::find(tx, *owner, *id).await?.ok_or_else(|| Error::not_found("key"))?;
                    if store::revoke(tx, *id).await? {
                        let kind = if key.kind == KeyKind::Agent { "agent_key" } else { "api_key" };
                        let mut entry = NewEntry::by(AuditEvent::TokenRevoked, caller);
                        if let Some(owner) = users::store::find(tx, &key.owner).await? {
                            entry = entry.about(owner.id, &owner.username);
                        }
                        audit::record(tx, &entry.detail("kind", kind).detail("key_id", id.0)).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Revokes all managed keys of an account in this transaction.
pub(crate) async fn end_managed_of(tx: &mut Tx, caller: &Caller, owner: UserId) -> Result<()> {
    for key in store::revoke_managed_of_owner(tx, owner).await? {
        let entry = NewEntry::by(AuditEvent::TokenRevoked, caller).detail("kind", "api_key");
        audit::record(tx, &entry.detail("key_id", key.0)).await?;
    }
    Ok(())
}

/// The owner of the keys that a caller can access; `None` means all.
fn owner(caller: &Caller) -> Result<Option<UserId>> {
    caller.require_manager()?;
    match caller.actor() {
        Actor::Root => Ok(None),
        Actor::User(user) => Ok(Some(user.id)),
        Actor::Agent(_) => Err(Error::not_found("key")),
    }
}
