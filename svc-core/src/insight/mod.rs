//! The event log as people see it: live streams, counts, traces.
//!
//! Stands on messaging and below.

pub(crate) mod analytics;
pub(crate) mod live;
pub(crate) mod principals;
pub(crate) mod traces;
