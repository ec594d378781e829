//! The registry file: read at start, when it changes, and on request.
//!
//! Invariants: the loaded registry stays until the file has a valid one; the result of the last attempt is
//! visible. A file that is being written gets a moment to settle, and a replaced file is noticed like a
//! modified one.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use svc_macros::boxed_futures;
use svc_model::principals::Fault;
use tokio::io::AsyncReadExt;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::registry::Loaded;
use super::service::Principals;
use super::store;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Caller, Visit};
use crate::limits;
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// The number of times that a changed file is read again although it looks unchanged: its modification time
/// may be too coarse to distinguish two changes.
const REREADS: u32 = 10;

/// The state of the registry file after its last read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RegistryFileState {
    /// The path of the file.
    pub path: String,
    /// Whether its content could be loaded.
    pub ok: bool,
    /// When it was read.
    pub tried_at: Timestamp,
    /// Since when loading has failed; absent while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// The SHA-256 of its content, if that could be loaded. Another registry may have been loaded since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The error code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The error message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The faults of the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// The follower of the registry file.
pub struct RegistryFile {
    principals: Principals,
    path: PathBuf,
    /// The metadata of the file at the last check.
    stamp: Option<Stamp>,
    /// Whether it has changed and gets a moment to settle.
    settling: bool,
    /// The number of further reads although it looks unchanged.
    rereads: u32,
    /// The hash of the content that was tried last, unless a retry could succeed.
    tried: Option<[u8; 32]>,
}

/// The metadata of a file; `None` for one that cannot be accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    place: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

#[boxed_futures]
impl Principals {
    /// Reads the registry file for the first time. The result is available as
    /// [`file_state`](Self::file_state) and logged; [`RegistryFile::follow`] continues from there.
    pub async fn open_file(&self, path: impl Into<PathBuf>) -> RegistryFile {
        let path = path.into();
        let stamp = stamp(&path).await;
        let mut file =
            RegistryFile { principals: self.clone(), path, stamp, settling: false, rereads: REREADS, tried: None };
        file.read().await;
        file
    }

    /// Whether the loaded registry differs from the content of the file.
    pub async fn differs_from_file(&self) -> Result<bool> {
        let Some(ours) = self.file_state().and_then(|state| state.sha256) else { return Ok(false) };
        let theirs = self.db.read((), |tx, ()| Box::pin(store::registry::sha256(tx))).await?;
        Ok(theirs.as_ref() != Some(&ours))
    }

    /// The state of the registry file after its last read by this process; `None` without a file.
    pub fn file_state(&self) -> Option<RegistryFileState> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[boxed_futures]
impl RegistryFile {
    /// Reads the file again when it changes, and whenever `reload` is notified, until `stop`.
    pub async fn follow(mut self, reload: &Notify, stop: CancellationToken) {
        let mut ticks = interval(limits::REGISTRY_POLL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = reload.notified() => {
                    self.tried = None;
                    self.stamp = stamp(&self.path).await;
                    self.read().await;
                }
                _ = ticks.tick() => self.check_for_change().await,
            }
        }
    }

    /// Reads the file if it has changed, or may have.
    async fn check_for_change(&mut self) {
        let stamp = stamp(&self.path).await;
        if stamp != self.stamp {
            self.stamp = stamp;
            self.rereads = REREADS;
            // The file may still be being written. It gets one moment to settle, whatever happens to it.
            if !self.settling {
                self.settling = true;
                return;
            }
        }
        if self.settling || self.rereads > 0 {
            self.settling = false;
            self.rereads = self.rereads.saturating_sub(1);
            self.read().await;
        }
    }

    /// Loads the content of the file, unless it was tried before.
    async fn read(&mut self) {
        let outcome = match content(&self.path).await {
            Ok(bytes) => {
                let digest = Sha256::digest(&bytes).into();
                if self.tried == Some(digest) {
                    return;
                }
                self.tried = Some(digest);
                let caller = Caller::root().visiting(Visit::through(Surface::Server));
                self.principals.load(&caller, &self.path.display().to_string(), bytes).await
            }
            Err(error) => {
                self.tried = None;
                Err(error)
            }
        };
        if outcome.as_ref().is_err_and(|error| error.kind() != ErrorKind::Invalid) {
            // The document is not at fault, so it may work the next time.
            self.tried = None;
            self.rereads = self.rereads.max(1);
        }
        self.keep(&outcome);
    }

    fn keep(&self, outcome: &Result<Loaded>) {
        let mut kept = self.principals.file.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.principals.clock.now();
        let failing_since = kept.as_ref().and_then(|old| old.failing_since).unwrap_or(now);
        let state = RegistryFileState {
            path: self.path.display().to_string(),
            ok: outcome.is_ok(),
            tried_at: now,
            failing_since: outcome.is_err().then_some(failing_since),
            sha256: outcome.as_ref().ok().map(|loaded| loaded.registry.sha256.clone()),
            code: outcome.as_ref().err().map(|error| error.code().to_owned()),
            error: outcome.as_ref().err().map(|error| error.message().to_owned()),
            faults: outcome.as_ref().err().map(faults_of).unwrap_or_default(),
        };
        let is_new_failure = kept.as_ref().is_none_or(|old| old.error != state.error || old.faults != state.faults);
        match outcome {
            Ok(loaded) if loaded.changed => {
                tracing::info!(path = state.path, sha256 = loaded.registry.sha256, "a registry was loaded");
            }
            // A repeated failure is logged once.
            Err(error) if is_new_failure => {
                let faults: Vec<_> = state.faults.iter().map(|fault| (&fault.pointer, &fault.message)).collect();
                tracing::error!(
                    path = state.path,
                    error = error.log_line(),
                    ?faults,
                    "the registry file cannot be loaded; the current registry stays"
                );
            }
            Ok(_) | Err(_) => {}
        }
        *kept = Some(state);
    }
}

fn faults_of(error: &Error) -> Vec<Fault> {
    error.details().get("faults").and_then(|faults| serde_json::from_value(faults.clone()).ok()).unwrap_or_default()
}

async fn stamp(path: &Path) -> Option<Stamp> {
    let facts = tokio::fs::metadata(path).await.ok()?;
    Some(Stamp {
        place: (facts.dev(), facts.ino()),
        size: facts.size(),
        modified: (facts.mtime(), facts.mtime_nsec()),
        changed: (facts.ctime(), facts.ctime_nsec()),
    })
}

/// The content of the file; of a file that is too large, just enough to notice.
async fn content(path: &Path) -> Result<Vec<u8>> {
    let unreadable = |error: io::Error| {
        let sentence = format!("The registry file cannot be read ({error}): check that the server may read it.");
        Error::unavailable("registry_unreadable", sentence)
    };
    // A pipe would block.
    if !tokio::fs::metadata(path).await.map_err(unreadable)?.is_file() {
        let sentence = "The path of the registry is not a file: give the path of the registry file.";
        return Err(Error::unavailable("registry_unreadable", sentence));
    }
    let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
    let mut bytes = Vec::new();
    let most = u64::try_from(limits::REGISTRY_MAX).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).await.map_err(unreadable)?;
    Ok(bytes)
}
