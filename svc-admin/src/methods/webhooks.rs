//! `webhooks.*`: endpoints that receive the events of agents.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::ids::{DeliveryId, WebhookId};
use svc_core::webhooks::{
    Delivery, DeliveryAttempt, DeliveryFilter, DeliveryPage, DeliveryStatus, NewWebhook, Webhook, WebhookEvent,
    WebhookFilter, WebhookList, WebhookUpdate,
};

use super::{Confidential, Method, Server, missing, root};

/// Lists webhooks.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only webhooks of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

impl Method for List {
    const NAME: &'static str = "webhooks.list";
    const ABOUT: &'static str = "List webhooks, of one agent or of all, without their secrets.";
    type Params = ListParams;
    type Answer = WebhookList;

    async fn run(server: &Server, params: ListParams) -> Result<WebhookList> {
        server.hub.webhooks().list(&root(), WebhookFilter { agent: params.agent }).await
    }
}

/// Creates a webhook.
pub struct Create;

/// Parameters of [`Create`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// The agent whose events it receives.
    pub agent: String,
    /// The URL that events are posted to.
    pub url: String,
    /// The events that it receives; all by default.
    #[serde(default)]
    pub events: Vec<String>,
}

/// A created webhook with its secret, which is shown once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CreatedWebhook {
    /// The webhook.
    pub webhook: Webhook,
    /// Its secret.
    pub secret: Confidential,
}

impl Method for Create {
    const NAME: &'static str = "webhooks.create";
    const ABOUT: &'static str = "Create a webhook of an agent and return its secret, which is shown once.";
    type Params = CreateParams;
    type Answer = CreatedWebhook;

    async fn run(server: &Server, params: CreateParams) -> Result<CreatedWebhook> {
        let mut events = Vec::with_capacity(params.events.len());
        for name in &params.events {
            events.push(WebhookEvent::parse("events", name)?);
        }
        if events.is_empty() {
            events.push(WebhookEvent::All);
        }
        let new = NewWebhook { agent: Some(params.agent.clone()), url: params.url, events, secret: None };
        match server.hub.webhooks().create(&root(), new).await {
            Ok(made) => Ok(CreatedWebhook { webhook: made.webhook, secret: Confidential::new(made.secret) }),
            Err(error) => Err(missing::agent(server, &params.agent, error).await),
        }
    }
}

/// A webhook as the only parameter.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookParams {
    /// Its id.
    pub id: WebhookId,
}

/// Enables a webhook.
pub struct Enable;

impl Method for Enable {
    const NAME: &'static str = "webhooks.enable";
    const ABOUT: &'static str = "Enable a webhook and reset its count of failures.";
    type Params = WebhookParams;
    type Answer = Webhook;

    async fn run(server: &Server, params: WebhookParams) -> Result<Webhook> {
        set_enabled(server, params.id, true).await
    }
}

/// Disables a webhook.
pub struct Disable;

impl Method for Disable {
    const NAME: &'static str = "webhooks.disable";
    const ABOUT: &'static str = "Disable a webhook: nothing is sent to it until it is enabled.";
    type Params = WebhookParams;
    type Answer = Webhook;

    async fn run(server: &Server, params: WebhookParams) -> Result<Webhook> {
        set_enabled(server, params.id, false).await
    }
}

async fn set_enabled(server: &Server, id: WebhookId, enabled: bool) -> Result<Webhook> {
    let update = WebhookUpdate { enabled: Some(enabled), ..WebhookUpdate::default() };
    server.hub.webhooks().update(&root(), id, update).await
}

/// Tests a webhook.
pub struct Test;

impl Method for Test {
    const NAME: &'static str = "webhooks.test";
    const ABOUT: &'static str = "Send a test event to a webhook at once and return the outcome.";
    type Params = WebhookParams;
    type Answer = DeliveryAttempt;

    async fn run(server: &Server, params: WebhookParams) -> Result<DeliveryAttempt> {
        server.hub.webhooks().test(&root(), params.id).await
    }
}

/// Deletes a webhook.
pub struct Delete;

impl Method for Delete {
    const NAME: &'static str = "webhooks.delete";
    const ABOUT: &'static str = "Delete a webhook with its deliveries.";
    type Params = WebhookParams;
    type Answer = WebhookParams;

    async fn run(server: &Server, params: WebhookParams) -> Result<WebhookParams> {
        server.hub.webhooks().delete(&root(), params.id).await?;
        Ok(params)
    }
}

/// Lists the deliveries of a webhook.
pub struct Deliveries;

/// Parameters of [`Deliveries`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeliveriesParams {
    /// Id of the webhook.
    pub id: WebhookId,
    /// Only deliveries with this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<DeliveryStatus>,
    /// Only deliveries before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<DeliveryId>,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Method for Deliveries {
    const NAME: &'static str = "webhooks.deliveries";
    const ABOUT: &'static str = "List the deliveries of a webhook, newest first.";
    type Params = DeliveriesParams;
    type Answer = DeliveryPage;

    async fn run(server: &Server, params: DeliveriesParams) -> Result<DeliveryPage> {
        let filter = DeliveryFilter { status: params.status, before: params.before, limit: params.limit };
        server.hub.webhooks().deliveries(&root(), params.id, filter).await
    }
}

/// Sends a delivery again.
pub struct Retry;

/// Parameters of [`Retry`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetryParams {
    /// Id of the delivery.
    pub id: DeliveryId,
}

impl Method for Retry {
    const NAME: &'static str = "webhooks.retry";
    const ABOUT: &'static str = "Send a delivery again that has ended.";
    type Params = RetryParams;
    type Answer = Delivery;

    async fn run(server: &Server, params: RetryParams) -> Result<Delivery> {
        server.hub.webhooks().retry_delivery(&root(), params.id).await
    }
}
