//! Opening of the hub in this process, beside a server that may be running.

use svc_core::{Error, Hub, HubConfig, Result};

/// Opens the hub. A missing store is not created: a mistyped directory would otherwise become an empty hub.
pub(crate) async fn open(config: HubConfig) -> Result<Hub> {
    svc_core::startup::refuse_missing_store(&config).await?;
    // Files of the store are for the hub's user alone.
    svc_core::startup::keep_new_files_private();
    let hub = Hub::open(config).await?;
    let Some(admin) = hub.first_admin() else { return Ok(hub) };
    let message = format!(
        "{} was empty and has no users: start svc-http on it; svc-admin users passwd {} sets a password.",
        hub.config().store_url(),
        admin.username
    );
    hub.close().await;
    Err(Error::unavailable("empty_store", message))
}
