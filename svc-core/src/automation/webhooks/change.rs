//! Registering, changing and removing webhooks.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::auth::Permission;
use svc_model::webhooks::{
    DisabledReason, NewWebhook, Webhook, WebhookEvent, WebhookUpdate, WebhookWithSecret, checked_events,
};
use url::Url;

use super::secret::Secret;
use super::service::{Webhooks, existing, scope};
use super::store::{self, Scope, WebhookRow};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::ids::WebhookId;
use crate::limits;
use crate::store::db::Tx;
use crate::store::vault::Vault;

#[boxed_futures]
impl Webhooks {
    /// Registers a webhook. The result contains its secret, which is shown once.
    pub async fn create(&self, caller: &Caller, new: NewWebhook) -> Result<WebhookWithSecret> {
        let scope = scope(caller, Permission::Write)?;
        let new = new.checked()?;
        let secret = match &new.secret {
            Some(text) => Secret::parse(text)?,
            None => Secret::make(self.entropy.as_ref()),
        };
        let once = caller.idempotency("webhooks.create", &new)?;
        // A name is looked up only for somebody who may register its webhook.
        let name = new.agent.clone();
        self.db
            .read((caller.clone(), name), |tx, (caller, name)| {
                Box::pin(agents::named_or_own(tx, caller, name.as_deref()))
            })
            .await?;
        let url = self.checked_url(&new.url).await?;
        let context = Vault::response_context(once.as_ref());
        let work = Arc::new((self.clone(), caller.clone(), scope, url, secret, context.clone()));
        let sealed = self
            .db
            .write_once(once, new, move |tx, new| {
                let work = work.clone();
                Box::pin(async move {
                    let (webhooks, caller, scope, url, secret, context) = work.as_ref();
                    let created = create(tx, webhooks, caller, scope, new, url, secret).await?;
                    // The response is stored for repeated requests, and it contains a secret.
                    webhooks.vault.seal_response(context, &created)
                })
            })
            .await?;
        self.vault.open_response(&context, &sealed.value)
    }

    /// Changes the URL or the events of a webhook, enables or disables it. Enabling resets the count of failures.
    pub async fn update(&self, caller: &Caller, id: WebhookId, update: WebhookUpdate) -> Result<Webhook> {
        let scope = scope(caller, Permission::Write)?;
        let events = update.events.as_deref().map(checked_events).transpose()?;
        let url = match &update.url {
            Some(url) => {
                self.db.read((scope, id), |tx, (scope, id)| Box::pin(existing(tx, scope, *id))).await?;
                Some(self.checked_url(url).await?)
            }
            None => None,
        };
        let change = Change { url, events, enabled: update.enabled };
        self.db
            .write((caller.clone(), scope, id, change), |tx, (caller, scope, id, change)| {
                Box::pin(apply(tx, caller, scope, *id, change))
            })
            .await
    }

    /// Deletes a webhook with its deliveries.
    pub async fn delete(&self, caller: &Caller, id: WebhookId) -> Result<()> {
        let scope = scope(caller, Permission::Write)?;
        self.db
            .write((caller.clone(), scope, id), |tx, (caller, scope, id)| {
                Box::pin(async move {
                    let webhook = existing(tx, scope, *id).await?;
                    store::delete(tx, *id).await?;
                    audit::record(tx, &entry(caller, &webhook, "deleted")).await
                })
            })
            .await
    }

    /// Makes a new secret, which is shown once. For a day deliveries are signed with the old one as well. Fails with
    /// `too_many_rotations` when too many old ones are still valid.
    pub async fn rotate_secret(&self, caller: &Caller, id: WebhookId) -> Result<WebhookWithSecret> {
        let scope = scope(caller, Permission::Write)?;
        let once = caller.idempotency("webhooks.rotate_secret", &id)?;
        let context = Vault::response_context(once.as_ref());
        let secret = Secret::make(self.entropy.as_ref());
        let work = Arc::new((self.clone(), caller.clone(), scope, secret, context.clone()));
        let sealed = self
            .db
            .write_once(once, id, move |tx, id| {
                let work = work.clone();
                Box::pin(async move {
                    let (webhooks, caller, scope, secret, context) = work.as_ref();
                    let rotated = rotate(tx, webhooks, caller, scope, *id, secret).await?;
                    webhooks.vault.seal_response(context, &rotated)
                })
            })
            .await?;
        self.vault.open_response(&context, &sealed.value)
    }
}

