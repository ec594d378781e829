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

/// Fails if there is no store, for programs that must not create one: a mistyped directory would otherwise become an
/// empty hub. Nothing is created or changed.
pub async fn refuse_missing_store(config: &HubConfig) -> Result<(), Error> {
    let StoreUrl::Sqlite(file) = config.store_url() else { return Ok(()) };
    if config.store.is_none() {
        refuse_missing(&config.data, "data directory", "set --data to the directory of a hub").await?;
    }
    refuse_missing(&file, "store", "start svc-http once, or set --data or --database-url to the store of a hub").await
}

async fn refuse_missing(path: &Path, what: &str, remedy: &str) -> Result<(), Error> {
    let Err(error) = tokio::fs::metadata(path).await else { return Ok(()) };
    let found = match error.kind() {
        Io::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be accessed ({error})"),
    };
    let sentence = format!("The {what} {} {found}: {remedy}.", path.display());
    Err(Error::unavailable("no_store", sentence).with_source(error))
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
