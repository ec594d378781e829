//! Setting and removal of secrets.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::secrets::{Secret, SecretScope, SecretValue};

use super::service::{Holder, Secrets, holder};
use super::{key, store};
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::limits;
use crate::names::SecretName;
use crate::store::db::Tx;
use crate::store::vault::Vault;

#[boxed_futures]
impl Secrets {
    /// Sets a secret, replacing its previous value.
    pub async fn set(
        &self,
        caller: &Caller,
        scope: SecretScope,
        name: SecretName,
        value: SecretValue,
    ) -> Result<Secret> {
        caller.require_manager()?;
        let vault = self.vault.clone();
        let input = Arc::new((caller.clone(), scope, name, value));
        self.db
            .write(input, move |tx, input| {
                let vault = vault.clone();
                Box::pin(async move {
                    let (caller, scope, name, value) = input.as_ref();
                    set(tx, &vault, caller, scope, (name, value)).await
                })
            })
            .await
    }

    /// Removes a secret. This does not need the encryption key.
    pub async fn unset(&self, caller: &Caller, scope: SecretScope, name: SecretName) -> Result<()> {
        caller.require_manager()?;
        self.db
            .write((caller.clone(), scope, name), |tx, (caller, scope, name)| {
                Box::pin(async move {
                    let holder = holder(tx, caller, scope).await?;
                    if !store::remove(tx, holder.participant, name.as_str()).await? {
                        return Err(Error::not_found("secret"));
                    }
                    audit::record(tx, &entry(caller, &holder, name, "unset")).await
                })
            })
            .await
    }
}

/// Sets a secret within a transaction.
pub(crate) async fn set(
    tx: &mut Tx,
    vault: &Vault,
    caller: &Caller,
    scope: &SecretScope,
    (name, value): (&SecretName, &SecretValue),
) -> Result<Secret> {
    let holder = holder(tx, caller, scope).await?;
    // Locks the holder: a concurrent deletion waits for this transaction, or this one finds no holder.
    if !store::lock(tx, holder.participant).await? {
        return Err(Error::not_found(match scope {
            SecretScope::User(_) => "user",
            SecretScope::Agent(_) => "agent",
        }));
    }
    key::lock(tx, vault).await?;
    let sealed = vault.seal(&sealing_context(holder.participant.0, name.as_str()), value.reveal().as_bytes())?;
    let (id, created_at) = store::put(tx, holder.participant, name.as_str(), &sealed).await?;
    if store::count(tx, None, Some(holder.participant)).await? > limits::SECRETS_PER_SCOPE {
        return Err(Error::conflict(
            "too_many_secrets",
            format!("A scope can have {} secrets: unset one first.", limits::SECRETS_PER_SCOPE),
        ));
    }
    audit::record(tx, &entry(caller, &holder, name, "set")).await?;
    Ok(Secret { id, scope: holder.scope, name: name.to_string(), created_at, updated_at: tx.now() })
}

/// The context that a sealed value is bound to.
pub(super) fn sealing_context(participant: i64, name: &str) -> String {
    format!("secret {participant} {name}")
}

fn entry(caller: &Caller, holder: &Holder, name: &SecretName, action: &str) -> NewEntry {
    let (owner, username) = &holder.owner;
    NewEntry::by(AuditEvent::SecretChanged, caller)
        .about(*owner, username)
        .detail("action", action)
        .detail("scope", holder.scope.to_string())
        .detail("name", name.as_str())
}
