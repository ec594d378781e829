//! Creation of managed keys.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;
use svc_model::api_keys::{ApiKey, NewApiKey};
use svc_model::audit::AuditEvent;

use super::service::ApiKeys;
use super::store;
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Actor, Caller, Token, TokenKind};
use crate::ids::UserId;
use crate::limits;
use crate::store::db::{Tx, Work};
use crate::store::vault::Vault;

/// Checks whether a caller can see a channel. It is a trait because channels are in a higher layer.
pub(crate) trait ChannelSight: Send + Sync {
    /// Whether the caller can see an open channel with this name.
    fn is_visible<'t>(&'t self, tx: &'t mut Tx, caller: &'t Caller, name: &'t str) -> Work<'t, bool>;
}

/// A created key with its text, which is shown once.
#[derive(Clone, Serialize, Deserialize)]
pub struct CreatedKey {
    /// The key.
    #[serde(flatten)]
    pub api_key: ApiKey,
    /// The text of the key.
    pub key: String,
}

impl std::fmt::Debug for CreatedKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CreatedKey").field("api_key", &self.api_key).finish_non_exhaustive()
    }
}

#[boxed_futures]
impl ApiKeys {
    /// Creates a key.
    pub async fn create(&self, caller: &Caller, new: NewApiKey) -> Result<CreatedKey> {
        caller.require_manager()?;
        caller.require_confirmed(self.clock.now())?;
        let Actor::User(user) = caller.actor() else {
            return Err(Error::invalid("owner", "cannot be set: only users can create keys, each for themselves"));
        };
        let new = new.checked(self.clock.now(), caller.key_end())?;
        let once = caller.idempotency("keys.create", &new)?;
        let token = Token::mint(TokenKind::ManagedKey, self.entropy.as_ref());
        let context = Vault::response_context(once.as_ref());
        let work = Arc::new((user.id, caller.clone(), self.clone(), token, context.clone()));
        let sealed = self
            .db
            .write_once(once, new, move |tx, new| {
                let work = work.clone();
                Box::pin(async move {
                    let (owner, caller, keys, token, context) = work.as_ref();
                    let created = create(tx, keys.channels.as_ref(), caller, *owner, new, token).await?;
                    // The response is stored for repeated requests, and it contains a key.
                    keys.vault.seal_response(context, &created)
                })
            })
            .await?;
        self.vault.open_response(&context, &sealed.value)
    }
}

async fn create(
    tx: &mut Tx,
    channels: &dyn ChannelSight,
    caller: &Caller,
    owner: UserId,
    new: &NewApiKey,
    token: &Token,
) -> Result<CreatedKey> {
    if store::count_active(tx, owner).await? >= limits::KEYS_PER_USER {
        return Err(Error::conflict(
            "too_many_keys",
            format!("A user can have {} keys: revoke one first.", limits::KEYS_PER_USER),
        ));
    }
    let agent = match &new.agent {
        None => None,
        Some(name) => match agents::store::find_of(tx, owner, name).await? {
            Some(agent) => {
                agents::store::hold(tx, agent.id).await?;
                Some(agent.id)
            }
            None => return Err(Error::invalid("agent", "is not one of your agents")),
        },
    };
    for channel in new.allowed_channels.iter().flatten() {
        if !channels.is_visible(tx, caller, channel).await? {
            return Err(Error::invalid("allowed_channels", "names an unknown channel; see GET /api/channels"));
        }
    }
    let id = store::insert_managed(tx, owner, agent, new, token).await?;
    let entry = NewEntry::by(AuditEvent::TokenIssued, caller).detail("kind", "api_key").detail("key_id", id.0);
    audit::record(tx, &entry).await?;
    let api_key = store::find(tx, Some(owner), id).await?.ok_or_else(|| Error::not_found("key"))?;
    Ok(CreatedKey { api_key, key: token.reveal().to_owned() })
}
