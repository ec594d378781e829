//! Health of the file store and of its files.

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::service::Attachments;
use super::store::{contents, file_store};
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::Tx;

/// The state of the file store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct FileStoreHealth {
    /// Whether it has just answered and belongs to this hub.
    pub ok: bool,
    /// The code of the failure, such as `blob_store_unavailable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub code: Option<String>,
    /// The problem and how to solve it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub error: Option<String>,
    /// Files that are known to be lost or damaged.
    pub damaged: u64,
    /// Files unknown to the database, if there are so many that none is removed.
    pub unknown: u64,
}

impl FileStoreHealth {
    /// Whether there is no problem.
    pub fn is_well(&self) -> bool {
        self.ok && self.damaged == 0 && self.unknown == 0
    }
}

/// The last result, cached so that frequent health checks do not query the store each time.
pub(super) type LastCheck = Mutex<Option<(Instant, Option<(&'static str, String)>)>>;

#[boxed_futures]
impl Attachments {
    /// The state of the file store, determined within a few seconds.
    pub async fn health(&self) -> Result<FileStoreHealth> {
        let (damaged, unknown) = self.db.probe((), |tx, ()| Box::pin(counts(tx))).await?;
        let fault = self.fault().await;
        let (code, error) = fault.map(|(code, error)| (code.to_owned(), error)).unzip();
        Ok(FileStoreHealth { ok: code.is_none(), code, error, damaged, unknown })
    }

    async fn fault(&self) -> Option<(&'static str, String)> {
        let mut last = self.last_check.lock().await;
        if let Some((at, fault)) = last.as_ref()
            && at.elapsed() < limits::FILE_STORE_CHECKED
        {
            return fault.clone();
        }
        let asked = timeout(limits::FILE_STORE_PATIENCE, self.require_ours()).await;
        let fault = asked.unwrap_or_else(|_| Err(silent())).err();
        if let Some(error) = &fault {
            tracing::warn!(error = error.log_line(), "the file store is not healthy");
        }
        let fault = fault.map(|error| (error.code(), error.message().to_owned()));
        *last = Some((Instant::now(), fault.clone()));
        fault
    }

    /// Fails unless the file store still belongs to this hub.
    pub(super) async fn require_ours(&self) -> Result<()> {
        match self.blobs.owner().await? {
            Some(owner) if *owner == *self.hub_id => Ok(()),
            Some(_) => Err(Error::conflict(
                "file_store_of_another_hub",
                "The file store now belongs to another hub. Make sure that two hubs do not use the same one.",
            )),
            None => Err(Error::unavailable(
                "file_store_unbound",
                "The file store no longer records this hub. Make sure that it is mounted and complete.",
            )),
        }
    }
}

fn silent() -> Error {
    let sentence = format!("The file store did not answer within {} s.", limits::FILE_STORE_PATIENCE.as_secs());
    Error::unavailable("blob_store_unavailable", sentence)
}

async fn counts(tx: &mut Tx) -> Result<(u64, u64)> {
    let damaged = contents::count_damaged(tx).await?;
    let unknown = file_store::unknown_files(tx).await?;
    Ok((damaged.unsigned_abs(), unknown.unsigned_abs()))
}
