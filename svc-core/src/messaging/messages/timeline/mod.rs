//! Timelines: the messages of a channel, of two participants or of a conversation, page by page.
//!
//! Invariants:
//! - The messages of a page are in ascending order, and the first page without a cursor is the
//!   newest.
//! - A reader that continues after the last id it has seen misses nothing, because ids inside a
//!   conversation are in commit order.
//! - The cost of a page does not depend on the length of the conversation.

mod channel;
mod conversations;
mod direct;
mod store;

pub(crate) use direct::partner;
pub(crate) use store::LISTED;
