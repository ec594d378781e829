//! Messages that are sent later. The handle is `hub.scheduled()`.

pub use crate::messaging::scheduled::Scheduled;

#[doc(inline)]
pub use svc_model::scheduled::{
    NewScheduledMessage, ScheduledFilter, ScheduledMessage, ScheduledMessageUpdate, ScheduledPage, ScheduledStatus,
};
