//! Opening of the hub in this process, beside a server that may be running.

use std::path::Path;

use svc_core::db::StoreUrl;
use svc_core::{Error, Hub, HubConfig, Result};

/// Opens the hub. A missing store is not created: a mistyped directory would otherwise become an empty hub.
pub(crate) async fn open(config: HubConfig) -> Result<Hub> {
    check_store_exists(&config).await?;
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

async fn check_store_exists(config: &HubConfig) -> Result<()> {
    let StoreUrl::Sqlite(file) = config.store_url() else { return Ok(()) };
    if config.store.is_none() {
        check_exists(&config.data, "data directory", "set --data to the directory of a hub").await?;
    }
    check_exists(&file, "store", "start svc-http once, or set --data or --database-url to the store of a hub").await
}

async fn check_exists(path: &Path, what: &str, remedy: &str) -> Result<()> {
    let refuse = |found: &str, error: std::io::Error| {
        Error::unavailable("no_store", format!("The {what} {} {found}: {remedy}.", path.display())).with_source(error)
    };
    match tokio::fs::metadata(path).await {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(refuse("does not exist", error)),
        Err(error) => Err(refuse(&format!("cannot be accessed ({error})"), error)),
    }
}
