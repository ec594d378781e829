//! Features of a blob directory beyond an object store: file versions and abandoned drafts.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

use svc_model::attachments::ContentHash;

use super::BlobStamp;
use crate::timestamp::Timestamp;

/// The version of a file. The modification time can be set by anybody; the change time cannot.
#[cfg(unix)]
pub(super) fn stamp(metadata: &Metadata) -> BlobStamp {
    use std::os::unix::fs::MetadataExt;

    let modified = (metadata.mtime(), metadata.mtime_nsec());
    let changed = (metadata.ctime(), metadata.ctime_nsec());
    BlobStamp { size: metadata.len(), version: format!("{} {modified:?} {changed:?}", metadata.ino()) }
}

/// The version of a file, as far as this system reports it.
#[cfg(not(unix))]
pub(super) fn stamp(metadata: &Metadata) -> BlobStamp {
    BlobStamp { size: metadata.len(), version: format!("{:?}", metadata.modified().ok()) }
}

/// Removes abandoned drafts. A draft is named like its blob, with a number after `#`; a killed
/// process leaves its drafts behind.
pub(super) async fn remove_drafts(directory: &Path, before: Timestamp) -> std::io::Result<()> {
    let mut shelves = tokio::fs::read_dir(directory).await?;
    while let Some(shelf) = shelves.next_entry().await? {
        if !shelf.file_type().await?.is_dir() {
            continue;
        }
        let mut files = tokio::fs::read_dir(shelf.path()).await?;
        while let Some(file) = files.next_entry().await? {
            let name = file.file_name();
            let is_draft = name.to_str().and_then(|name| name.split_once('#')).is_some_and(|(hash, number)| {
                hash.parse::<ContentHash>().is_ok() && number.bytes().all(|digit| digit.is_ascii_digit())
            });
            if is_draft && modified(&file).await? < before {
                drop(tokio::fs::remove_file(file.path()).await);
            }
        }
    }
    Ok(())
}

async fn modified(file: &tokio::fs::DirEntry) -> std::io::Result<Timestamp> {
    let since = file.metadata().await?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX)))
}
