//! Temporary files of running uploads, in the directory `uploads` of the data directory.
//!
//! Invariant: a temporary file is removed together with its handle. A killed process leaves its
//! files behind without their locks, and the next hub that opens the directory removes them.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::clock::{Entropy, random_hex};
use crate::error::{Error, Result};

/// The directory inside the data directory.
const DIRECTORY: &str = "uploads";

/// The directory of temporary upload files.
#[derive(Debug, Clone)]
pub(super) struct Uploads {
    directory: PathBuf,
}

impl Uploads {
    /// Creates the directory if it is missing, and removes files that a killed process left in it.
    pub(super) async fn open(data: &Path) -> Result<Self> {
        let directory = data.join(DIRECTORY);
        prepare(&directory).await.map_err(|error| {
            let sentence = format!(
                "The directory {} cannot be used. Make sure that this user may read and write it.",
                directory.display()
            );
            Error::unavailable("data_directory", sentence).with_source(error)
        })?;
        Ok(Self { directory })
    }

    /// Creates an empty file.
    pub(super) async fn create(&self, entropy: &dyn Entropy) -> Result<TemporaryFile> {
        loop {
            let path = self.directory.join(random_hex(entropy, 16));
            let mut options = tokio::fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            options.mode(0o600);
            let file = options.open(&path).await.map_err(cannot_keep)?.into_std().await;
            let temporary = TemporaryFile { path, lock: file };
            // A hub that is being opened at this moment may have removed the file as abandoned.
            if temporary.lock.try_lock().is_ok() && tokio::fs::try_exists(&temporary.path).await.map_err(cannot_keep)? {
                return Ok(temporary);
            }
        }
    }
}

/// The error for a failed write of a temporary file.
pub(super) fn cannot_keep(error: io::Error) -> Error {
    let unavailable = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Error::unavailable("storage_full", "There is no space left for files. Free some space, then try again.")
        }
        _ => Error::unavailable("uploads_unavailable", "Files cannot be uploaded at the moment. Try again later."),
    };
    unavailable.with_source(error)
}

async fn prepare(directory: &Path) -> io::Result<()> {
    let mut builder = tokio::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(directory).await?;
    let mut entries = tokio::fs::read_dir(directory).await?;
    while let Some(entry) = entries.next_entry().await? {
        remove_abandoned(&entry.path()).await;
    }
    Ok(())
}

/// Removes a file that no process has locked.
async fn remove_abandoned(path: &Path) {
    let Ok(file) = tokio::fs::OpenOptions::new().write(true).open(path).await else { return };
    match file.into_std().await.try_lock() {
        Ok(()) => drop(tokio::fs::remove_file(path).await),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => {
            tracing::warn!(%error, path = %path.display(), "an abandoned upload cannot be removed");
        }
    }
}

/// A file that is removed when this is dropped.
#[derive(Debug)]
pub(super) struct TemporaryFile {
    path: PathBuf,
    lock: File,
}

impl TemporaryFile {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A handle for writing; the lock stays here.
    pub(super) fn writer(&self) -> Result<tokio::fs::File> {
        Ok(tokio::fs::File::from_std(self.lock.try_clone().map_err(cannot_keep)?))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // If it cannot be removed now, the next start tries again.
        drop(std::fs::remove_file(&self.path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemEntropy;

    #[tokio::test]
    async fn opening_removes_unlocked_files() {
        let data = std::env::temp_dir().join(format!("svc-uploads-{}", random_hex(&SystemEntropy, 8)));
        let uploads = Uploads::open(&data).await.unwrap();
        let held = uploads.create(&SystemEntropy).await.unwrap();
        let left_behind = data.join(DIRECTORY).join("left-behind");
        tokio::fs::write(&left_behind, b"half").await.unwrap();
        Uploads::open(&data).await.unwrap();
        assert!(held.path().exists() && !left_behind.exists());
        let path = held.path().to_owned();
        drop(held);
        assert!(!path.exists());
        tokio::fs::remove_dir_all(&data).await.unwrap();
    }
}
