//! `keys.*`: agent keys and managed keys.

use serde::{Deserialize, Serialize};
use svc_core::api_keys::{ApiKey, ApiKeyFilter, ApiKeyPage, KeyStatus};
use svc_core::ids::ApiKeyId;
use svc_core::users::Username;
use svc_core::{Error, ErrorKind, Result};

use super::{Method, Paged, Server, missing, root};

/// Lists keys.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only keys of this user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Only active, or only revoked keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<KeyStatus>,
    /// Page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "keys.list";
    const ABOUT: &'static str = "List agent keys and managed keys, newest first, without their secrets.";
    type Params = ListParams;
    type Answer = ApiKeyPage;

    async fn run(server: &Server, params: ListParams) -> Result<ApiKeyPage> {
        let owner = params.owner.as_deref().map(|name| Username::parse("owner", name)).transpose()?;
        let page = Paged { limit: params.limit, offset: params.offset }.page()?;
        let filter = ApiKeyFilter { owner, status: params.status, page };
        match server.hub.api_keys().list(&root(), filter).await {
            Ok(page) => Ok(page),
            Err(error) => Err(missing::user(server, params.owner.as_deref().unwrap_or_default(), error).await),
        }
    }
}

/// Revokes a key.
pub struct Revoke;

/// Parameters of [`Revoke`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokeParams {
    /// Id of the key, as in the list.
    pub id: ApiKeyId,
}

impl Method for Revoke {
    const NAME: &'static str = "keys.revoke";
    const ABOUT: &'static str = "Revoke a key immediately and permanently.";
    type Params = RevokeParams;
    type Answer = ApiKey;

    async fn run(server: &Server, params: RevokeParams) -> Result<ApiKey> {
        let (caller, keys) = (root(), server.hub.api_keys());
        match keys.revoke(&caller, params.id).await {
            Ok(()) => keys.get(&caller, params.id).await,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let sentence = format!("There is no key {}: `svc-admin keys list` shows them all.", params.id);
                Err(Error::new(ErrorKind::NotFound, "not_found", sentence))
            }
            Err(error) => Err(error),
        }
    }
}
