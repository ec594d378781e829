//! `/api/keys`: the caller's managed keys; `/api/whoami`: what a key is.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use svc_core::{
    ApiKey, ApiKeyFilter, ApiKeyId, ApiKeyPage, Error, Identity, KeyStatus, McpProfile, NewApiKey, Page, Permission,
    Timestamp,
};

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

/// A key to be made.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct CreateKey {
    /// What you call it.
    name: String,
    /// The agent it acts as; you when absent.
    #[serde(default)]
    agent: Option<String>,
    /// What it may do; each includes those before it.
    permissions: Vec<Permission>,
    /// The channels it may use; all when absent or empty.
    #[serde(default)]
    allowed_channels: Option<Vec<String>>,
    /// When it ends by itself; never when absent.
    #[serde(default)]
    expires_at: Option<Timestamp>,
    /// Which tools a client of MCP that comes with it is shown, unless it asks for others; `full` when absent.
    #[serde(default)]
    mcp_profile: Option<McpProfile>,
}

/// A key that was made.
#[derive(Serialize, Object)]
struct CreatedKey {
    /// Its id.
    id: ApiKeyId,
    /// What you call it.
    name: String,
    /// The agent it acts as; `null` for one that acts as you.
    agent: Option<String>,
    /// What it may do.
    permissions: Vec<Permission>,
    /// The channels it may use; none named is all.
    allowed_channels: Vec<String>,
    /// Which tools a client of MCP that comes with it is shown, unless it asks for others.
    mcp_profile: McpProfile,
    /// When it ends by itself; `null` for never.
    expires_at: Option<Timestamp>,
    /// Since when it exists.
    created_at: Timestamp,
    /// Whether it works.
    status: KeyStatus,
    /// The key. It is shown this once.
    key: String,
}

#[OpenApi(tag = "Chapter::Keys")]
impl KeyRoutes {
    /// List my keys
    ///
    /// Newest first, without their secrets.
    #[oai(path = "/api/keys", method = "get", operation_id = "list_keys")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only those that work, or only those that were revoked.
        status: Query<Option<KeyStatus>>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<ApiKeyPage>, Problem> {
        let filter = ApiKeyFilter { owner: None, status: status.0, page: Page::new(limit.0, offset.0)? };
        Ok(Answer(self.state.hub().api_keys().list(&caller, filter).await?))
    }

    /// Make a key
    ///
    /// The answer holds the key, which is shown this once. A login that has not given its password within ten
    /// minutes gets 403 `password_required`: see `POST /auth/confirm`. For example
    /// `{"name": "ci", "permissions": ["read"], "expires_at": "2027-01-01T00:00:00Z"}`, or
    /// `{"name": "laptop", "agent": "reviewer", "permissions": ["write"], "mcp_profile": "compact"}`.
    #[oai(path = "/api/keys", method = "post", operation_id = "create_key")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The same key with the same body gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<CreateKey>,
    ) -> Result<Created<CreatedKey>, Problem> {
        let new = NewApiKey {
            name: body.name,
            agent: body.agent,
            permissions: body.permissions,
            allowed_channels: body.allowed_channels.unwrap_or_default(),
            expires_at: body.expires_at,
            mcp_profile: body.mcp_profile.unwrap_or_default(),
        };
        let created = self.state.hub().api_keys().create(&caller, new, idempotency_key.0.as_deref()).await?;
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

    /// Look at one of my keys
    #[oai(path = "/api/keys/:id", method = "get", operation_id = "get_key")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The key.
        id: Path<i64>,
    ) -> Result<Answer<ApiKey>, Problem> {
        Ok(Answer(self.state.hub().api_keys().get(&caller, ApiKeyId(id.0)).await?))
    }

    /// Revoke one of my keys
    ///
    /// It stops working at once. It stays in the list, as revoked.
    #[oai(path = "/api/keys/:id", method = "delete", operation_id = "revoke_key")]
    async fn revoke(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The key.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().api_keys().revoke(&caller, ApiKeyId(id.0)).await?;
        Ok(NoContent)
    }

    /// What does my key do?
    ///
    /// Tells whom a key or a token acts as, what it may do and when it ends.
    #[oai(path = "/api/whoami", method = "get", operation_id = "whoami")]
    #[expect(clippy::unused_async, reason = "the framework takes asynchronous handlers only")]
    async fn whoami(&self, BearerCaller(caller): BearerCaller) -> Result<Answer<Identity>, Problem> {
        Ok(Answer(caller.identity().ok_or_else(|| Error::not_found("identity"))?))
    }
}
