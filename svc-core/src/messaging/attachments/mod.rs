//! Attachments: files that are sent along with messages, kept once by the SHA-256 of their content.
//!
//! What always holds: there is no row without its blob, because the blob is stored before the row and
//! removed after it. Whoever stores or removes a blob is registered, so nobody removes what another one
//! is storing. A row that is linked or uploaded again is touched in that transaction, and the sweep
//! removes only rows that nobody touched for a day and nothing refers to. What is removed is set aside
//! for a week. The store of the files belongs to one hub and names it. What is read has come to its
//! hash; what has not is an error, of that file alone, until the content comes again. A file is typed by its bytes first and its name second. It can be read by whoever
//! uploaded it and by whoever may see a message that carries it; for others it is not there.

mod aside;
mod blobs;
mod check;
mod drawn;
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
mod upload;
mod verify;

pub use blobs::{BlobAside, BlobStamp, BlobStore, BlobStream, ObjectBlobs, OpenBlob, StoredBlob};
pub(crate) use blobs::{DIRECTORY as BLOB_DIRECTORY, local_directory as blob_directory, open as open_blobs};
pub use health::FileStoreHealth;
pub(crate) use link::{choose, of_messages};
pub use model::{Download, Thumbnail};
pub use service::Attachments;
pub(crate) use service::FileSettings;
pub(crate) use store::LISTED;
