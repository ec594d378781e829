//! A trace on its way to the store.

use svc_model::traces::NewTrace;

use crate::timestamp::Timestamp;

/// A trace with its time, on its way to the store.
#[derive(Debug, Clone)]
pub(super) struct TimedTrace {
    pub(super) trace: NewTrace,
    pub(super) at: Timestamp,
}
