//! Runs: agents that the hub starts, and what came of them. The handle is `hub.runs()`.

pub use crate::automation::runs::{RunCounts, RunLog, RunSettings, Runs};

#[doc(inline)]
pub use svc_model::runs::{
    HarnessRun, NewRun, ReactiveAgent, ReactiveAgents, ReactiveState, Run, RunAgent, RunCause, RunDetails, RunFilter,
    RunPage, RunPreview, RunStatus,
};
