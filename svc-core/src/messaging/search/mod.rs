//! Search: finding messages by their words, by whom and where they were said, and by what they carry.
//!
//! What always holds:
//! - Nobody finds, or counts, what they may not see; [`viewer`](crate::messaging::messages::sight) decides.
//! - A message is found as soon as it has been sent: on SQLite a search first brings the index up to
//!   the newest message, on PostgreSQL the words are written with it.
//! - Both engines find the same messages, because [`words`] says what a word is and [`query`] what is
//!   asked for. What is more relevant, each decides by itself.
//! - A search reads on connections of its own, and for a limited time: then it answers with what it has
//!   found and says that this is a part. Each owner has one at a time; see [`turns`].
//! - Whoever removes messages calls [`forget`] in the same transaction.

mod dialect;
mod filter;
mod index;
mod query;
mod service;
mod snippet;
mod store;
mod turns;
mod words;
pub(crate) mod worker;

pub(crate) use index::forget;
#[cfg(any(test, fuzzing))]
pub(crate) use query::{Condition, Query};
pub use service::Search;
pub(crate) use store::LISTED;
pub(crate) use words::tsvector;
