//! Messages that are sent later.

use http::Method;
use serde_json::json;
use svc_model::ids::ScheduledMessageId;
use svc_model::messages::Message;
use svc_model::scheduled::{NewScheduledMessage, ScheduledMessage, ScheduledMessageUpdate, ScheduledPage};

use super::{Query, Result};
use crate::client::Client;

impl Client {
    /// Lists scheduled messages; filters are `status`, `before` and `limit`.
    pub async fn scheduled_messages(&self, query: Query<'_>) -> Result<ScheduledPage> {
        self.get(&["api", "scheduled-messages"], query).await
    }

    /// Returns a scheduled message.
    pub async fn scheduled_message(&self, id: ScheduledMessageId) -> Result<ScheduledMessage> {
        self.get(&["api", "scheduled-messages", &id.to_string()], &[]).await
    }

    /// Schedules a message. With an idempotency key this happens once, however often it is called.
    pub async fn schedule(
        &self,
        message: &NewScheduledMessage,
        idempotency_key: Option<&str>,
    ) -> Result<ScheduledMessage> {
        self.change(Method::POST, &["api", "scheduled-messages"], message, idempotency_key).await
    }

    /// Changes the text or the time of a scheduled message.
    pub async fn reschedule(
        &self,
        id: ScheduledMessageId,
        update: &ScheduledMessageUpdate,
    ) -> Result<ScheduledMessage> {
        self.change(Method::PATCH, &["api", "scheduled-messages", &id.to_string()], update, None).await
    }

    /// Deletes a scheduled message that was not sent.
    pub async fn unschedule(&self, id: ScheduledMessageId) -> Result<()> {
        self.command(Method::DELETE, &["api", "scheduled-messages", &id.to_string()], &json!({}), None).await
    }

    /// Sends a scheduled message at once. With an idempotency key this happens once, however often it is called.
    pub async fn send_scheduled(&self, id: ScheduledMessageId, idempotency_key: Option<&str>) -> Result<Message> {
        let id = id.to_string();
        let path = ["api", "scheduled-messages", &id, "send"];
        self.change(Method::POST, &path, &json!({}), idempotency_key).await
    }
}
