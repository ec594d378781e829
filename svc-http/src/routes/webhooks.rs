//! `/api/webhooks` and `/api/deliveries`: endpoints that receive the events of agents, and what was sent to them.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::ids::{DeliveryId, WebhookId};
use svc_core::webhooks::{
    Delivery, DeliveryAttempt, DeliveryDetails, DeliveryFilter, DeliveryPage, DeliveryStatus, NewWebhook,
    RecoverWebhook, Recovered, Webhook, WebhookDetails, WebhookFilter, WebhookList, WebhookUpdate, WebhookWithSecret,
};

use super::Chapter;
use crate::answer::{Answer, Created, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct WebhookRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Webhooks")]
impl WebhookRoutes {
    /// List webhooks
    ///
    /// Those of your agents, oldest first, without their secrets. An agent sees its own.
    #[oai(path = "/api/webhooks", method = "get", operation_id = "list_webhooks")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only webhooks of this agent.
        agent: Query<Option<String>>,
    ) -> Result<Answer<WebhookList>, Problem> {
        let filter = WebhookFilter { agent: agent.0 };
        Ok(Answer(self.state.hub().webhooks().list(&caller, filter).await?))
    }

    /// Create a webhook
    ///
    /// The response contains the secret, which is shown only once. An agent can have ten webhooks, each with another
    /// URL. The URL must be https and lead to a public address. For example `{"agent": "reviewer", "url":
    /// "https://example.org/hook", "events": ["message.received", "message.mentioned"]}`, or with `"events": ["*"]`
    /// and a `secret` of your own.
    #[oai(path = "/api/webhooks", method = "post", operation_id = "create_webhook")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(new): JsonBody<NewWebhook>,
    ) -> Result<Created<WebhookWithSecret>, Problem> {
        Ok(Created(self.state.hub().webhooks().create(&idempotency_key.of(caller)?, new).await?))
    }

    /// Get a webhook
    ///
    /// With its last 50 attempts, oldest first.
    #[oai(path = "/api/webhooks/:id", method = "get", operation_id = "get_webhook")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the webhook.
        id: Path<i64>,
    ) -> Result<Answer<WebhookDetails>, Problem> {
        Ok(Answer(self.state.hub().webhooks().get(&caller, WebhookId(id.0)).await?))
    }

    /// Update a webhook
    ///
    /// Fields that are absent stay as they are. Enabling resets the count of failures. For example `{"enabled":
    /// true}`, or `{"url": "https://example.org/other", "events": ["*"]}`.
    #[oai(path = "/api/webhooks/:id", method = "patch", operation_id = "update_webhook")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the webhook.
        id: Path<i64>,
        JsonBody(update): JsonBody<WebhookUpdate>,
    ) -> Result<Answer<Webhook>, Problem> {
        Ok(Answer(self.state.hub().webhooks().update(&caller, WebhookId(id.0), update).await?))
    }

    /// Delete a webhook
    ///
    /// Its deliveries and their dead letters are deleted too.
    #[oai(path = "/api/webhooks/:id", method = "delete", operation_id = "delete_webhook")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the webhook.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().webhooks().delete(&caller, WebhookId(id.0)).await?;
        Ok(NoContent)
    }

    /// Rotate the secret of a webhook
    ///
    /// The response contains the new secret, which is shown only once. For 24 hours each delivery has a signature by the
    /// old secret as well. 409 when five old ones are still valid.
    #[oai(path = "/api/webhooks/:id/rotate-secret", method = "post", operation_id = "rotate_webhook_secret")]
    async fn rotate_secret(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the webhook.
        id: Path<i64>,
        /// A repeated request with the same key gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
    ) -> Result<Answer<WebhookWithSecret>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Answer(self.state.hub().webhooks().rotate_secret(&caller, WebhookId(id.0)).await?))
    }

    /// Test a webhook
    ///
    /// Sends the event `webhook.test` at once, also to a disabled webhook, and responds with the outcome. A test is not
    /// recorded and does not count as a failure. 429 after six tests in a minute.
    #[oai(path = "/api/webhooks/:id/test", method = "post", operation_id = "test_webhook")]
    async fn test(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the webhook.
        id: Path<i64>,
    ) -> Result<Answer<DeliveryAttempt>, Problem> {
        Ok(Answer(self.state.hub().webhooks().test(&caller, WebhookId(id.0)).await?))
    }

    /// Deliver past events again
    ///
    /// Queues every event since a time that the log still has (7 days): those without a delivery, and those whose
    /// delivery has ended. A receiver recognises a repeated delivery by its `webhook-id`. For example `{"since":
    /// "2026-01-01T00:00:00Z"}`. With `next` in the response there are more: repeat the request with
    /// `{"after": next}`. 409 while another request does this for the webhook.
    #[oai(path = "/api/webhooks/:id/recover", method = "post", operation_id = "recover_webhook")]
    async fn recover(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the webhook.
        id: Path<i64>,
        JsonBody(request): JsonBody<RecoverWebhook>,
    ) -> Result<Answer<Recovered>, Problem> {
        Ok(Answer(self.state.hub().webhooks().recover(&caller, WebhookId(id.0), request).await?))
    }

    /// List deliveries
    ///
    /// Newest first. Delivered and stopped ones are kept for 7 days, dead ones for 30.
    #[oai(path = "/api/webhooks/:id/deliveries", method = "get", operation_id = "list_deliveries")]
    async fn deliveries(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the webhook.
        id: Path<i64>,
        /// Only deliveries with this status.
        status: Query<Option<DeliveryStatus>>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<DeliveryPage>, Problem> {
        let filter = DeliveryFilter { status: status.0, before: cursor.0.map(DeliveryId), limit: limit.0 };
        Ok(Answer(self.state.hub().webhooks().deliveries(&caller, WebhookId(id.0), filter).await?))
    }

    /// Get a delivery
    ///
    /// With the request, and with every attempt and the beginning of its answer.
    #[oai(path = "/api/deliveries/:id", method = "get", operation_id = "get_delivery")]
    async fn delivery(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the delivery.
        id: Path<i64>,
    ) -> Result<Answer<DeliveryDetails>, Problem> {
        Ok(Answer(self.state.hub().webhooks().delivery(&caller, DeliveryId(id.0)).await?))
    }

    /// Send a delivery again
    ///
    /// It gets all its attempts again. 409 while it has not ended, while its webhook is disabled, and when its message
    /// is too deep in a chain.
    #[oai(path = "/api/deliveries/:id/retry", method = "post", operation_id = "retry_delivery")]
    async fn retry(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the delivery.
        id: Path<i64>,
    ) -> Result<Answer<Delivery>, Problem> {
        Ok(Answer(self.state.hub().webhooks().retry_delivery(&caller, DeliveryId(id.0)).await?))
    }
}
