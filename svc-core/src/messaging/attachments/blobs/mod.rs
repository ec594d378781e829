//! The blob store: a directory, or an S3-compatible bucket.
//!
//! Invariants:
//! - A blob exists completely or not at all, and its content never changes, because its name is its
//!   hash.
//! - A removed blob is moved to the trash first and deleted from there later.
//! - The store records the one hub that it belongs to.

mod archives;
mod directory;
mod objects;

use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;
use std::pin::Pin;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::Stream;

pub(crate) use archives::ArchiveBucket;
pub use objects::ObjectBlobs;
pub(crate) use objects::{DIRECTORY, endpoint, local_directory, open};

use crate::error::Result;
use crate::timestamp::Timestamp;
use svc_model::attachments::ContentHash;

/// The bytes of a blob, in chunks.
pub type BlobStream = Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>;

/// A blob in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBlob {
    /// The hash of its content.
    pub hash: ContentHash,
    /// Its size in bytes.
    pub size: u64,
    /// The time when it was stored, by the clock of the store.
    pub modified_at: Timestamp,
}

/// The version of a blob, which changes whenever its bytes are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobStamp {
    /// Its size in bytes.
    pub size: u64,
    /// A version identifier, specific to the store.
    pub version: String,
}

/// A blob that is being read.
pub struct OpenBlob {
    /// The version that is being read.
    pub stamp: BlobStamp,
    /// The requested bytes.
    pub pieces: BlobStream,
}

/// A blob in the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobAside {
    /// The hash of its content.
    pub hash: ContentHash,
    /// The time of its removal.
    pub since: Timestamp,
}

/// Stores blobs by their hashes. The default implementation is [`ObjectBlobs`].
#[async_trait]
pub trait BlobStore: Debug + Send + Sync {
    /// Stores the content of a file, durably. Replaces an existing blob.
    async fn put(&self, hash: &ContentHash, file: &Path) -> Result<()>;

    /// A range of a blob; `not_found` if it does not exist.
    async fn get(&self, hash: &ContentHash, range: Range<u64>) -> Result<OpenBlob>;

    /// The version of a blob; `None` if it does not exist.
    async fn stamp(&self, hash: &ContentHash) -> Result<Option<BlobStamp>>;

    /// Moves a blob to the trash, where it is kept for a while; a missing blob is not an error.
    async fn set_aside(&self, hash: &ContentHash, now: Timestamp) -> Result<()>;

    /// Restores a blob from the trash; `false` if it is not there.
    async fn bring_back(&self, hash: &ContentHash) -> Result<bool>;

    /// The whole content of a blob in the trash, without taking it out of there; `None` if it is not there.
    async fn get_aside(&self, hash: &ContentHash) -> Result<Option<BlobStream>> {
        let _ = hash;
        Ok(None)
    }

    /// Deletes a blob from the trash; a missing one is not an error.
    async fn delete(&self, aside: &BlobAside) -> Result<()>;

    /// All stored blobs, in any order.
    fn list(&self) -> Pin<Box<dyn Stream<Item = Result<StoredBlob>> + Send + '_>>;

    /// All blobs in the trash, in any order.
    fn list_aside(&self) -> Pin<Box<dyn Stream<Item = Result<BlobAside>> + Send + '_>>;

    /// The id of the hub that the store belongs to; `None` if it is unbound.
    async fn owner(&self) -> Result<Option<String>>;

    /// Records the hub that the store belongs to. An existing owner is kept unless `replace` is
    /// set.
    async fn set_owner(&self, hub: &str, replace: bool) -> Result<()>;

    /// Removes unfinished writes that were started before this time.
    async fn tidy(&self, before: Timestamp) -> Result<()> {
        let _ = before;
        Ok(())
    }
}
