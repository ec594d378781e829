//! `/api/message-templates`: texts that a human writes often.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use svc_core::ids::TemplateId;
use svc_core::templates::{MessageTemplate, MessageTemplateUpdate, MessageTemplates, NewMessageTemplate};

use super::Chapter;
use crate::answer::{Answer, Created, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct TemplateRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Messages")]
impl TemplateRoutes {
    /// List my message templates
    ///
    /// All of them, by name. Only for humans.
    #[oai(path = "/api/message-templates", method = "get", operation_id = "list_message_templates")]
    async fn list(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<MessageTemplates>, Problem> {
        Ok(Answer(self.state.hub().templates().list(&caller).await?))
    }

    /// Create a message template
    ///
    /// For yourself. 409 `template_exists` when you have one with this name, regardless of case, and 409
    /// `too_many_templates` when you have 100. Only for humans. For example `{"name": "Thanks", "body": "Thank you for
    /// the report!"}`.
    #[oai(path = "/api/message-templates", method = "post", operation_id = "create_message_template")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<NewMessageTemplate>,
    ) -> Result<Created<MessageTemplate>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Created(self.state.hub().templates().create(&caller, body).await?))
    }

    /// Change a message template
    ///
    /// Its name, its text, or both. 409 `template_exists` when you have another one with this name. For example
    /// `{"name": "Many thanks"}`.
    #[oai(path = "/api/message-templates/:id", method = "patch", operation_id = "update_message_template")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the template.
        id: Path<i64>,
        JsonBody(body): JsonBody<MessageTemplateUpdate>,
    ) -> Result<Answer<MessageTemplate>, Problem> {
        Ok(Answer(self.state.hub().templates().update(&caller, TemplateId(id.0), body).await?))
    }

    /// Delete a message template
    #[oai(path = "/api/message-templates/:id", method = "delete", operation_id = "delete_message_template")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the template.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().templates().delete(&caller, TemplateId(id.0)).await?;
        Ok(NoContent)
    }
}
