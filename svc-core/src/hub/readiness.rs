//! Readiness: whether the hub can write and read its store within a few seconds.
//!
//! Invariant: anybody may ask, so the store is probed once at a time, however many requests there
//! are. Requests during a probe share its result, and a successful result is reused for a moment. A
//! failed result is not reused, so that a store is ready again as soon as it recovers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;
use tokio::sync::Mutex;

use crate::error::{Error, Result};
use crate::hub::{Hub, store};
use crate::limits;
use crate::messaging::attachments::FileStoreHealth;
use crate::store::db::Engine;
use crate::store::workers::{WorkerHealth, WorkerState};
use crate::timestamp::Timestamp;

/// The time limit of a probe.
const PATIENCE: Duration = Duration::from_secs(3);

/// The overall state of the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub enum ReadyState {
    /// Everything works.
    Ready,
    /// Requests are served, but a background worker is failing, the file store does not answer or
    /// has damaged or unknown files, the registry file of machine principals cannot be loaded, or runs cannot be
    /// confined as required.
    Degraded,
    /// The store cannot be read or written.
    Unavailable,
}

/// The state of the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct StoreHealth {
    /// The database engine.
    pub engine: Engine,
    /// Whether it could just be written to and read from.
    pub ok: bool,
    /// The code of the failure, such as `storage_full`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub code: Option<String>,
    /// The problem and how to solve it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub error: Option<String>,
}

/// The state of the hub.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct Readiness {
    /// The overall state.
    pub status: ReadyState,
    /// The store.
    pub store: StoreHealth,
    /// The file store; absent while the database does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub files: Option<FileStoreHealth>,
    /// The background workers of this process; empty before they are started.
    pub workers: Vec<WorkerHealth>,
    /// The problem with the registry file of machine principals, if any: it cannot be loaded, and
    /// the active registry stays in force meanwhile, or another registry was loaded manually.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub machine_registry_error: Option<String>,
    /// What confines the commands of runs on this machine; absent when nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub run_confinement: Option<String>,
    /// Why the commands of runs cannot be confined as required; none is run meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub run_confinement_error: Option<String>,
    /// When the last backup succeeded, whatever its age; absent if there was none. It does not change the state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub last_backup_at: Option<Timestamp>,
}

/// The probes of the store, one at a time.
#[derive(Default)]
pub(crate) struct Probes {
    /// The number of finished probes.
    ended: AtomicU64,
    last: Mutex<Option<ProbeResult>>,
}

/// The result of a probe.
#[derive(Clone)]
struct ProbeResult {
    at: Timestamp,
    outcome: Result<(), Arc<Error>>,
}

#[boxed_futures]
impl Hub {
    /// Writes to the store, reads it back, and returns the state of the hub.
    pub async fn readiness(&self) -> Readiness {
        let outcome = self.probe().await;
        let workers = self.health_board().all();
        let machine_registry_error = self.machine_registry_error(outcome.is_ok()).await;
        let files = self.file_store_health(outcome.is_ok()).await;
        let last_backup_at = self.last_backup_at(outcome.is_ok()).await;
        let (run_confinement, run_confinement_error) = self.run_confinement().await;
        let failing = workers.iter().any(|worker| worker.state == WorkerState::Failing)
            || files.as_ref().is_some_and(|files| !files.is_well())
            || run_confinement_error.is_some();
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
            run_confinement,
            run_confinement_error,
            last_backup_at,
        }
    }

    async fn last_backup_at(&self, store_answers: bool) -> Option<Timestamp> {
        let asked = store_answers.then(|| tokio::time::timeout(PATIENCE, self.backups().state()))?;
        asked.await.ok()?.ok()?.last_success_at
    }

    /// The state of the store: from a new probe, from the running one, or from a recent successful
    /// one.
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
        *last = Some(ProbeResult { at: self.clock().now(), outcome: outcome.clone() });
        probes.ended.fetch_add(1, Ordering::AcqRel);
        outcome
    }

    async fn file_store_health(&self, store_answers: bool) -> Option<FileStoreHealth> {
        let asked = store_answers.then(|| tokio::time::timeout(PATIENCE, self.attachments().health()))?;
        asked.await.ok()?.ok()
    }

    /// What confines runs, and the problem with it. Both are absent when that cannot be found out in time.
    async fn run_confinement(&self) -> (Option<String>, Option<String>) {
        // A hub without workers runs nothing, and prepares nothing for it.
        if self.health_board().all().is_empty() {
            return (None, None);
        }
        match tokio::time::timeout(PATIENCE, self.runs().confinement()).await {
            Ok(Ok(confinement)) => (confinement, None),
            Ok(Err(error)) => (None, Some(error)),
            Err(_) => (None, None),
        }
    }

    /// The problem with the registry file. Everybody may read it, so it does not include details.
    async fn machine_registry_error(&self, store_answers: bool) -> Option<String> {
        let principals = self.principals();
        let state = principals.file_state()?;
        if !state.ok {
            return Some("The registry file cannot be loaded. `svc-admin machines show` shows the reason.".to_owned());
        }
        let asked = store_answers.then(|| tokio::time::timeout(PATIENCE, principals.differs_from_file()))?;
        let differs = matches!(asked.await, Ok(Ok(true)));
        differs.then(|| {
            "The active registry differs from the one in the file. `svc-admin machines show` shows both.".to_owned()
        })
    }

    async fn write_and_read(&self) -> Result<()> {
        self.db().check_schema().await?;
        let written = self.db().probe_write((), |tx, ()| Box::pin(store::probe(tx))).await?;
        let read = self.db().probe((), |tx, ()| Box::pin(store::probed_at(tx))).await?;
        // Another node may have written since.
        if read < written {
            return Err(Error::internal("the readiness probe read an older value than it wrote"));
        }
        Ok(())
    }
}
