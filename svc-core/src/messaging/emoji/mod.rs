//! Emoji under messages: marks that participants choose freely.
//!
//! Invariants:
//! - A participant has each emoji under a message at most once, at most
//!   [`EMOJI_PER_PARTICIPANT`](crate::limits::EMOJI_PER_PARTICIPANT) of them, and a message has at most
//!   [`EMOJI_PER_MESSAGE`](crate::limits::EMOJI_PER_MESSAGE) different ones.
//! - Only emoji of the list of [`svc_model::emoji`] are stored, each with one text.
//! - They change nothing else: no workflow state, no trust, no claim, no run and no webhook.
//!
//! Changes to one message are serialized: each locks the row of the message first.

mod service;
pub(crate) mod store;

pub use service::Emojis;
pub(crate) use store::LISTED;
