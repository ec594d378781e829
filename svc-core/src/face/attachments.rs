//! Attachments: files that are sent with messages, stored once per content. The handle is `hub.attachments()`.
//!
//! Files are kept in a directory or in a bucket ([`ObjectBlobs`]); a program can bring its own [`BlobStore`].

pub use crate::messaging::attachments::{
    Attachments, BlobAside, BlobStamp, BlobStore, BlobStream, Download, FileStoreHealth, ObjectBlobs, OpenBlob,
    StoredBlob, Thumbnail,
};

#[doc(inline)]
pub use svc_model::attachments::{
    Attachment, AttachmentPage, CheckedFiles, Collected, ContentHash, RestoreFacts, Restored, StoredAttachment,
    UploadFact, Uploaded,
};
