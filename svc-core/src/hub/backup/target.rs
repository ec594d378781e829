//! The place that a backup is restored to: checked to be empty, and cleared after a failure.
//!
//! Invariant: a marker in the data directory says that a restore has begun there. Only what such a restore left is
//! ever removed.

use std::io::ErrorKind as Io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt;

use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::hub::config::HubConfig;
use crate::hub::data_directory::prepare_data_directory;
use crate::messaging::attachments::{self, BlobStore};
use crate::store::db::{Db, StoreUrl, not_empty};
use crate::store::vault::{self, SecretKey};

/// The file that says that a restore has begun.
const MARKER: &str = "restore.incomplete";

/// An empty place.
pub(super) struct Target {
    data: PathBuf,
    /// The directory of the files; `None` for a bucket.
    directory: Option<PathBuf>,
    pub(super) blobs: Arc<dyn BlobStore>,
    /// The final place of a file.
    file: Option<PathBuf>,
    /// Where the rows go first.
    pub(super) url: StoreUrl,
    key_placed: bool,
}

impl Target {
    /// Prepares the place, or refuses one that is not empty. Files are removed only if an interrupted restore of the
    /// same hub left them, and if there is no store.
    pub(super) async fn prepare(config: &HubConfig, hub_id: &str) -> Result<Self> {
        let is_repeated = exists(&config.data.join(MARKER)).await;
        let (file, url) = match config.store_url() {
            StoreUrl::Sqlite(path) => {
                for suffix in ["", "-wal"] {
                    let path = with_suffix(&path, suffix);
                    if tokio::fs::metadata(&path).await.is_ok_and(|found| found.len() > 0) {
                        return Err(not_empty(&path.display().to_string()));
                    }
                }
                let draft = with_suffix(&path, ".restoring");
                (Some(path), StoreUrl::Sqlite(draft))
            }
            url @ StoreUrl::Postgres(_) => {
                Db::check_empty(&url).await?;
                (None, url)
            }
        };
        let directory = config.blob_url.is_none().then(|| attachments::blob_directory(&config.data));
        prepare_data_directory(&config.data).await?;
        let mut blobs = attachments::open_blobs(&config.data, config.blob_url.as_deref()).await?;
        if let Some(directory) = directory.as_deref().filter(|_| is_repeated)
            && blobs.owner().await?.is_none_or(|owner| owner == hub_id)
        {
            remove_directory(directory).await?;
            blobs = attachments::open_blobs(&config.data, None).await?;
        }
        let has_files = blobs.list().next().await.transpose()?.is_some();
        match blobs.owner().await? {
            // The same files in the same bucket.
            Some(owner) if owner == hub_id && directory.is_none() => {}
            None if !has_files => {}
            _ => {
                let shown = directory.map(|path| path.display().to_string()).or_else(|| config.blob_url.clone());
                return Err(not_empty(&shown.unwrap_or_default()));
            }
        }
        let target = Self { data: config.data.clone(), directory, blobs, file, url, key_placed: false };
        target.remove_draft().await;
        tokio::fs::write(target.data.join(MARKER), b"").await.map_err(|error| target.unwritable(error))?;
        Ok(target)
    }

    /// A path for a file on its way into the file store.
    pub(super) fn passage(&self) -> PathBuf {
        self.data.join(format!("{MARKER}.file"))
    }

    /// Puts the key in its place. A key that is there already must be the same.
    pub(super) async fn place_key(&mut self, key: &SecretKey, entropy: &dyn Entropy) -> Result<()> {
        match vault::existing(&self.data).await? {
            Some(found) if found == *key => Ok(()),
            Some(_) => Err(Error::conflict(
                "secret_key_file",
                format!(
                    "{} has another key than the backup: move it away, or restore with --without-key.",
                    self.data.join(vault::FILE).display()
                ),
            )),
            None => {
                self.key_placed = true;
                vault::place(&self.data, key, entropy).await.map_err(|error| self.unwritable(error))
            }
        }
    }

    /// Whether the key file exists.
    pub(super) async fn has_key(&self) -> bool {
        exists(&self.data.join(vault::FILE)).await
    }

    /// Puts the store in its place.
    pub(super) async fn finish(self) -> Result<()> {
        if let (Some(file), StoreUrl::Sqlite(draft)) = (&self.file, &self.url) {
            tokio::fs::rename(draft, file).await.map_err(|error| self.unwritable(error))?;
            if let Some(folder) = file.parent() {
                let synced = async { tokio::fs::File::open(folder).await?.sync_all().await };
                synced.await.map_err(|error| self.unwritable(error))?;
            }
        }
        drop(tokio::fs::remove_file(self.passage()).await);
        drop(tokio::fs::remove_file(self.data.join(MARKER)).await);
        Ok(())
    }

    /// Removes everything that this restore has made.
    pub(super) async fn clear(self) {
        self.remove_draft().await;
        drop(tokio::fs::remove_file(self.passage()).await);
        if let Some(directory) = &self.directory
            && let Err(error) = remove_directory(directory).await
        {
            tracing::warn!(error = error.log_line(), "files of a failed restore are left");
            return;
        }
        if self.key_placed {
            drop(tokio::fs::remove_file(self.data.join(vault::FILE)).await);
        }
        drop(tokio::fs::remove_file(self.data.join(MARKER)).await);
    }

    async fn remove_draft(&self) {
        if let (Some(_), StoreUrl::Sqlite(draft)) = (&self.file, &self.url) {
            drop(tokio::fs::remove_file(draft).await);
        }
    }

    fn unwritable(&self, error: std::io::Error) -> Error {
        let sentence = format!("{} cannot be written to ({error}): check its permissions.", self.data.display());
        Error::unavailable("data_directory", sentence).with_source(error)
    }
}

async fn exists(path: &Path) -> bool {
    tokio::fs::try_exists(path).await.unwrap_or(false)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

async fn remove_directory(directory: &Path) -> Result<()> {
    match tokio::fs::remove_dir_all(directory).await {
        Err(error) if error.kind() != Io::NotFound => {
            let sentence = format!("{} of an interrupted restore cannot be removed ({error}).", directory.display());
            Err(Error::unavailable("data_directory", sentence).with_source(error))
        }
        _ => Ok(()),
    }
}
