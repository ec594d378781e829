//! Messages that the caller has saved for later.

use http::Method;
use serde_json::json;
use svc_model::ids::MessageId;
use svc_model::saved::{SaveMessage, SavedMessage, SavedPage};

use super::{Query, Result};
use crate::client::Client;

impl Client {
    /// Lists saved messages; filters are `before` and `limit`.
    pub async fn saved(&self, query: Query<'_>) -> Result<SavedPage> {
        self.get(&["api", "saved"], query).await
    }

    /// Saves a message for later, or changes its note.
    pub async fn save(&self, id: MessageId, save: &SaveMessage) -> Result<SavedMessage> {
        self.change(Method::PUT, &["api", "messages", &id.to_string(), "saved"], save, None).await
    }

    /// Removes a message from the saved ones.
    pub async fn unsave(&self, id: MessageId) -> Result<()> {
        self.command(Method::DELETE, &["api", "messages", &id.to_string(), "saved"], &json!({}), None).await
    }
}
