//! Pinned messages of a conversation.
//!
//! Invariants:
//! - A message has at most one pin, and a conversation at most [`PINS_MAX`](crate::limits::PINS_MAX), because a pin is
//!   set while the row of the conversation is locked.
//! - Members of a channel, and the two of a direct conversation, set and remove pins; everybody who sees the messages
//!   sees the pins.
//! - A deleted message has no pin: deleting it removes the pin, and the row of the message is locked while it is pinned.

mod change;
mod service;
mod store;

pub use service::Pins;
pub(crate) use store::LISTED;
