//! Opens an existing hub and authenticates with a key.

use svc_core::{Caller, Error, ErrorKind, Hub, HubConfig, Result};

use crate::key::{Key, unknown_key};

/// The hub, and the caller of the key. A missing store is not created: a mistyped directory would otherwise become an
/// empty hub.
pub(crate) async fn open(config: HubConfig, key: &Key) -> Result<(Hub, Caller)> {
    svc_core::startup::refuse_missing_store(&config).await?;
    // Files of the store are for the hub's user alone.
    #[cfg(unix)]
    svc_core::startup::keep_new_files_private();
    let hub = Hub::open(config).await?;
    match authenticate(&hub, key).await {
        Ok(caller) => Ok((hub, caller)),
        Err(error) => {
            hub.close().await;
            Err(error)
        }
    }
}

async fn authenticate(hub: &Hub, key: &Key) -> Result<Caller> {
    if let Some(admin) = hub.first_admin() {
        return Err(Error::unavailable(
            "empty_store",
            format!(
                "{} was empty and has no agents: start svc-http on it; svc-admin users passwd {} sets a password.",
                hub.config().store_url(),
                admin.username
            ),
        ));
    }
    check(hub, key).await
}

/// Authenticates the key again.
pub(crate) async fn check(hub: &Hub, key: &Key) -> Result<Caller> {
    match hub.auth().bearer_at(key.reveal(), "/mcp").await {
        Err(error) if error.kind() == ErrorKind::Unauthenticated => Err(unknown_key().with_source(error)),
        other => other,
    }
}
