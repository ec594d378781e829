//! What is checked before the store is opened, and how a failure to open is told.
//!
//! Each failure is one sentence that says what is wrong and what to do.

use std::io::ErrorKind as Io;
use std::path::Path;

use crate::attachments;
use crate::config::HubConfig;
use crate::db::{DbError, StoreUrl};
use crate::error::Error;
use crate::vault;

/// Sees that no new database would begin beside what belongs to an earlier one: its files would look like nobody's.
/// Nothing is made or changed.
pub async fn refuse_lost_store(config: &HubConfig) -> Result<(), Error> {
    let StoreUrl::Sqlite(path) = config.store_url() else { return Ok(()) };
    if config.new_store {
        return Ok(());
    }
    let state = match tokio::fs::metadata(&path).await {
        Err(error) if error.kind() == Io::NotFound => "missing",
        Ok(found) if found.is_file() && found.len() == 0 => "empty",
        // What else is wrong with it is told when it is opened.
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
        "The database {} is {state}, although {} of an earlier one is there: put the database back, or start with \
         --new-store to begin with an empty one.",
        path.display(),
        left.display()
    );
    Err(Error::unavailable("store_missing", sentence))
}

/// Whether there is a file in a directory, or in one of those in it.
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

/// Makes the data directory if need be and sees that it can be written to.
pub(crate) async fn prepare_data_directory(data: &Path) -> Result<(), Error> {
    let shown = data.display();
    let refuse = |error: std::io::Error, what: &str, remedy: &str| {
        Error::unavailable("data_directory", format!("The data directory {shown} {what}: {remedy}.")).with_source(error)
    };
    let created = create_private(data).await;
    created.map_err(|error| match error.kind() {
        Io::PermissionDenied => {
            refuse(error, "cannot be made", "give this user the right to write there, or name another with --data")
        }
        Io::ReadOnlyFilesystem => {
            refuse(error, "is on a read-only file system", "mount it writable, or name another with --data")
        }
        Io::StorageFull => refuse(error, "cannot be made", "the disk is full, free some space"),
        Io::AlreadyExists | Io::NotADirectory => {
            refuse(error, "is not a directory", "move the file away, or name another with --data")
        }
        _ => refuse(error, "cannot be made", "name another with --data"),
    })?;
    let probe = data.join(".write-test");
    let written = tokio::fs::write(&probe, b"svc").await;
    drop(tokio::fs::remove_file(&probe).await);
    written.map_err(|error| match error.kind() {
        Io::PermissionDenied => {
            refuse(error, "is not writable by this user", "change its owner or rights, or name another with --data")
        }
        Io::ReadOnlyFilesystem => {
            refuse(error, "is on a read-only file system", "mount it writable, or name another with --data")
        }
        Io::StorageFull => refuse(error, "has no room left", "free some space"),
        _ => refuse(error, "cannot be written to", "name another with --data"),
    })
}

/// Keys and private messages are kept here, so nobody else may look in.
async fn create_private(data: &Path) -> std::io::Result<()> {
    if tokio::fs::metadata(data).await.is_ok_and(|metadata| metadata.is_dir()) {
        return Ok(());
    }
    let mut builder = tokio::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(data).await
}

/// Puts a failure to open the store into words that name the store.
pub(crate) fn explain(config: &HubConfig, error: Error) -> Error {
    let url = config.store_url();
    let (code, sentence) = match (error.db(), &url) {
        (Some(DbError::Corrupt(_)), _) => (
            "storage_damaged",
            format!("{url} is damaged or is not a database: move it away, or restore a backup over it."),
        ),
        (Some(DbError::Full(_)), _) => ("storage_full", format!("There is no room left for {url}: free some space.")),
        (Some(DbError::Unavailable(detail)), StoreUrl::Sqlite(_)) if detail.contains("locked") => {
            ("storage_unavailable", format!("{url} is locked by another program: stop that program, then start again."))
        }
        (Some(DbError::Unavailable(detail)), StoreUrl::Sqlite(_)) => (
            "storage_unavailable",
            format!("{url} cannot be opened ({detail}): see that this user may read and write it and its directory."),
        ),
        (Some(DbError::Unavailable(detail)), StoreUrl::Postgres(_)) => (
            "storage_unavailable",
            format!(
                "{url} cannot be reached ({detail}): see that the server runs and that address, user and password are right."
            ),
        ),
        _ => return error,
    };
    Error::unavailable(code, sentence).with_source(error)
}
