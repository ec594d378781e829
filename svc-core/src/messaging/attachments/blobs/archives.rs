//! Archives of backups in a bucket, beside or apart from the files.

use std::path::Path;
use std::sync::Arc;

use futures_util::StreamExt;
use object_store::path::Path as ObjectPath;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt};

use super::objects::{FIRST_ANSWER, parse, s3, unavailable, upload};
use crate::error::{Error, Result};

/// A bucket that archives are put into, under their names.
pub(crate) struct ArchiveBucket {
    store: Arc<dyn ObjectStore>,
}

impl ArchiveBucket {
    /// The bucket `s3://bucket/prefix`. Nothing is asked of it.
    pub(crate) fn open(url: &str) -> Result<Self> {
        let (bucket, prefix) = parse(url)?;
        Ok(Self { store: Arc::new(PrefixStore::new(s3(bucket)?, prefix)) })
    }

    /// Fails if it does not answer.
    pub(crate) async fn try_out(&self) -> Result<()> {
        let sentence = "The bucket for backups does not answer. Check its name and the variables AWS_ENDPOINT, \
                        AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the server.";
        let silent = || Error::unavailable("backup_place", sentence);
        let mut listed = self.store.list(None);
        match tokio::time::timeout(FIRST_ANSWER, listed.next()).await {
            Ok(Some(Err(error))) => Err(silent().with_source(error)),
            Err(_) => Err(silent()),
            Ok(None | Some(Ok(_))) => Ok(()),
        }
    }

    /// Stores a file under a name. It appears when it is complete.
    pub(crate) async fn put(&self, name: &str, file: &Path) -> Result<()> {
        upload(&self.store, ObjectPath::from(name), file).await
    }

    /// The size of an archive; `None` if it does not exist.
    pub(crate) async fn size(&self, name: &str) -> Result<Option<u64>> {
        match self.store.head(&ObjectPath::from(name)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Removes an archive; one that is gone is not an error.
    pub(crate) async fn remove(&self, name: &str) -> Result<()> {
        match self.store.delete(&ObjectPath::from(name)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }
}
