//! The place of a run in a cluster, as the store knows it.

use async_trait::async_trait;

use super::store;
use crate::automation::harness::Site;
use crate::error::Result;
use crate::ids::RunId;
use crate::store::db::Db;

/// Stores where the Job of a run is.
pub(super) struct StoredSite {
    pub(super) db: Db,
    pub(super) run: RunId,
}

#[async_trait]
impl Site for StoredSite {
    async fn chosen(&self, namespace: &str, name: &str) -> Result<()> {
        let input = (self.run, namespace.to_owned(), name.to_owned());
        self.db.write(input, |tx, (run, namespace, name)| Box::pin(store::place_job(tx, *run, namespace, name))).await
    }

    async fn created(&self) -> Result<()> {
        self.db.write(self.run, |tx, run| Box::pin(store::note_created(tx, *run))).await
    }
}
