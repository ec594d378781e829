//! Whether the store of the files can be used, and what is wrong with the files in it.

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::service::Attachments;
use super::store::{contents, file_store};
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::Tx;

/// How the store of the files is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct FileStoreHealth {
    /// Whether it answered just now and belongs to this hub.
    pub ok: bool,
    /// The code of the failure, such as `blob_store_unavailable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub code: Option<String>,
    /// What is wrong and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub error: Option<String>,
    /// Files that are known to be lost or damaged.
    pub damaged: u64,
    /// Files that the database does not know, when they are so many that none is removed.
    pub unknown: u64,
}

impl FileStoreHealth {
    /// Whether nothing is wrong.
    pub fn is_well(&self) -> bool {
        self.ok && self.damaged == 0 && self.unknown == 0
    }
}

/// What was found last, so that many who ask do not ask the store many times.
pub(super) type LastCheck = Mutex<Option<(Instant, Option<(&'static str, String)>)>>;

#[boxed_futures]
impl Attachments {
    /// How the store of the files is, found out within a few seconds.
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
            tracing::warn!(error = error.log_line(), "the store of the files is not well");
        }
        let fault = fault.map(|error| (error.code(), error.message().to_owned()));
        *last = Some((Instant::now(), fault.clone()));
        fault
    }

    /// Sees that the store of the files still names this hub.
    pub(super) async fn require_ours(&self) -> Result<()> {
        match self.blobs.owner().await? {
            Some(owner) if *owner == *self.hub_id => Ok(()),
            Some(_) => Err(Error::conflict(
                "file_store_of_another_hub",
                "The store of the files belongs to another hub now: see that two hubs do not use the same one.",
            )),
            None => Err(Error::unavailable(
                "file_store_unbound",
                "The store of the files does not name this hub any more: see that it is mounted and whole.",
            )),
        }
    }
}

fn silent() -> Error {
    let sentence = format!("The store of the files did not answer within {} s.", limits::FILE_STORE_PATIENCE.as_secs());
    Error::unavailable("blob_store_unavailable", sentence)
}

async fn counts(tx: &mut Tx) -> Result<(u64, u64)> {
    let damaged = contents::count_damaged(tx).await?;
    let unknown = file_store::unknown_files(tx).await?;
    Ok((damaged.unsigned_abs(), unknown.unsigned_abs()))
}
