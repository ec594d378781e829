//! The event log: every change of the hub in one order, for readers in any process. The handle is `hub.events()`.
//!
//! [`EventLog::subscribe`] follows the log from a position in memory, [`EventLog::consume`] from one in the store. What
//! one caller may see of the log is in [`live`](crate::live). The payloads of [`EventBody`] are in [`model::events`](svc_model::events).

pub use crate::store::events::{After, Event, EventLog, NewEvent, Subscription};

#[doc(inline)]
pub use svc_model::events::EventBody;
