//! The health of workers, as this process sees it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// The state of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub enum WorkerState {
    /// Waiting for its next run.
    Idle,
    /// Running.
    Running,
    /// Failed; it will be retried.
    Failing,
    /// Running in another process.
    Elsewhere,
}

/// The health of a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct WorkerHealth {
    /// The name of the worker.
    pub name: String,
    /// Its state.
    pub state: WorkerState,
    /// When it last finished a round in this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub last_run_at: Option<Timestamp>,
    /// The reason why its latest round failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub last_error: Option<String>,
    /// The number of consecutive failures.
    pub failures: u32,
}

/// The health of all workers, updated by the supervisor.
#[derive(Debug, Clone, Default)]
pub(crate) struct HealthBoard(Arc<Mutex<BTreeMap<&'static str, WorkerHealth>>>);

impl HealthBoard {
    /// A copy of all entries, by name.
    pub(crate) fn all(&self) -> Vec<WorkerHealth> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Updates the entry of one worker.
    pub(super) fn note(&self, name: &'static str, change: impl FnOnce(&mut WorkerHealth)) {
        let mut board = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(board.entry(name).or_insert_with(|| WorkerHealth {
            name: name.to_owned(),
            state: WorkerState::Idle,
            last_run_at: None,
            last_error: None,
            failures: 0,
        }));
    }
}
