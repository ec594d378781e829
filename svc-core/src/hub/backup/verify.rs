//! Checking an archive without a hub.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::model::{BackupProgress, BackupSummary, ProgressSink};
use crate::error::{Error, Result};
use crate::store::backup::{Entry, Header, Manifest, SealedKey, read};

/// Checks every byte of a backup. The error names the entry that is damaged.
pub async fn verify(archive: &Path, progress: ProgressSink) -> Result<BackupSummary> {
    let (header, manifest, _) = checked(archive, progress).await?;
    Ok(BackupSummary::of(&header, &manifest))
}

/// Checks every byte of a backup that comes from elsewhere, such as a pipe. `input` is read on a thread that may block.
pub async fn verify_from(input: Box<dyn Read + Send>, progress: ProgressSink) -> Result<BackupSummary> {
    let check = move || check(input, &progress);
    let checked = tokio::task::spawn_blocking(check).await.map_err(|error| Error::internal(error.to_string()))?;
    let (header, manifest, _) = checked?;
    Ok(BackupSummary::of(&header, &manifest))
}

/// Checks an archive, and returns what it says of itself.
pub(super) async fn checked(archive: &Path, progress: ProgressSink) -> Result<(Header, Manifest, Option<SealedKey>)> {
    let path = archive.to_owned();
    let check = move || check(open(&path)?, &progress);
    tokio::task::spawn_blocking(check).await.map_err(|error| Error::internal(error.to_string()))?
}

/// Reads a backup to its end, on a thread that may block.
fn check(input: impl Read, progress: &ProgressSink) -> Result<(Header, Manifest, Option<SealedKey>)> {
    let (mut key, mut so_far) = (None, BackupProgress::default());
    let mut visit = |entry: Entry<'_>| {
        match entry {
            Entry::Part { bytes, .. } => so_far.bytes += bytes.len() as u64,
            Entry::File { size, .. } => {
                so_far.bytes += size;
                so_far.files += 1;
            }
            Entry::Key(found) => key = Some(found.clone()),
        }
        progress(so_far);
        Ok(())
    };
    let (header, manifest) = read(input, &mut visit)?;
    Ok((header, manifest, key))
}

/// Opens an archive, on a thread that may block.
pub(super) fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| {
        let sentence = format!("{} cannot be read ({error}): check the path and its permissions.", path.display());
        Error::unavailable("backup_missing", sentence).with_source(error)
    })
}
