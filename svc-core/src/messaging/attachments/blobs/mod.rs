//! Where the bytes of files are kept: a directory, or an S3-compatible bucket.
//!
//! What always holds: a blob is there whole or not at all, and its content never changes, because its
//! name is the hash of it. A blob that is removed is set aside first, and deleted from there later. The
//! store names the one hub that it belongs to.

mod directory;
mod objects;

use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;
use std::pin::Pin;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::Stream;

pub use objects::ObjectBlobs;
pub(crate) use objects::{DIRECTORY, local_directory, open};

use crate::error::Result;
use crate::timestamp::Timestamp;
use svc_model::attachments::ContentHash;

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

/// What changes when the bytes of a blob are written again, by whomever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobStamp {
    /// How many bytes it has.
    pub size: u64,
    /// The rest, in the store's own words.
    pub version: String,
}

/// A blob that is being read.
pub struct OpenBlob {
    /// Which version of it.
    pub stamp: BlobStamp,
    /// The bytes that were asked for.
    pub pieces: BlobStream,
}

/// A blob that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobAside {
    /// Its name.
    pub hash: ContentHash,
    /// Since when.
    pub since: Timestamp,
}

/// Keeps blobs by their hashes. The default is [`ObjectBlobs`].
#[async_trait]
pub trait BlobStore: Debug + Send + Sync {
    /// Keeps what is in the file; it is durable when this returns. What is there already is replaced.
    async fn put(&self, hash: &ContentHash, file: &Path) -> Result<()>;

    /// A part of a blob; `not_found` when it is not there.
    async fn get(&self, hash: &ContentHash, range: Range<u64>) -> Result<OpenBlob>;

    /// Which version of a blob is there; `None` when there is none.
    async fn stamp(&self, hash: &ContentHash) -> Result<Option<BlobStamp>>;

    /// Puts a blob where it is kept for a while and is not found; one that is not there is no failure.
    async fn set_aside(&self, hash: &ContentHash, now: Timestamp) -> Result<()>;

    /// Puts a blob that was set aside back in its place; `false` when there is none.
    async fn bring_back(&self, hash: &ContentHash) -> Result<bool>;

    /// Deletes what was set aside; what is not there is no failure.
    async fn delete(&self, aside: &BlobAside) -> Result<()>;

    /// All blobs in their places, in any order.
    fn list(&self) -> Pin<Box<dyn Stream<Item = Result<StoredBlob>> + Send + '_>>;

    /// All blobs that were set aside, in any order.
    fn list_aside(&self) -> Pin<Box<dyn Stream<Item = Result<BlobAside>> + Send + '_>>;

    /// The id of the hub that the store belongs to; `None` while it belongs to none.
    async fn owner(&self) -> Result<Option<String>>;

    /// Notes the hub that the store belongs to. If it belongs to one already, nothing is changed unless
    /// that one is to be replaced.
    async fn set_owner(&self, hub: &str, replace: bool) -> Result<()>;

    /// Removes what was begun before this moment and never became a blob.
    async fn tidy(&self, before: Timestamp) -> Result<()> {
        let _ = before;
        Ok(())
    }
}
