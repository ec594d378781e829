//! What the parts share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64};

use tokio::sync::Semaphore;

use super::blobs::BlobStore;
use super::drawn::DrawnBefore;
use super::health::LastCheck;
use super::owner;
use super::temporary::Uploads;
use super::verify::Found;
use crate::clock::{Clock, Entropy};
use crate::error::Result;
use crate::limits;
use crate::store::db::Db;

/// The files of a hub; see [`Hub::attachments`](crate::Hub::attachments).
#[derive(Clone)]
pub struct Attachments {
    pub(super) db: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) blobs: Arc<dyn BlobStore>,
    pub(super) uploads: Uploads,
    pub(super) drawing: Drawing,
    pub(super) drawn_before: DrawnBefore,
    /// The id by which the store of the files knows the hub.
    pub(super) hub_id: Arc<str>,
    /// What was found when files were compared with their hashes.
    pub(super) found: Arc<Found>,
    /// Places for those who compare.
    pub(super) comparing: Arc<Semaphore>,
    /// How the store of the files was a moment ago.
    pub(super) last_check: Arc<LastCheck>,
    /// When this process last looked through the blob store, in microseconds.
    pub(super) looked_through: Arc<AtomicI64>,
    /// Bytes of files that an owner may have; none is no limit.
    pub(super) file_quota: Option<u64>,
    /// How many uploads were refused because of it.
    pub(super) refused: Arc<AtomicU64>,
}

/// The line of those who want a thumbnail drawn.
#[derive(Clone)]
pub(super) struct Drawing {
    /// Places for those who wait or draw.
    pub(super) line: Arc<Semaphore>,
    /// Places for those who draw.
    pub(super) turn: Arc<Semaphore>,
}

/// Where the files of a hub are, and how many bytes of them an owner may have.
#[derive(Debug, Clone)]
pub(crate) struct FileSettings {
    /// The data directory.
    pub(crate) data: PathBuf,
    /// Another place for the contents than the data directory.
    pub(crate) blob_url: Option<String>,
    /// Whether a new database is meant, with a new store of files beside it.
    pub(crate) new_store: bool,
    /// The hub whose files are taken over.
    pub(crate) adopt_blobs: Option<String>,
    /// Bytes that an owner may have; none is no limit.
    pub(crate) quota_file_bytes: Option<u64>,
}

impl Attachments {
    pub(crate) async fn open(
        db: Db,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        blobs: Arc<dyn BlobStore>,
        settings: &FileSettings,
    ) -> Result<Self> {
        let hub_id = owner::bind(&db, blobs.as_ref(), settings, entropy.as_ref()).await?.into();
        let drawing = Drawing {
            line: Arc::new(Semaphore::new(limits::THUMBNAILS_WAITING)),
            turn: Arc::new(Semaphore::new(limits::THUMBNAILS_AT_ONCE)),
        };
        Ok(Self {
            db,
            clock,
            entropy,
            blobs,
            uploads: Uploads::open(&settings.data).await?,
            drawing,
            drawn_before: DrawnBefore::open(&settings.data).await?,
            hub_id,
            found: Arc::default(),
            comparing: Arc::new(Semaphore::new(limits::FILES_COMPARED_AT_ONCE)),
            last_check: Arc::default(),
            looked_through: Arc::new(AtomicI64::new(i64::MIN)),
            file_quota: settings.quota_file_bytes,
            refused: Arc::default(),
        })
    }
}
