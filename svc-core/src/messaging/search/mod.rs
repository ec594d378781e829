//! Search: finding messages by words, sender, channel and properties.
//!
//! Invariants:
//! - Only visible messages are found and counted; [`viewer`](crate::messaging::messages::viewer)
//!   decides.
//! - A message can be found as soon as it has been sent: on SQLite a search first updates the index
//!   up to the newest message, on PostgreSQL the words are written with the message.
//! - Both engines find the same messages, because [`words`] defines words and [`query`] defines
//!   queries. Each engine has its own relevance order.
//! - A search uses its own connections for a limited time. Then it returns the results so far and
//!   reports that they are partial. Each owner has one search at a time; see [`slots`].
//! - Code that removes or deletes messages calls [`forget`] in the same transaction; code that changes their texts,
//!   [`reindex`].

mod dialect;
mod filter;
mod index;
mod query;
mod service;
mod slots;
pub(crate) mod snippet;
mod store;
pub(crate) mod words;
pub(crate) mod worker;

pub(crate) use index::{rebuild, reindex};
pub(crate) use query::{Condition, Query};
pub use service::Search;
pub(crate) use slots::SearchSlots;
pub(crate) use store::LISTED;
pub(crate) use store::index::forget;
pub(crate) use words::{titled_tsvector, tsvector};
