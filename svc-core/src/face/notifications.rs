//! Notifications: what is unread, and how far a participant has read. The handle is `hub.notifications()`.

pub use crate::messaging::notifications::Notifications;

#[doc(inline)]
pub use svc_model::notifications::{Mark, Partner, Unread};
