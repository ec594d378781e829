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
    /// What the store knows of a content.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Content {
        pub(super) hash: String,
        pub(super) size: i64,
        /// That of the first upload; others may know it by another name and so by another type.
        pub(super) mime_type: String,
        pub(super) is_image: bool,
    }
}

crate::row! {
    /// What somebody calls a content, and what it is under that name.
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
    /// What it is.
    pub attachment: Attachment,
    pub(super) hash: ContentHash,
    pub(super) files: Attachments,
}

#[boxed_futures]
impl Download {
    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.attachment.size.unsigned_abs()
    }

    /// A part of its bytes, `0..size` for all of them; `attachment_damaged` when they are not what its hash says.
    pub async fn read(&self, range: Range<u64>) -> Result<BlobStream> {
        self.files.read_sound(&self.hash, self.size(), range).await
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Download").field("attachment", &self.attachment).finish_non_exhaustive()
    }
}

/// A small picture of a picture.
#[derive(Debug, Clone)]
pub struct Thumbnail {
    /// `image/png` or `image/jpeg`.
    pub mime_type: &'static str,
    /// Its bytes.
    pub content: Bytes,
}
