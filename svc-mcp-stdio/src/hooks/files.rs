//! The settings file of a client: read and replaced as a whole.

use std::io::ErrorKind as Io;
use std::path::Path;

use svc_core::{Error, Result};

/// The text of the file; `None` if there is none.
pub(super) async fn read(path: &Path) -> Result<Option<String>> {
    match tokio::fs::read_to_string(path).await {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == Io::NotFound => Ok(None),
        Err(error) => Err(refuse(path, &format!("cannot be read ({error})"))),
    }
}

/// Replaces the file atomically.
pub(super) async fn write(path: &Path, text: &str) -> Result<()> {
    let failed = |error: std::io::Error| refuse(path, &format!("cannot be written ({error})"));
    if let Some(directory) = path.parent() {
        tokio::fs::create_dir_all(directory).await.map_err(failed)?;
    }
    // Of a link, the target is replaced.
    let target = tokio::fs::canonicalize(path).await.unwrap_or_else(|_| path.to_owned());
    let beside = target.with_extension("json.svc-new");
    tokio::fs::write(&beside, text).await.map_err(failed)?;
    if let Ok(metadata) = tokio::fs::metadata(&target).await {
        tokio::fs::set_permissions(&beside, metadata.permissions()).await.map_err(failed)?;
    }
    tokio::fs::rename(&beside, &target).await.map_err(failed)
}

/// The error for a file that is left unchanged.
pub(super) fn refuse(path: &Path, what: &str) -> Error {
    Error::unavailable("settings", format!("{} {what}: fix it, or name another directory with --dir.", path.display()))
}
