//! Where scheduled backups go: a directory, or a bucket.
//!
//! Invariants: an archive gets its name when it is complete and was read back; only archives that the hub has written
//! down, and drafts of this hub, are ever removed.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::messaging::attachments::ArchiveBucket;

/// The ending of a draft.
const DRAFT: &str = ".draft";
/// The draft in the data directory, of an archive that goes to a bucket.
const UPLOAD: &str = "backup.draft";

/// A place for archives.
pub(super) enum Place {
    Directory(PathBuf),
    /// A bucket, and the data directory for the draft.
    Bucket(ArchiveBucket, PathBuf),
}

impl Place {
    /// The place with this name. A directory is made if it is missing.
    pub(super) async fn open(to: &str, data: &Path) -> Result<Self> {
        if to.starts_with("s3://") {
            return Ok(Self::Bucket(ArchiveBucket::open(to).map_err(|error| no_bucket(&error))?, data.to_owned()));
        }
        let path = PathBuf::from(to);
        if !path.is_absolute() {
            return Err(Error::invalid("to", "must be an absolute path of a directory, or s3://BUCKET/PREFIX"));
        }
        let mut builder = tokio::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        builder.mode(0o700);
        builder.create(&path).await.map_err(|error| unusable(&path, error))?;
        Ok(Self::Directory(path))
    }

    /// Fails if nothing can be written there.
    pub(super) async fn try_out(&self) -> Result<()> {
        match self {
            Self::Directory(path) => {
                let probe = path.join(format!(".svc-write-test{DRAFT}"));
                let tried = async {
                    tokio::fs::write(&probe, b"").await?;
                    tokio::fs::remove_file(&probe).await
                };
                tried.await.map_err(|error| unusable(path, error))
            }
            Self::Bucket(bucket, _) => bucket.try_out().await,
        }
    }

    /// The path of the draft of an archive.
    pub(super) fn draft(&self, name: &str) -> PathBuf {
        match self {
            Self::Directory(path) => path.join(format!(".{name}{DRAFT}")),
            Self::Bucket(_, data) => data.join(UPLOAD),
        }
    }

    /// Removes drafts that an ended process has left; the names of archives of this hub begin with `prefix`.
    pub(super) async fn tidy(&self, prefix: &str) -> Result<()> {
        let Self::Directory(path) = self else { return Ok(()) };
        let removed = async {
            let mut entries = tokio::fs::read_dir(path).await?;
            while let Some(entry) = entries.next_entry().await? {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.strip_prefix('.').is_some_and(|name| name.starts_with(prefix)) && name.ends_with(DRAFT) {
                    tokio::fs::remove_file(entry.path()).await?;
                }
            }
            io::Result::Ok(())
        };
        removed.await.map_err(|error| unusable(path, error))
    }

    /// An empty draft, which only its owner can read.
    pub(super) async fn create(&self, draft: &Path) -> Result<std::fs::File> {
        let mut options = tokio::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        options.mode(0o600);
        Ok(options.open(draft).await.map_err(|error| unusable(draft, error))?.into_std().await)
    }

    /// Gives a complete draft its name.
    pub(super) async fn settle(&self, draft: &Path, name: &str, size: u64) -> Result<()> {
        match self {
            Self::Directory(path) => {
                let settled = async {
                    tokio::fs::File::open(draft).await?.sync_all().await?;
                    tokio::fs::rename(draft, path.join(name)).await?;
                    tokio::fs::File::open(path).await?.sync_all().await
                };
                settled.await.map_err(|error| unusable(path, error))
            }
            Self::Bucket(bucket, _) => {
                let stored = match bucket.put(name, draft).await {
                    Ok(()) => bucket.size(name).await,
                    Err(error) => Err(error),
                };
                discard(draft).await;
                if matches!(stored, Ok(Some(found)) if found == size) {
                    return Ok(());
                }
                // It is not written down, so nothing else would remove it.
                if let Err(error) = bucket.remove(name).await {
                    tracing::warn!(name, error = error.log_line(), "an unchecked archive is left in the bucket");
                }
                stored?;
                Err(Error::unavailable("backup_place", "The bucket has not stored the whole backup: try again later."))
            }
        }
    }

    /// Removes an archive; one that is gone already is not an error.
    pub(super) async fn remove(&self, name: &str) -> Result<()> {
        match self {
            Self::Directory(path) => match tokio::fs::remove_file(path.join(name)).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unusable(path, error)),
                _ => Ok(()),
            },
            Self::Bucket(bucket, _) => bucket.remove(name).await,
        }
    }
}

/// Removes a draft; the next backup removes one that is left.
pub(super) async fn discard(draft: &Path) {
    drop(tokio::fs::remove_file(draft).await);
}

fn unusable(path: &Path, error: io::Error) -> Error {
    let sentence = format!(
        "{} cannot be used for backups ({error}): see that there is room and that the user of the server may write there.",
        path.display()
    );
    Error::unavailable("backup_place", sentence).with_source(error)
}

fn no_bucket(error: &Error) -> Error {
    let reason = error.fields().first().map_or_else(|| error.message().to_owned(), |field| field.message.clone());
    Error::invalid("to", reason)
}
