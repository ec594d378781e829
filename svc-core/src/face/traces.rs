//! Traces: a record of actions with their actor, duration and outcome. The handle is `hub.traces()`.

pub use crate::insight::traces::{TraceExport, Traces};

#[doc(inline)]
pub use svc_model::traces::{
    ActionCount, NewTrace, PurgedTraces, Trace, TraceCounts, TraceFilter, TracePage, TraceStats,
};
