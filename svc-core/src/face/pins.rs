//! Pins: messages that the members of a conversation keep at hand. The handle is `hub.pins()`.

pub use crate::messaging::pins::Pins;

#[doc(inline)]
pub use svc_model::pins::{Pin, PinFilter, PinPage};
