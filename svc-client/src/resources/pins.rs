//! Pinned messages.

use http::Method;
use serde_json::json;
use svc_model::ids::MessageId;
use svc_model::pins::{Pin, PinPage};

use super::{Query, Result};
use crate::client::Client;

impl Client {
    /// Lists pins; one of the filters `channel` and `with` is needed, others are `before` and `limit`.
    pub async fn pins(&self, query: Query<'_>) -> Result<PinPage> {
        self.get(&["api", "pins"], query).await
    }

    /// Pins a message. One that is pinned stays as it is.
    pub async fn pin(&self, id: MessageId) -> Result<Pin> {
        self.change(Method::PUT, &["api", "messages", &id.to_string(), "pin"], &json!({}), None).await
    }

    /// Removes the pin of a message.
    pub async fn unpin(&self, id: MessageId) -> Result<()> {
        self.command(Method::DELETE, &["api", "messages", &id.to_string(), "pin"], &json!({}), None).await
    }
}
