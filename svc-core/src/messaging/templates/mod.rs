//! Message templates: texts that a human writes often, each human for themselves.
//!
//! Invariants:
//! - A key that is limited to channels sees none, because a text may be of any conversation.
//! - Names are unique for each human, regardless of case, by a unique index.
//! - A human has at most [`TEMPLATES_MAX`](crate::limits::TEMPLATES_MAX), because the row of the account is locked when one
//!   is added.

mod service;
mod store;

pub use service::Templates;
pub(crate) use store::{LISTED, remove_all_of};
