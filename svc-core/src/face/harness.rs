//! Harnesses: how agents are run.

pub use crate::automation::harness::{
    Harness, Heard, LogFollower, LogSink, NoBackend, PromptInput, RunEnd, RunJob, RunResult, prompt_messages,
    render_prompt,
};

#[doc(inline)]
pub use svc_model::harness::{
    HarnessBackend, HarnessPreset, HarnessSettings, Prices, ReplyMode, ReportedUsage, RunEstimate, RunFailure,
    RunReport, Usage,
};
