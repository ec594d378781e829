//! Harnesses: how agents are run, as commands, in containers, as Jobs of a cluster or behind URLs.
//!
//! A program that runs agents has to be able to be its own launcher: it calls [`launcher_main`] when its first argument
//! is [`LAUNCHER_ARGUMENT`], before it does anything else, and gives [`Launcher::this_program`] to the hub. Or it
//! names an installed `svc-http`.

pub use crate::automation::harness::{
    ConfinementMode, Harness, HarnessConfig, Harnesses, Heard, LAUNCHER_ARGUMENT, Launcher, LogFollower, LogSink,
    NoBackend, Pod, PromptInput, RemoteJob, RunEnd, RunJob, RunResult, Site, launcher_main, prompt_messages,
    render_prompt,
};

#[doc(inline)]
pub use svc_model::harness::{
    HarnessBackend, HarnessPreset, HarnessSettings, Prices, ReplyMode, ReportedUsage, RunEstimate, RunFailure,
    RunReport, Usage,
};
