//! `/api/secret-requests`: secrets that agents ask their owners for.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use svc_core::goals::DecisionNote;
use svc_core::ids::SecretRequestId;
use svc_core::secret_requests::{SecretRequest, SecretRequestFilter, SecretRequestPage, SecretRequestStatus};
use svc_core::secrets::SecretValue;

use super::Chapter;
use crate::answer::Answer;
use crate::body::JsonBody;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct SecretRequestRoutes {
    pub(crate) state: AppState,
}

/// The value of a secret.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ProvideSecret {
    /// The value: 1 to 65536 bytes, without NUL. It is stored encrypted and shown to nobody.
    value: String,
}

#[OpenApi(tag = "Chapter::Secrets")]
impl SecretRequestRoutes {
    /// List requests for secrets
    ///
    /// Those of your agents, newest first; an agent sees its own. For example `/api/secret-requests?status=requested`.
    #[oai(path = "/api/secret-requests", method = "get", operation_id = "list_secret_requests")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only requests with this status.
        status: Query<Option<SecretRequestStatus>>,
        /// The `next_cursor` of the previous page.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<SecretRequestPage>, Problem> {
        let filter = SecretRequestFilter { status: status.0, before: before.0.map(SecretRequestId), limit: limit.0 };
        Ok(Answer(self.state.hub().secret_requests().list(&caller, filter).await?))
    }

    /// Provide a secret
    ///
    /// Stores the value as a secret of the agent, whose runs receive it as an environment variable. Only for the owner
    /// of the agent. For example `{"value": "ghp_…"}`. 409 when the request is decided.
    #[oai(path = "/api/secret-requests/:id/provide", method = "post", operation_id = "provide_secret")]
    async fn provide(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the request.
        id: Path<i64>,
        JsonBody(body): JsonBody<ProvideSecret>,
    ) -> Result<Answer<SecretRequest>, Problem> {
        let value = SecretValue::parse("value", body.value)?;
        Ok(Answer(self.state.hub().secret_requests().provide(&caller, SecretRequestId(id.0), value).await?))
    }

    /// Reject a request for a secret
    ///
    /// Only for the owner of the agent. For example `{"reason": "Use the read-only token."}`. 409 when the request is
    /// decided.
    #[oai(path = "/api/secret-requests/:id/reject", method = "post", operation_id = "reject_secret_request")]
    async fn reject(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the request.
        id: Path<i64>,
        OptionalBody(note): OptionalBody<DecisionNote>,
    ) -> Result<Answer<SecretRequest>, Problem> {
        Ok(Answer(self.state.hub().secret_requests().reject(&caller, SecretRequestId(id.0), note).await?))
    }
}
