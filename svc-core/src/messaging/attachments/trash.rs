//! The trash of removed files: they are deleted after a week, unless they are needed again.

use futures_util::{StreamExt, TryStreamExt};

use super::blobs::BlobAside;
use super::service::Attachments;
use super::store::contents;
use super::verify::VerifyMode;
use crate::error::{ErrorKind, Result};
use crate::limits;

/// Files processed together.
const BATCH: usize = 500;

impl Attachments {
    /// Deletes files that were in the trash long enough; a file that a row needs is restored
    /// instead.
    pub(super) async fn delete_expired_trash(&self) -> Result<u64> {
        let before = self.clock.now().minus(limits::BLOBS_KEPT_ASIDE);
        let mut deleted = 0;
        let mut pages = self.blobs.list_aside().try_chunks(BATCH);
        while let Some(page) = pages.next().await {
            let page = page.map_err(|failed| failed.1)?;
            for aside in page.into_iter().filter(|aside| aside.since < before) {
                self.restore_if_needed(&aside).await?;
                self.blobs.delete(&aside).await?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    async fn restore_if_needed(&self, aside: &BlobAside) -> Result<()> {
        let row = self.db.read(aside.hash.clone(), |tx, hash| Box::pin(contents::find(tx, hash))).await?;
        let Some(row) = row else { return Ok(()) };
        // Verifying a lost or damaged content restores it.
        match self.condition(&aside.hash, row.size.unsigned_abs(), VerifyMode::Always).await {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            looked => looked.map(drop),
        }
    }
}
