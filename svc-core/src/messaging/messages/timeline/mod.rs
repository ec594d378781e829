//! Timelines: the messages of a channel, of a pair, of a conversation, page by page.
//!
//! What always holds: a page is oldest-first inside, whatever was asked for; the first page asked for is
//! the newest; a reader that goes on after the last id it has seen misses nothing, because ids inside a
//! conversation are in commit order; every page costs the same however long the conversation is.

mod channel;
mod conversations;
mod direct;
mod store;

pub(crate) use direct::partner;
pub(crate) use store::LISTED;
