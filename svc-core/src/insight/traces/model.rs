//! A trace on its way to the store.

use svc_model::traces::NewTrace;

use crate::timestamp::Timestamp;

/// A trace with the time at which it was recorded, on its way to the store.
#[derive(Debug, Clone)]
pub(super) struct Stamped {
    pub(super) trace: NewTrace,
    pub(super) at: Timestamp,
}
