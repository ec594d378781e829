//! Errors at startup.
//!
//! Each error says what is wrong and what to do.

use std::io::ErrorKind as Io;
use std::path::Path;

use super::config::HubConfig;
use crate::error::Error;
use crate::messaging::attachments;
use crate::store::db::{StoreUrl, explain};
use crate::store::vault;

/// Fails if a new database would be created beside the files of an earlier one, whose files would
/// then look unreferenced. Nothing is created or changed.
pub async fn refuse_lost_store(config: &HubConfig) -> Result<(), Error> {
    let StoreUrl::Sqlite(path) = config.store_url() else { return Ok(()) };
    if config.new_store {
        return Ok(());
    }
    let state = match tokio::fs::metadata(&path).await {
        Err(error) if error.kind() == Io::NotFound => "missing",
        Ok(found) if found.is_file() && found.len() == 0 => "empty",
        // Other problems are reported when it is opened.
        _ => return Ok(()),
    };
    let key = config.data.join(vault::FILE);
    let files = config.data.join(attachments::BLOB_DIRECTORY);
    let left = if tokio::fs::try_exists(&key).await.unwrap_or(false) {
        key
    } else if holds_files(&files).await {
        files
    } else {
        return Ok(());
    };
    let sentence = format!(
        "The database {} is {state}, but {} of an earlier one exists. Restore the database, or start with \
         --new-store to create an empty one.",
        path.display(),
        left.display()
    );
    Err(Error::unavailable("store_missing", sentence))
}

/// Whether a directory contains a file, at any depth.
async fn holds_files(directory: &Path) -> bool {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let Ok(mut entries) = tokio::fs::read_dir(&directory).await else { continue };
        while let Ok(Some(entry)) = entries.next_entry().await {
            match entry.file_type().await {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                Ok(_) => return true,
                Err(_) => {}
            }
        }
    }
    false
}

/// Adds the location of the store to an error at opening it.
pub(crate) fn explain(config: &HubConfig, error: Error) -> Error {
    explain::explain(&config.store_url(), error)
}
