//! What attachments look like from outside.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;

use super::blobs::BlobStream;
use super::hash::ContentHash;
use super::service::Attachments;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// A file as a message shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Attachment {
    /// The SHA-256 of its content, under which it can be fetched.
    pub hash: String,
    /// What it is called here.
    pub filename: String,
    /// How many bytes it has.
    pub size: i64,
    /// Its type, as its bytes and then its name tell it.
    pub mime_type: String,
    /// Whether it is a picture that can be shown.
    pub is_image: bool,
}

/// A file that was uploaded: the same facts, under the name that the uploader gave.
pub type Uploaded = Attachment;

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

/// A content as whoever runs the server sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAttachment {
    /// The SHA-256 of its content.
    pub hash: String,
    /// Its bytes.
    pub size: u64,
    /// Its type.
    pub mime_type: String,
    /// Whether it is a picture that can be shown.
    pub is_image: bool,
    /// How many messages carry it.
    pub messages: u64,
    /// Who uploaded it, and under which name.
    pub uploads: Vec<UploadFact>,
    /// Since when it is here.
    pub created_at: Timestamp,
    /// When it was last uploaded or linked.
    pub touched_at: Timestamp,
}

crate::row! {
    /// That somebody uploaded a content.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct UploadFact {
        /// Their handle.
        pub by: String,
        /// What they called it.
        pub filename: String,
    }
}

/// A page of contents.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AttachmentPage {
    /// The contents, by their hashes.
    pub attachments: Vec<StoredAttachment>,
    /// How many there are in all.
    pub total: i64,
    /// How many bytes they take in all.
    pub bytes: u64,
}

/// What was found when all contents were compared with their hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedFiles {
    /// How many were compared.
    pub compared: u64,
    /// How many are lost or damaged.
    pub damaged: u64,
    /// The hashes of those, of many the first.
    pub hashes: Vec<ContentHash>,
}

/// What a sweep removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Collected {
    /// How many contents.
    pub removed: u64,
    /// How many bytes they took.
    pub bytes: u64,
}

/// What is known of a content that comes back from an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestoreFacts {
    /// What the content has to come to.
    pub hash: ContentHash,
    /// How many bytes it has to have.
    pub size: u64,
    /// Who had uploaded it. Those who are not here are passed over.
    pub uploads: Vec<UploadFact>,
}

/// What became of a content from an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restored {
    /// It was not here, or was damaged, and is here now.
    Stored,
    /// It was here.
    Present,
}
