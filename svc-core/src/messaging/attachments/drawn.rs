//! Small pictures that were drawn before, in the directory `thumbnails` of the data directory.
//!
//! What always holds: a file is there whole or not at all; all of them together stay within a limit, for
//! which the oldest go; nothing depends on them, because what is missing is drawn again. That a picture
//! cannot be drawn is kept too, so that it is tried once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use bytes::Bytes;
use svc_model::attachments::ContentHash;

use super::model::Thumbnail;
use super::picture::{Drawn, Size};
use crate::clock::{Entropy, random_hex};
use crate::error::{Error, Result};
use crate::limits;

/// The directory within the data directory.
const DIRECTORY: &str = "thumbnails";

/// The first byte of a file says what the others are.
const JPEG: u8 = b'j';
const PNG: u8 = b'p';
const TOO_LARGE: u8 = b'l';
const NOTHING: u8 = b'n';

/// A directory of what was drawn before.
#[derive(Debug, Clone)]
pub(super) struct DrawnBefore {
    directory: PathBuf,
    bytes: Arc<AtomicU64>,
}

/// A file in the directory.
struct Entry {
    path: PathBuf,
    bytes: u64,
    since: SystemTime,
}

impl DrawnBefore {
    /// Makes the directory if need be, and adds up what is in it.
    pub(super) async fn open(data: &Path) -> Result<Self> {
        let directory = data.join(DIRECTORY);
        let bytes = prepare(&directory).await.map_err(|error| {
            let sentence = format!(
                "The directory {} cannot be used: see that this user may read and write it.",
                directory.display()
            );
            Error::unavailable("data_directory", sentence).with_source(error)
        })?;
        Ok(Self { directory, bytes: Arc::new(AtomicU64::new(bytes)) })
    }

    fn path(&self, hash: &ContentHash) -> PathBuf {
        self.directory.join(hash.as_str())
    }

    /// What came of it when it was drawn.
    pub(super) async fn find(&self, hash: &ContentHash) -> Option<Drawn> {
        parse(tokio::fs::read(self.path(hash)).await.ok()?)
    }

    /// Keeps what came of it. Where that fails, it is drawn again.
    pub(super) async fn keep(&self, hash: &ContentHash, drawn: &Drawn, entropy: &dyn Entropy) {
        let content = written(drawn);
        let arriving = self.directory.join(format!("{}.{}", hash.as_str(), random_hex(entropy, 8)));
        let kept = async {
            tokio::fs::write(&arriving, &content).await?;
            tokio::fs::rename(&arriving, self.path(hash)).await
        };
        if let Err(error) = kept.await {
            tracing::warn!(%error, "a small picture cannot be kept");
            tokio::fs::remove_file(&arriving).await.ok();
            return;
        }
        let added = content.len() as u64;
        let bytes = self.bytes.fetch_add(added, Ordering::Relaxed).saturating_add(added);
        if bytes > limits::THUMBNAILS_KEPT_MAX
            && let Err(error) = self.make_room().await
        {
            tracing::warn!(%error, "small pictures that were kept cannot be removed");
        }
    }

    /// Removes what was drawn of a content that is gone.
    pub(super) async fn forget(&self, hash: &ContentHash) {
        // There may be none.
        tokio::fs::remove_file(self.path(hash)).await.ok();
    }

    /// Removes the oldest until there is room for a while.
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

fn written(drawn: &Drawn) -> Vec<u8> {
    match drawn {
        Drawn::Small(Thumbnail { mime_type: "image/png", content }) => [&[PNG], content.as_ref()].concat(),
        Drawn::Small(Thumbnail { content, .. }) => [&[JPEG], content.as_ref()].concat(),
        Drawn::TooLarge(Size { width, height }) => {
            [&[TOO_LARGE], width.to_be_bytes().as_slice(), &height.to_be_bytes()].concat()
        }
        Drawn::Nothing => vec![NOTHING],
    }
}

fn parse(content: Vec<u8>) -> Option<Drawn> {
    let kind = *content.first()?;
    let content = Bytes::from(content).slice(1..);
    match kind {
        JPEG => Some(Drawn::Small(Thumbnail { mime_type: "image/jpeg", content })),
        PNG => Some(Drawn::Small(Thumbnail { mime_type: "image/png", content })),
        TOO_LARGE => {
            let (width, height) = content.split_first_chunk()?;
            let (width, height) = (u32::from_be_bytes(*width), u32::from_be_bytes(*height.first_chunk()?));
            Some(Drawn::TooLarge(Size { width, height }))
        }
        NOTHING => Some(Drawn::Nothing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemEntropy;

    #[tokio::test]
    async fn what_was_drawn_is_found_until_its_content_is_gone() {
        let data = std::env::temp_dir().join(format!("svc-drawn-{}", random_hex(&SystemEntropy, 8)));
        let drawn_before = DrawnBefore::open(&data).await.unwrap();
        let hash = ContentHash::of(b"a picture");
        assert!(drawn_before.find(&hash).await.is_none());
        for drawn in [
            Drawn::Small(Thumbnail { mime_type: "image/png", content: Bytes::from_static(b"png") }),
            Drawn::Small(Thumbnail { mime_type: "image/jpeg", content: Bytes::from_static(b"jpeg") }),
            Drawn::TooLarge(Size { width: 7, height: 16_383 }),
            Drawn::Nothing,
        ] {
            drawn_before.keep(&hash, &drawn, &SystemEntropy).await;
            let found = DrawnBefore::open(&data).await.unwrap().find(&hash).await.unwrap();
            assert_eq!(format!("{found:?}"), format!("{drawn:?}"));
        }
        drawn_before.forget(&hash).await;
        assert!(drawn_before.find(&hash).await.is_none());
        tokio::fs::remove_dir_all(&data).await.unwrap();
    }
}
