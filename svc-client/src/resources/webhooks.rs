//! Webhooks, their deliveries, and dead letters.

use http::Method;
use serde_json::json;
use svc_model::dead_letters::{DeadLetter, DeadLetterPage};
use svc_model::ids::{DeadLetterId, DeliveryId, WebhookId};
use svc_model::webhooks::{Delivery, DeliveryDetails, DeliveryPage, WebhookList};

use super::{Query, Result};
use crate::client::Client;

impl Client {
    /// Lists the webhooks of the caller's agents; the filter is `agent`.
    pub async fn webhooks(&self, query: Query<'_>) -> Result<WebhookList> {
        self.get(&["api", "webhooks"], query).await
    }

    /// Lists the deliveries of a webhook, newest first; filters are `status`, `cursor` and `limit`.
    pub async fn deliveries(&self, webhook: WebhookId, query: Query<'_>) -> Result<DeliveryPage> {
        self.get(&["api", "webhooks", &webhook.to_string(), "deliveries"], query).await
    }

    /// Returns a delivery with its request and its attempts.
    pub async fn delivery(&self, id: DeliveryId) -> Result<DeliveryDetails> {
        self.get(&["api", "deliveries", &id.to_string()], &[]).await
    }

    /// Sends a delivery again.
    pub async fn retry_delivery(&self, id: DeliveryId) -> Result<Delivery> {
        self.change(Method::POST, &["api", "deliveries", &id.to_string(), "retry"], &json!({}), None).await
    }

    /// Lists dead letters, newest first; filters are `kind`, `acknowledged`, `limit` and `offset`.
    pub async fn dead_letters(&self, query: Query<'_>) -> Result<DeadLetterPage> {
        self.get(&["api", "dead-letters"], query).await
    }

    /// Sends a dead letter again.
    pub async fn retry_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter> {
        self.change(Method::POST, &["api", "dead-letters", &id.to_string(), "retry"], &json!({}), None).await
    }

    /// Acknowledges a dead letter.
    pub async fn acknowledge_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter> {
        self.change(Method::POST, &["api", "dead-letters", &id.to_string(), "acknowledge"], &json!({}), None).await
    }
}
