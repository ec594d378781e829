//! The worker that takes samples.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;

use super::{DiskSample, store};
use crate::error::Result;
use crate::hub::data_directory::disk_space;
use crate::messaging::quotas::Quotas;
use crate::store::db::Db;
use crate::store::workers::{Cadence, Progress, Worker};

/// The worker that takes samples of the space.
pub(crate) struct DiskSampling {
    pub(crate) db: Db,
    pub(crate) quotas: Quotas,
    /// The data directory.
    pub(crate) data: PathBuf,
}

#[async_trait]
impl Worker for DiskSampling {
    fn name(&self) -> &'static str {
        "disk_sampling"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        let Some(taken_at) = self.db.read((), |tx, ()| Box::pin(store::due(tx))).await? else {
            return Ok(Progress::Done);
        };
        let store_bytes = self.db.size().await;
        // A size that could not be read; the next round tries again.
        if store_bytes == 0 {
            return Ok(Progress::Done);
        }
        let space = disk_space(&self.data).await;
        let sample = DiskSample {
            taken_at,
            free_bytes: space.map(|space| space.free),
            total_bytes: space.map(|space| space.total),
            store_bytes,
            file_bytes: self.quotas.all_file_bytes().await?,
        };
        self.db.write(sample, |tx, sample| Box::pin(store::keep(tx, sample))).await?;
        Ok(Progress::Done)
    }
}
