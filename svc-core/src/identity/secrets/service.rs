//! Listing of secrets, and resolution of scopes.

use svc_macros::boxed_futures;
use svc_model::secrets::{SecretFilter, SecretPage, SecretScope};

use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller};
use crate::identity::{agents, users};
use crate::ids::{ParticipantId, UserId};
use crate::store::db::{Db, Tx};
use crate::store::vault::Vault;

/// The secrets of a hub; see [`Hub::secrets`](crate::Hub::secrets).
#[derive(Clone)]
pub struct Secrets {
    pub(super) db: Db,
    pub(super) vault: Vault,
}

#[boxed_futures]
impl Secrets {
    pub(crate) fn new(db: Db, vault: Vault) -> Self {
        Self { db, vault }
    }

    /// Lists the secrets of the caller and of their agents, without values; all secrets for an operator. This
    /// does not need the encryption key.
    pub async fn list(&self, caller: &Caller, filter: SecretFilter) -> Result<SecretPage> {
        caller.require_manager()?;
        self.db
            .read((caller.clone(), filter), |tx, (caller, filter)| {
                Box::pin(async move {
                    let of = match &filter.scope {
                        None => None,
                        Some(scope) => Some(holder(tx, caller, scope).await?.participant),
                    };
                    let secrets = store::list(tx, caller.owner(), of, filter.page).await?;
                    Ok(SecretPage { secrets, total: store::count(tx, caller.owner(), of).await? })
                })
            })
            .await
    }
}

/// The user or agent of a scope.
pub(super) struct Holder {
    pub(super) participant: ParticipantId,
    /// The scope with the name as it is stored.
    pub(super) scope: SecretScope,
    /// The human who owns it.
    pub(super) owner: (UserId, String),
}

/// Resolves a scope for this caller. Users and agents that the caller may not access are not found.
pub(super) async fn holder(tx: &mut Tx, caller: &Caller, scope: &SecretScope) -> Result<Holder> {
    match scope {
        SecretScope::User(name) => {
            let found = users::store::find(tx, name.as_str()).await?;
            let user = found.filter(|user| is_own(caller, user.id)).ok_or_else(|| Error::not_found("user"))?;
            let participant = ParticipantId(user.id.0);
            let scope = SecretScope::User(user.username.parse()?);
            Ok(Holder { participant, scope, owner: (user.id, user.username) })
        }
        SecretScope::Agent(name) => {
            let agent = agents::store::find_any(tx, name.as_str()).await?.ok_or_else(|| Error::not_found("agent"))?;
            let owner = agents::store::owner_of(tx, agent.id).await?;
            if !is_own(caller, owner) {
                return Err(Error::not_found("agent"));
            }
            let participant = ParticipantId(agent.id.0);
            Ok(Holder { participant, scope: SecretScope::Agent(agent.name.parse()?), owner: (owner, agent.owner) })
        }
    }
}

fn is_own(caller: &Caller, owner: UserId) -> bool {
    match caller.actor() {
        Actor::Root => true,
        Actor::User(user) => user.id == owner,
        Actor::Agent(_) => false,
    }
}
