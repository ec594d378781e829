//! Message templates of the caller.

use http::Method;
use serde_json::json;
use svc_model::ids::TemplateId;
use svc_model::templates::{MessageTemplate, MessageTemplateUpdate, MessageTemplates, NewMessageTemplate};

use super::Result;
use crate::client::Client;

impl Client {
    /// Lists message templates by name.
    pub async fn message_templates(&self) -> Result<MessageTemplates> {
        self.get(&["api", "message-templates"], &[]).await
    }

    /// Creates a message template.
    pub async fn create_message_template(
        &self,
        template: &NewMessageTemplate,
        idempotency_key: Option<&str>,
    ) -> Result<MessageTemplate> {
        self.change(Method::POST, &["api", "message-templates"], template, idempotency_key).await
    }

    /// Changes a message template.
    pub async fn update_message_template(
        &self,
        id: TemplateId,
        update: &MessageTemplateUpdate,
    ) -> Result<MessageTemplate> {
        self.change(Method::PATCH, &["api", "message-templates", &id.to_string()], update, None).await
    }

    /// Deletes a message template.
    pub async fn delete_message_template(&self, id: TemplateId) -> Result<()> {
        self.command(Method::DELETE, &["api", "message-templates", &id.to_string()], &json!({}), None).await
    }
}
