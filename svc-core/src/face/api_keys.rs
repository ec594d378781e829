//! API keys: credentials with permissions, channels and an expiry. The handle is `hub.api_keys()`.

pub use crate::identity::api_keys::{ApiKeys, CreatedKey};

#[doc(inline)]
pub use svc_model::api_keys::{ApiKey, ApiKeyFilter, ApiKeyPage, KeyKind, KeyStatus, McpProfile, NewApiKey};
