//! The thumbnail cache, in the directory `thumbnails` of the data directory.
//!
//! Invariants:
//! - A file exists completely or not at all.
//! - The total size is limited; the oldest files are removed first.
//! - Nothing depends on the cache, because a missing thumbnail is rendered again.
//! - A failed rendering is cached too, so that it is tried only once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use bytes::Bytes;
use svc_model::attachments::ContentHash;

use super::model::Thumbnail;
use super::picture::{Rendered, Size};
use crate::clock::{Entropy, random_hex};
use crate::error::{Error, Result};
use crate::limits;

/// The directory inside the data directory.
const DIRECTORY: &str = "thumbnails";

/// The first byte of a file determines the meaning of the rest.
const JPEG: u8 = b'j';
const PNG: u8 = b'p';
const TOO_LARGE: u8 = b'l';
const NOTHING: u8 = b'n';

/// The thumbnail cache.
#[derive(Debug, Clone)]
pub(super) struct ThumbnailCache {
    directory: PathBuf,
    bytes: Arc<AtomicU64>,
}

/// A file in the directory.
struct Entry {
    path: PathBuf,
    bytes: u64,
    since: SystemTime,
}

impl ThumbnailCache {
    /// Creates the directory if it is missing, and computes its total size.
    pub(super) async fn open(data: &Path) -> Result<Self> {
        let directory = data.join(DIRECTORY);
        let bytes = prepare(&directory).await.map_err(|error| {
            let sentence = format!(
                "The directory {} cannot be used. Make sure that this user may read and write it.",
                directory.display()
            );
            Error::unavailable("data_directory", sentence).with_source(error)
        })?;
        Ok(Self { directory, bytes: Arc::new(AtomicU64::new(bytes)) })
    }

    fn path(&self, hash: &ContentHash) -> PathBuf {
        self.directory.join(hash.as_str())
    }

    /// The cached result of a rendering.
    pub(super) async fn find(&self, hash: &ContentHash) -> Option<Rendered> {
        parse(tokio::fs::read(self.path(hash)).await.ok()?)
    }

    /// Caches a result. On failure it is rendered again later.
    pub(super) async fn keep(&self, hash: &ContentHash, rendered: &Rendered, entropy: &dyn Entropy) {
        let content = written(rendered);
        let arriving = self.directory.join(format!("{}.{}", hash.as_str(), random_hex(entropy, 8)));
        let kept = async {
            tokio::fs::write(&arriving, &content).await?;
            tokio::fs::rename(&arriving, self.path(hash)).await
        };
        if let Err(error) = kept.await {
            tracing::warn!(%error, "a thumbnail cannot be cached");
            tokio::fs::remove_file(&arriving).await.ok();
            return;
        }
        let added = content.len() as u64;
        let bytes = self.bytes.fetch_add(added, Ordering::Relaxed).saturating_add(added);
        if bytes > limits::THUMBNAILS_KEPT_MAX
            && let Err(error) = self.make_room().await
        {
            tracing::warn!(%error, "cached thumbnails cannot be removed");
        }
    }

    /// Removes the cached thumbnail of a removed content.
    pub(super) async fn forget(&self, hash: &ContentHash) {
        // There may be none.
        tokio::fs::remove_file(self.path(hash)).await.ok();
    }

    /// Removes the oldest files until the total size is well below the limit.
    async fn make_room(&self) -> io::Result<()> {
        let mut entries = entries(&self.directory).await?;
        entries.sort_by_key(|entry| entry.since);
        let mut left: u64 = entries.iter().map(|entry| entry.bytes).sum();
        for entry in entries {
            if left <= limits::THUMBNAILS_KEPT_MAX / 4 * 3 {
                break;
            }
            tokio::fs::remove_file(&entry.path).await?;
            left = left.saturating_sub(entry.bytes);
        }
        self.bytes.store(left, Ordering::Relaxed);
        Ok(())
    }
}

async fn prepare(directory: &Path) -> io::Result<u64> {
    let mut builder = tokio::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(directory).await?;
    Ok(entries(directory).await?.iter().map(|entry| entry.bytes).sum())
}

async fn entries(directory: &Path) -> io::Result<Vec<Entry>> {
    let mut found = Vec::new();
    let mut listed = tokio::fs::read_dir(directory).await?;
    while let Some(entry) = listed.next_entry().await? {
        // Another process may have removed it meanwhile.
        if let Ok(metadata) = entry.metadata().await
            && metadata.is_file()
        {
            found.push(Entry { path: entry.path(), bytes: metadata.len(), since: metadata.modified()? });
        }
    }
    Ok(found)
}

fn written(rendered: &Rendered) -> Vec<u8> {
    match rendered {
        Rendered::Small(Thumbnail { mime_type: "image/png", content }) => [&[PNG], content.as_ref()].concat(),
        Rendered::Small(Thumbnail { content, .. }) => [&[JPEG], content.as_ref()].concat(),
        Rendered::TooLarge(Size { width, height }) => {
            [&[TOO_LARGE], width.to_be_bytes().as_slice(), &height.to_be_bytes()].concat()
        }
        Rendered::Nothing => vec![NOTHING],
    }
}

fn parse(content: Vec<u8>) -> Option<Rendered> {
    let kind = *content.first()?;
    let content = Bytes::from(content).slice(1..);
    match kind {
        JPEG => Some(Rendered::Small(Thumbnail { mime_type: "image/jpeg", content })),
        PNG => Some(Rendered::Small(Thumbnail { mime_type: "image/png", content })),
        TOO_LARGE => {
            let (width, height) = content.split_first_chunk()?;
            let (width, height) = (u32::from_be_bytes(*width), u32::from_be_bytes(*height.first_chunk()?));
            Some(Rendered::TooLarge(Size { width, height }))
        }
        NOTHING => Some(Rendered::Nothing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemEntropy;

    #[tokio::test]
    async fn a_cached_thumbnail_is_found_until_its_content_is_removed() {
        let data = std::env::temp_dir().join(format!("svc-drawn-{}", random_hex(&SystemEntropy, 8)));
        let thumbnail_cache = ThumbnailCache::open(&data).await.unwrap();
        let hash = ContentHash::of(b"a picture");
        assert!(thumbnail_cache.find(&hash).await.is_none());
        for rendered in [
            Rendered::Small(Thumbnail { mime_type: "image/png", content: Bytes::from_static(b"png") }),
            Rendered::Small(Thumbnail { mime_type: "image/jpeg", content: Bytes::from_static(b"jpeg") }),
            Rendered::TooLarge(Size { width: 7, height: 16_383 }),
            Rendered::Nothing,
        ] {
            thumbnail_cache.keep(&hash, &rendered, &SystemEntropy).await;
            let found = ThumbnailCache::open(&data).await.unwrap().find(&hash).await.unwrap();
            assert_eq!(format!("{found:?}"), format!("{rendered:?}"));
        }
        thumbnail_cache.forget(&hash).await;
        assert!(thumbnail_cache.find(&hash).await.is_none());
        tokio::fs::remove_dir_all(&data).await.unwrap();
    }
}
