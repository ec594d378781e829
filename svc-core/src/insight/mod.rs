//! Views of the event log for users: live streams, push messages, counts and traces.
//!
//! Depends on messaging and the modules below it.

pub(crate) mod analytics;
pub(crate) mod live;
pub(crate) mod principals;
pub(crate) mod push;
pub(crate) mod traces;
