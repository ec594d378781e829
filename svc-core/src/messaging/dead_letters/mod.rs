//! Dead letters: failed messages, and failed deliveries to webhooks, that need the attention of a human.
//!
//! Invariants:
//! - A message that fails becomes a dead letter of its recipient's owner in the same transaction.
//! - Its author is notified once, however often it fails.
//! - Only that owner, and the admin socket, can see, retry or acknowledge it.
//! - It is removed after 30 days.

mod create;
mod service;
mod store;
pub(crate) mod sweep;

pub(crate) use create::{abandon, abandon_late, create, create_for_delivery, note_redelivery};
pub use service::DeadLetters;
pub(crate) use service::Redelivery;
pub(crate) use store::LISTED;
