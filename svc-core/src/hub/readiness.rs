//! Whether the hub can do its work: a real write and a real read, within a few seconds.
//!
//! What always holds: anybody may ask, so however many do, the store is probed once at a time. Whoever comes while it is
//! being probed shares the outcome, and a good one counts for a moment. A bad one counts for nobody else, so that a store
//! is ready again as soon as it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;
use tokio::sync::Mutex;

use crate::error::{Error, Result};
use crate::hub::Hub;
use crate::limits;
use crate::messaging::attachments::FileStoreHealth;
use crate::store::db::{Engine, Tx};
use crate::store::workers::{WorkerHealth, WorkerState};
use crate::timestamp::Timestamp;

/// A store that takes longer is not ready.
const PATIENCE: Duration = Duration::from_secs(3);

/// The hub in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub enum ReadyState {
    /// All is well.
    Ready,
    /// Requests are served; a background worker is failing, the store of the files does not answer or has files
    /// that are damaged or unknown, or the registry of machine principals has a file that cannot be loaded.
    Degraded,
    /// The store cannot be read or written.
    Unavailable,
}

/// How the store is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct StoreHealth {
    /// Which engine it runs on.
    pub engine: Engine,
    /// Whether it could be written to and read from just now.
    pub ok: bool,
    /// The code of the failure, such as `storage_full`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub code: Option<String>,
    /// What is wrong and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub error: Option<String>,
}

/// How the hub is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Readiness {
    /// In one word.
    pub status: ReadyState,
    /// The store.
    pub store: StoreHealth,
    /// The store of the files; absent while the database does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub files: Option<FileStoreHealth>,
    /// The background workers, as this process sees them; empty before they are started.
    pub workers: Vec<WorkerHealth>,
    /// What is wrong with the file of the registry of machine principals, if there is one: it cannot be loaded, and
    /// the registry that was in force stays so meanwhile, or another registry was put into force by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub machine_registry_error: Option<String>,
}

/// The probes of the store, one at a time.
#[derive(Default)]
pub(crate) struct Probes {
    /// How many have ended.
    ended: AtomicU64,
    last: Mutex<Option<Probed>>,
}

/// How a probe ended.
#[derive(Clone)]
struct Probed {
    at: Timestamp,
    outcome: Result<(), Arc<Error>>,
}

#[boxed_futures]
impl Hub {
    /// Writes to the store, reads it back, and tells how everything is.
    pub async fn readiness(&self) -> Readiness {
        let outcome = self.probe().await;
        let workers = self.health_board().all();
        let machine_registry_error = self.machine_registry_error(outcome.is_ok()).await;
        let files = self.file_store_health(outcome.is_ok()).await;
        let failing = workers.iter().any(|worker| worker.state == WorkerState::Failing)
            || files.as_ref().is_some_and(|files| !files.is_well());
        Readiness {
            status: match (&outcome, failing || machine_registry_error.is_some()) {
                (Err(_), _) => ReadyState::Unavailable,
                (Ok(()), true) => ReadyState::Degraded,
                (Ok(()), false) => ReadyState::Ready,
            },
            store: StoreHealth {
                engine: self.db().engine(),
                ok: outcome.is_ok(),
                code: outcome.as_ref().err().map(|error| error.code().to_owned()),
                error: outcome.err().map(|error| error.message().to_owned()),
            },
            files,
            workers,
            machine_registry_error,
        }
    }

    /// How the store is: by a probe, by the one under way, or by a good one of just now.
    async fn probe(&self) -> Result<(), Arc<Error>> {
        let probes = self.probes();
        let ended = probes.ended.load(Ordering::Acquire);
        let mut last = probes.last.lock().await;
        if let Some(probed) = &*last {
            let is_shared = probes.ended.load(Ordering::Acquire) != ended;
            let now = self.clock().now();
            let is_recent = now >= probed.at && now.since(probed.at) < limits::READINESS_KEPT;
            if is_shared || is_recent && probed.outcome.is_ok() {
                return probed.outcome.clone();
            }
        }
        let outcome = match tokio::time::timeout(PATIENCE, self.write_and_read()).await {
            Ok(outcome) => outcome,
            Err(_) => Err(Error::unavailable("storage_unavailable", "The store did not answer within 3 seconds.")),
        };
        if let Err(error) = &outcome {
            tracing::warn!(error = error.log_line(), "the store is not ready");
        }
        let outcome = outcome.map_err(Arc::new);
        *last = Some(Probed { at: self.clock().now(), outcome: outcome.clone() });
        probes.ended.fetch_add(1, Ordering::AcqRel);
        outcome
    }

    async fn file_store_health(&self, store_answers: bool) -> Option<FileStoreHealth> {
        let asked = store_answers.then(|| tokio::time::timeout(PATIENCE, self.attachments().health()))?;
        asked.await.ok()?.ok()
    }

    /// Everybody may read it, so it says where to look and not what is there.
    async fn machine_registry_error(&self, store_answers: bool) -> Option<String> {
        let principals = self.principals();
        let state = principals.file_state()?;
        if !state.ok {
            return Some("The file of the registry cannot be loaded: `svc-admin machines show` says why.".to_owned());
        }
        let asked = store_answers.then(|| tokio::time::timeout(PATIENCE, principals.differs_from_file()))?;
        let differs = matches!(asked.await, Ok(Ok(true)));
        differs.then(|| {
            "Another registry is in force than the one in the file: `svc-admin machines show` shows both.".to_owned()
        })
    }

    async fn write_and_read(&self) -> Result<()> {
        let written = self.db().probe_write((), |tx, ()| Box::pin(write(tx))).await?;
        let read: Timestamp = self
            .db()
            .probe((), |tx, ()| Box::pin(tx.query("SELECT probed_at FROM readiness WHERE id = 1").fetch_value()))
            .await?;
        // Another node may have written since.
        if read < written {
            return Err(Error::internal("readiness read less than it had written"));
        }
        Ok(())
    }
}

async fn write(tx: &mut Tx) -> Result<Timestamp> {
    let now = tx.now();
    tx.query(
        "UPDATE readiness
            SET probed_at = CASE WHEN probed_at > $1 THEN probed_at ELSE $1 END
          WHERE id = 1
         RETURNING probed_at",
    )
    .bind(now)
    .fetch_value()
    .await
}