async fn rotate(
    tx: &mut Tx,
    webhooks: &Webhooks,
    caller: &Caller,
    scope: &Scope,
    id: WebhookId,
    secret: &Secret,
) -> Result<WebhookWithSecret> {
    existing(tx, scope, id).await?;
    store::hold(tx, id).await?;
    let webhook = existing(tx, scope, id).await?;
    let replaced = store::secret(tx, id).await?;
    // A secret that cannot be opened signs nothing, so there is nothing to keep.
    if webhooks.unseal(webhook.agent_id, id, &replaced).is_ok() {
        if store::old_secrets(tx, id).await?.len() >= limits::WEBHOOK_OLD_SECRETS as usize {
            let most = limits::WEBHOOK_OLD_SECRETS;
            let message = format!("The last {most} secrets are still valid, each for a day: rotate again later.");
            return Err(Error::conflict("too_many_rotations", message));
        }
        store::keep_old_secret(tx, id, &replaced).await?;
    }
    store::set_secret(tx, id, &webhooks.seal(webhook.agent_id, id, secret)?).await?;
    audit::record(tx, &entry(caller, &webhook, "secret rotated")).await?;
    Ok(WebhookWithSecret { webhook: webhook.shown(), secret: secret.reveal() })
}

/// A checked change.
struct Change {
    url: Option<Url>,
    events: Option<Vec<WebhookEvent>>,
    enabled: Option<bool>,
}

async fn create(
    tx: &mut Tx,
    webhooks: &Webhooks,
    caller: &Caller,
    scope: &Scope,
    new: &NewWebhook,
    url: &Url,
    secret: &Secret,
) -> Result<WebhookWithSecret> {
    let agent = agents::named_or_own(tx, caller, new.agent.as_deref()).await?;
    // Serializes registrations of an agent, and waits for its deletion.
    agents::store::hold(tx, agent.id).await?;
    if agents::store::find_any(tx, &agent.name).await?.is_none() {
        return Err(Error::not_found("agent"));
    }
    if store::is_taken(tx, agent.id, url.as_str(), None).await? {
        return Err(url_taken());
    }
    if store::count(tx, agent.id).await? >= limits::WEBHOOKS_PER_AGENT {
        return Err(Error::conflict(
            "too_many_webhooks",
            format!("An agent can have {} webhooks: delete one first.", limits::WEBHOOKS_PER_AGENT),
        ));
    }
    let id = store::insert(tx, agent.id, url.as_str(), &new.events).await?;
    store::set_secret(tx, id, &webhooks.seal(agent.id, id, secret)?).await?;
    let webhook = existing(tx, scope, id).await?;
    audit::record(tx, &entry(caller, &webhook, "created")).await?;
    Ok(WebhookWithSecret { webhook: webhook.shown(), secret: secret.reveal() })
}

async fn apply(tx: &mut Tx, caller: &Caller, scope: &Scope, id: WebhookId, change: &Change) -> Result<Webhook> {
    existing(tx, scope, id).await?;
    store::hold(tx, id).await?;
    let mut webhook = existing(tx, scope, id).await?;
    if let Some(url) = &change.url {
        if store::is_taken(tx, webhook.agent_id, url.as_str(), Some(id)).await? {
            return Err(url_taken());
        }
        url.as_str().clone_into(&mut webhook.url);
    }
    if let Some(events) = &change.events {
        webhook.events.0.clone_from(events);
    }
    match change.enabled {
        Some(true) => {
            webhook.enabled = true;
            webhook.disabled_reason = None;
            webhook.consecutive_failures = 0;
        }
        Some(false) if webhook.enabled => {
            webhook.enabled = false;
            webhook.disabled_reason = Some(DisabledReason::Request);
        }
        Some(false) | None => {}
    }
    store::update(tx, &webhook).await?;
    audit::record(tx, &entry(caller, &webhook, "changed")).await?;
    Ok(webhook.shown())
}

fn url_taken() -> Error {
    Error::conflict("webhook_exists", "The agent has a webhook with this URL already: change that one.")
}

/// An audit entry. It names the host only, because the rest of a URL may contain a token.
fn entry(caller: &Caller, webhook: &WebhookRow, action: &str) -> NewEntry {
    let host = Url::parse(&webhook.url).ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
    NewEntry::by(AuditEvent::WebhookChanged, caller)
        .about(webhook.owner_id, &webhook.owner)
        .detail("action", action)
        .detail("agent", webhook.agent.as_str())
        .detail("webhook", webhook.id.0)
        .detail("host", host)
        .detail("enabled", webhook.enabled)
}
