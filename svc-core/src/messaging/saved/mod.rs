//! Messages that humans save for later, each for themselves.
//!
//! Invariants:
//! - A human has saved a message at most once, and at most [`SAVED_MAX`](crate::limits::SAVED_MAX) messages, because the
//!   row of the account is locked when one is added.
//! - Nobody else learns what is saved. A message that its reader does not see any more is left out of the list.
//! - A deleted message is not saved any more.

mod service;
mod store;

pub use service::SavedMessages;
pub(crate) use store::{LISTED, remove_all_of};
