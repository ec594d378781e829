//! Attachments: files sent with messages, stored once per content by its SHA-256 hash.
//!
//! Invariants:
//! - No row exists without its blob: the blob is stored before the row and removed after it.
//! - Storing or removing a blob is registered, so a blob that is being stored is never removed.
//! - A row that is linked or uploaded again is touched in that transaction. The sweep removes only
//!   rows that are unreferenced and were not touched for a day.
//! - A removed blob is kept in the trash for a week.
//! - The file store belongs to one hub and names it.
//! - Every content is verified against its hash before it is returned. A damaged file is an error
//!   for that file alone, until its content is uploaded again.
//! - The type of a file is determined by its bytes first and by its name second.
//! - A file is readable by its uploader and by everybody who may see a message that carries it; for
//!   others it does not exist.

mod backup;
mod blobs;
mod check;
mod filename;
mod health;
mod kind;
mod link;
mod model;
mod owner;
mod picture;
mod quota;
mod read;
mod restore;
mod service;
mod store;
pub(crate) mod sweep;
mod temporary;
mod thumbnail;
mod thumbnail_cache;
mod trash;
mod upload;
mod verify;

pub(crate) use blobs::{
    ArchiveBucket, DIRECTORY as BLOB_DIRECTORY, endpoint as blob_endpoint, local_directory as blob_directory,
    open as open_blobs,
};
pub use blobs::{BlobAside, BlobStamp, BlobStore, BlobStream, ObjectBlobs, OpenBlob, StoredBlob};
pub use health::FileStoreHealth;
pub(crate) use link::{of_messages, select};
pub use model::{Download, Thumbnail};
pub use service::Attachments;
pub(crate) use service::FileSettings;
pub(crate) use store::LISTED;
