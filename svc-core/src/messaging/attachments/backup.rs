//! Files for a backup.

use bytes::Bytes;
use futures_util::{TryStreamExt, stream};
use sha2::{Digest, Sha256};
use svc_model::attachments::ContentHash;

use super::blobs::BlobStream;
use super::service::Attachments;
use crate::error::{ErrorKind, Result};
use crate::limits;

/// Attempts for a file that is removed or restored meanwhile.
const TRIES: usize = 3;

impl Attachments {
    /// The whole content of a row that may have been removed since it was read; `None` if the file store has lost it.
    pub(crate) async fn content(&self, hash: &ContentHash, size: u64) -> Result<Option<BlobStream>> {
        if let Some(pieces) = self.small_content(hash, size).await {
            return Ok(Some(pieces));
        }
        for _ in 0..TRIES {
            match self.read_verified(hash, size, 0..size).await {
                Ok(pieces) => return Ok(Some(pieces)),
                Err(error) if error.code() == "attachment_damaged" => return Ok(None),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            // The row is gone, so the file is in the trash, or on its way there, or another upload has taken it out.
            if let Some(pieces) = self.removed_content(hash, size).await? {
                return Ok(Some(pieces));
            }
        }
        Ok(None)
    }

    /// A small content, which is read once and kept in memory until it is known to match its hash; `None` for a large
    /// one, or if anything is wrong with it.
    async fn small_content(&self, hash: &ContentHash, size: u64) -> Option<BlobStream> {
        if size > limits::BACKUP_FILE_HELD {
            return None;
        }
        let mut blob = self.blobs.get(hash, 0..size).await.ok()?;
        let (mut hasher, mut read) = (Sha256::new(), 0);
        let mut pieces: Vec<Result<Bytes>> = Vec::new();
        while let Some(piece) = blob.pieces.try_next().await.ok()? {
            read += piece.len() as u64;
            hasher.update(&piece);
            pieces.push(Ok(piece));
        }
        if read != size || ContentHash::from_digest(hasher.finalize()) != *hash {
            return None;
        }
        Some(Box::pin(stream::iter(pieces)))
    }

    /// A content in the trash; `None` if it is not there, or does not match its hash.
    async fn removed_content(&self, hash: &ContentHash, size: u64) -> Result<Option<BlobStream>> {
        let Some(mut pieces) = self.blobs.get_aside(hash).await? else { return Ok(None) };
        let (mut hasher, mut read) = (Sha256::new(), 0);
        while let Some(piece) = pieces.try_next().await? {
            read += piece.len() as u64;
            hasher.update(&piece);
        }
        if read != size || ContentHash::from_digest(hasher.finalize()) != *hash {
            return Ok(None);
        }
        self.blobs.get_aside(hash).await
    }
}
