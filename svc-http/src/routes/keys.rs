//! `/api/keys`: the caller's managed keys; `/api/whoami`: the identity of a key.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use svc_core::api_keys::{ApiKey, ApiKeyFilter, ApiKeyPage, KeyStatus, McpProfile, NewApiKey};
use svc_core::auth::{Identity, Permission};
use svc_core::ids::ApiKeyId;
use svc_core::{Error, Page, Timestamp};

use super::Chapter;
use crate::answer::{Answer, Created, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::{AnyCaller, BearerCaller};
use crate::state::AppState;

/// The routes.
pub(crate) struct KeyRoutes {
    pub(crate) state: AppState,
}

/// A created key.
#[derive(Serialize, Object)]
struct CreatedKey {
    /// Its id.
    id: ApiKeyId,
    /// Name of the key, for your own use.
    name: String,
    /// The agent it acts as; `null` if it acts as you.
    agent: Option<String>,
    /// Permissions.
    permissions: Vec<Permission>,
    /// Channels that it may use; empty means all.
    allowed_channels: Vec<String>,
    /// Tools that MCP clients with this key see by default.
    mcp_profile: McpProfile,
    /// Expiry; `null` for never.
    expires_at: Option<Timestamp>,
    /// Time of creation.
    created_at: Timestamp,
    /// Whether it is active.
    status: KeyStatus,
    /// The key. It is shown only once.
    key: String,
}

#[OpenApi(tag = "Chapter::Keys")]
impl KeyRoutes {
    /// List keys
    ///
    /// Newest first, without their secrets.
    #[oai(path = "/api/keys", method = "get", operation_id = "list_keys")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only active, or only revoked keys.
        status: Query<Option<KeyStatus>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<ApiKeyPage>, Problem> {
        let filter = ApiKeyFilter { owner: None, status: status.0, page: Page::new(limit.0, offset.0)? };
        Ok(Answer(self.state.hub().api_keys().list(&caller, filter).await?))
    }

    /// Create a key
    ///
    /// The response contains the key, which is shown only once. A login session without a password check within ten
    /// minutes gets 403 `password_required`: see `POST /auth/confirm`. For example `{"name": "ci", "permissions":
    /// ["read"], "expires_at": "2027-01-01T00:00:00Z"}`, or `{"name": "laptop", "agent": "reviewer", "permissions":
    /// ["write"], "mcp_profile": "compact"}`.
    #[oai(path = "/api/keys", method = "post", operation_id = "create_key")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(new): JsonBody<NewApiKey>,
    ) -> Result<Created<CreatedKey>, Problem> {
        let created = self.state.hub().api_keys().create(&idempotency_key.of(caller)?, new).await?;
        let key = created.api_key;
        Ok(Created(CreatedKey {
            id: key.id,
            name: key.name,
            agent: key.agent,
            permissions: key.permissions,
            allowed_channels: key.allowed_channels,
            mcp_profile: key.mcp_profile,
            expires_at: key.expires_at,
            created_at: key.created_at,
            status: key.status,
            key: created.key,
        }))
    }

    /// Get a key
    #[oai(path = "/api/keys/:id", method = "get", operation_id = "get_key")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the key.
        id: Path<i64>,
    ) -> Result<Answer<ApiKey>, Problem> {
        Ok(Answer(self.state.hub().api_keys().get(&caller, ApiKeyId(id.0)).await?))
    }

    /// Revoke a key
    ///
    /// It stops working at once, and stays in the list as revoked.
    #[oai(path = "/api/keys/:id", method = "delete", operation_id = "revoke_key")]
    async fn revoke(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the key.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().api_keys().revoke(&caller, ApiKeyId(id.0)).await?;
        Ok(NoContent)
    }

    /// Get the identity of a key
    ///
    /// The participant that a key or a token acts as, its permissions and its expiry.
    #[oai(path = "/api/whoami", method = "get", operation_id = "whoami")]
    #[expect(clippy::unused_async, reason = "the framework takes asynchronous handlers only")]
    async fn whoami(&self, BearerCaller(caller): BearerCaller) -> Result<Answer<Identity>, Problem> {
        Ok(Answer(caller.identity().ok_or_else(|| Error::not_found("identity"))?))
    }
}
