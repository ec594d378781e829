//! Contents, their names and downloads, as the hub handles them.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;
use svc_macros::boxed_futures;
use svc_model::attachments::{Attachment, ContentHash};

use super::blobs::BlobStream;
use super::service::Attachments;
use crate::error::Result;

crate::row! {
    /// A content row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Content {
        pub(super) hash: String,
        pub(super) size: i64,
        /// The type of the first upload; other uploads may have another name and so another type.
        pub(super) mime_type: String,
        pub(super) is_image: bool,
    }
}

crate::row! {
    /// The name of a content for a participant, and its type under that name.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Name {
        pub(super) filename: String,
        pub(super) mime_type: String,
    }
}

impl Content {
    pub(super) fn named(self, name: Name) -> Attachment {
        let Self { hash, size, is_image, .. } = self;
        let Name { filename, mime_type } = name;
        Attachment { hash, filename, size, mime_type, is_image }
    }
}

/// A file that the caller may read.
pub struct Download {
    /// The description of the file.
    pub attachment: Attachment,
    pub(super) hash: ContentHash,
    pub(super) files: Attachments,
}

#[boxed_futures]
impl Download {
    /// The size in bytes.
    pub fn size(&self) -> u64 {
        self.attachment.size.unsigned_abs()
    }

    /// A range of its bytes, `0..size` for all of them; the error `attachment_damaged` if the
    /// content does not match its hash.
    pub async fn read(&self, range: Range<u64>) -> Result<BlobStream> {
        self.files.read_verified(&self.hash, self.size(), range).await
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Download").field("attachment", &self.attachment).finish_non_exhaustive()
    }
}

/// A thumbnail of a picture.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Thumbnail {
    /// `image/png` or `image/jpeg`.
    pub mime_type: &'static str,
    /// The encoded picture.
    pub content: Bytes,
}
