//! Files for a backup.

use svc_model::attachments::ContentHash;

use super::blobs::BlobStream;
use super::service::Attachments;
use crate::error::{ErrorKind, Result};

impl Attachments {
    /// The whole content of a row; `None` if the file store has lost it.
    pub(crate) async fn content(&self, hash: &ContentHash, size: u64) -> Result<Option<BlobStream>> {
        match self.read_verified(hash, size, 0..size).await {
            Ok(pieces) => Ok(Some(pieces)),
            Err(error) if error.kind() == ErrorKind::NotFound || error.code() == "attachment_damaged" => Ok(None),
            Err(error) => Err(error),
        }
    }
}
