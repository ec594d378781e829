//! Where the bytes of files are kept: a directory, or an S3-compatible bucket.
//!
//! What always holds: a blob is there whole or not at all, and its content never changes, because its
//! name is the hash of it.

mod objects;

use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;
use std::pin::Pin;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::Stream;

pub use objects::ObjectBlobs;
pub(crate) use objects::{directory, open};

use super::hash::ContentHash;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// The bytes of a blob, piece by piece.
pub type BlobStream = Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>;

/// A blob that is in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBlob {
    /// Its name.
    pub hash: ContentHash,
    /// Its bytes.
    pub size: u64,
    /// When it was put there, by the store's own clock.
    pub modified_at: Timestamp,
}

/// Keeps blobs by their hashes. The default is [`ObjectBlobs`].
#[async_trait]
pub trait BlobStore: Debug + Send + Sync {
    /// Keeps what is in the file; it is durable when this returns. What is there already has the same
    /// content and may be written again.
    async fn put(&self, hash: &ContentHash, file: &Path) -> Result<()>;

    /// A part of a blob; `not_found` when it is not there.
    async fn get(&self, hash: &ContentHash, range: Range<u64>) -> Result<BlobStream>;

    /// How many bytes a blob has; `None` when it is not there.
    async fn size(&self, hash: &ContentHash) -> Result<Option<u64>>;

    /// Removes a blob; one that is not there is no failure.
    async fn delete(&self, hash: &ContentHash) -> Result<()>;

    /// All blobs, in any order.
    fn list(&self) -> Pin<Box<dyn Stream<Item = Result<StoredBlob>> + Send + '_>>;

    /// Removes what was begun before this moment and never became a blob.
    async fn tidy(&self, before: Timestamp) -> Result<()> {
        let _ = before;
        Ok(())
    }
}
