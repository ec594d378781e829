//! A store of files in memory that fails or hangs when it is told to.

use std::ops::Range;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use futures_util::{Stream, TryStreamExt};
use object_store::memory::InMemory;
use svc_core::attachments::{
    BlobAside, BlobStamp, BlobStore, BlobStream, ContentHash, ObjectBlobs, OpenBlob, StoredBlob,
};
use svc_core::{Error, Result, Timestamp};
use tokio::sync::Notify;

/// Blobs in memory, as a bucket keeps them.
#[derive(Debug)]
pub(crate) struct TestBlobs {
    blobs: ObjectBlobs,
    /// The objects themselves.
    pub(crate) objects: Arc<InMemory>,
    /// Whether storing, reading and removing fail.
    pub(crate) fails: AtomicBool,
    /// Whether the first byte that is read is another one than is kept, under the same version.
    pub(crate) rots: AtomicBool,
    /// Whether storing never comes to an end.
    pub(crate) hangs: AtomicBool,
    /// Whether the next read tells `reached` and waits for `go`.
    pub(crate) waits: AtomicBool,
    pub(crate) reached: Notify,
    pub(crate) go: Notify,
}

impl TestBlobs {
    pub(crate) fn new() -> Arc<Self> {
        let objects = Arc::new(InMemory::new());
        let blobs = ObjectBlobs::new(objects.clone());
        let off = || AtomicBool::new(false);
        let (reached, go) = (Notify::new(), Notify::new());
        Arc::new(Self { blobs, objects, fails: off(), rots: off(), hangs: off(), waits: off(), reached, go })
    }

    fn check(&self) -> Result<()> {
        if self.fails.load(Ordering::SeqCst) {
            return Err(Error::unavailable("blob_store_unavailable", "It fails on purpose."));
        }
        Ok(())
    }
}

#[async_trait]
impl BlobStore for TestBlobs {
    async fn put(&self, hash: &ContentHash, file: &Path) -> Result<()> {
        self.check()?;
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        self.blobs.put(hash, file).await
    }

    async fn get(&self, hash: &ContentHash, range: Range<u64>) -> Result<OpenBlob> {
        self.check()?;
        if self.waits.swap(false, Ordering::SeqCst) {
            self.reached.notify_one();
            self.go.notified().await;
        }
        let OpenBlob { stamp, pieces } = self.blobs.get(hash, range).await?;
        let rots = self.rots.load(Ordering::SeqCst);
        let pieces = pieces.map_ok(move |piece| {
            let mut bytes = piece.to_vec();
            bytes[0] ^= u8::from(rots);
            bytes.into()
        });
        Ok(OpenBlob { stamp, pieces: Box::pin(pieces) })
    }

    async fn stamp(&self, hash: &ContentHash) -> Result<Option<BlobStamp>> {
        self.check()?;
        self.blobs.stamp(hash).await
    }

    async fn set_aside(&self, hash: &ContentHash, now: Timestamp) -> Result<()> {
        self.check()?;
        self.blobs.set_aside(hash, now).await
    }

    async fn bring_back(&self, hash: &ContentHash) -> Result<bool> {
        self.check()?;
        self.blobs.bring_back(hash).await
    }

    async fn get_aside(&self, hash: &ContentHash) -> Result<Option<BlobStream>> {
        self.check()?;
        self.blobs.get_aside(hash).await
    }

    async fn delete(&self, aside: &BlobAside) -> Result<()> {
        self.check()?;
        self.blobs.delete(aside).await
    }

    fn list(&self) -> Pin<Box<dyn Stream<Item = Result<StoredBlob>> + Send + '_>> {
        self.blobs.list()
    }

    fn list_aside(&self) -> Pin<Box<dyn Stream<Item = Result<BlobAside>> + Send + '_>> {
        self.blobs.list_aside()
    }

    async fn owner(&self) -> Result<Option<String>> {
        self.blobs.owner().await
    }

    async fn set_owner(&self, hub: &str, replace: bool) -> Result<()> {
        self.blobs.set_owner(hub, replace).await
    }
}
