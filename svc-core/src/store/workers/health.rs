//! How the workers are, as far as this process knows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// What a worker is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub enum WorkerState {
    /// Waiting for its time.
    Idle,
    /// At work.
    Running,
    /// Failed; it will be tried again.
    Failing,
    /// At work in another process.
    Elsewhere,
}

/// How one worker is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct WorkerHealth {
    /// The worker.
    pub name: String,
    /// What it is doing.
    pub state: WorkerState,
    /// When it last finished a round here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub last_run_at: Option<Timestamp>,
    /// Why its latest round failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub last_error: Option<String>,
    /// Rounds that failed one after another.
    pub failures: u32,
}

/// The board on which the supervisor notes what it sees.
#[derive(Debug, Clone, Default)]
pub(crate) struct HealthBoard(Arc<Mutex<BTreeMap<&'static str, WorkerHealth>>>);

impl HealthBoard {
    /// A copy of everything noted, by name.
    pub(crate) fn all(&self) -> Vec<WorkerHealth> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Changes the note on one worker.
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
