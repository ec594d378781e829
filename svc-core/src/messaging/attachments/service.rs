//! The attachments handle and the state that its parts share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64};

use tokio::sync::Semaphore;

use super::blobs::BlobStore;
use super::health::LastCheck;
use super::owner;
use super::temporary::Uploads;
use super::thumbnail_cache::ThumbnailCache;
use super::verify::Verifications;
use crate::clock::{Clock, Entropy};
use crate::error::Result;
use crate::limits;
use crate::store::db::Db;

/// Files of a hub; see [`Hub::attachments`](crate::Hub::attachments).
#[derive(Clone)]
pub struct Attachments {
    pub(super) db: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) blobs: Arc<dyn BlobStore>,
    pub(super) uploads: Uploads,
    pub(super) render_queue: RenderQueue,
    pub(super) thumbnail_cache: ThumbnailCache,
    /// The id of the hub, as recorded in the file store.
    pub(super) hub_id: Arc<str>,
    /// Results of earlier verifications.
    pub(super) verified: Arc<Verifications>,
    /// Limits concurrent verifications.
    pub(super) verify_slots: Arc<Semaphore>,
    /// The last health check of the file store.
    pub(super) last_check: Arc<LastCheck>,
    /// The time of the last scan of the blob store by this process, in microseconds.
    pub(super) last_scan: Arc<AtomicI64>,
    /// Bytes of files that an owner may store; `None` for no limit.
    pub(super) file_quota: Option<u64>,
    /// The number of uploads rejected because of the quota.
    pub(super) refused: Arc<AtomicU64>,
}

/// The queue for thumbnail rendering.
#[derive(Clone)]
pub(super) struct RenderQueue {
    /// Limits waiting and running renderings.
    pub(super) waiting: Arc<Semaphore>,
    /// Limits running renderings.
    pub(super) running: Arc<Semaphore>,
}

/// The location of the files of a hub, and the quota of an owner.
#[derive(Debug, Clone)]
pub(crate) struct FileSettings {
    /// The data directory.
    pub(crate) data: PathBuf,
    /// The URL of a bucket, instead of the data directory.
    pub(crate) blob_url: Option<String>,
    /// Whether a new database with a new file store is intended.
    pub(crate) new_store: bool,
    /// The id of the hub whose files are adopted.
    pub(crate) adopt_blobs: Option<String>,
    /// Bytes that an owner may store; `None` for no limit.
    pub(crate) quota_file_bytes: Option<u64>,
}

impl Attachments {
    /// The id of the hub, which no other hub has.
    pub(crate) fn hub_id(&self) -> &str {
        &self.hub_id
    }

    pub(crate) async fn open(
        db: Db,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        blobs: Arc<dyn BlobStore>,
        settings: &FileSettings,
    ) -> Result<Self> {
        let hub_id = owner::bind(&db, blobs.as_ref(), settings, entropy.as_ref()).await?.into();
        let render_queue = RenderQueue {
            waiting: Arc::new(Semaphore::new(limits::THUMBNAILS_WAITING)),
            running: Arc::new(Semaphore::new(limits::THUMBNAILS_AT_ONCE)),
        };
        Ok(Self {
            db,
            clock,
            entropy,
            blobs,
            uploads: Uploads::open(&settings.data).await?,
            render_queue,
            thumbnail_cache: ThumbnailCache::open(&settings.data).await?,
            hub_id,
            verified: Arc::default(),
            verify_slots: Arc::new(Semaphore::new(limits::FILES_COMPARED_AT_ONCE)),
            last_check: Arc::default(),
            last_scan: Arc::new(AtomicI64::new(i64::MIN)),
            file_quota: settings.quota_file_bytes,
            refused: Arc::default(),
        })
    }
}
