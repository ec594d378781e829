//! Files that were set aside: they are deleted after a week, unless they are wanted again.

use futures_util::{StreamExt, TryStreamExt};

use super::blobs::BlobAside;
use super::service::Attachments;
use super::store::contents;
use super::verify::Look;
use crate::error::{ErrorKind, Result};
use crate::limits;

/// Files that are looked at together.
const BATCH: usize = 500;

impl Attachments {
    /// Deletes what has been aside for long enough; what a row speaks of is put back in its place before.
    pub(super) async fn delete_aside(&self) -> Result<u64> {
        let before = self.clock.now().minus(limits::BLOBS_KEPT_ASIDE);
        let mut deleted = 0;
        let mut pages = self.blobs.list_aside().try_chunks(BATCH);
        while let Some(page) = pages.next().await {
            let page = page.map_err(|failed| failed.1)?;
            for aside in page.into_iter().filter(|aside| aside.since < before) {
                self.put_back_if_wanted(&aside).await?;
                self.blobs.delete(&aside).await?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    async fn put_back_if_wanted(&self, aside: &BlobAside) -> Result<()> {
        let row = self.db.read(aside.hash.clone(), |tx, hash| Box::pin(contents::find(tx, hash))).await?;
        let Some(row) = row else { return Ok(()) };
        // Whoever looks at a content that is lost or damaged brings it back.
        match self.condition(&aside.hash, row.size.unsigned_abs(), Look::Anew).await {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            looked => looked.map(drop),
        }
    }
}
