//! Quotas for stored file bytes and sent messages, per human with all their agents, so that no user
//! can fill the shared disk.
//!
//! Invariants:
//! - File bytes are those of distinct contents that the owner or one of their agents uploaded and
//!   that are still stored. Triggers on `attachment_uploads` keep the sum in the store. An upload
//!   that would exceed the limit is rolled back in its own transaction, so the sum never exceeds
//!   it.
//! - Messages are those sent in the last 24 hours, by full hours, as analytics counts them. Each
//!   process keeps the last count and the number it has sent since, so that a send reads and locks
//!   nothing. It counts again every few seconds, and before it rejects a message. Processes that
//!   share a store may together exceed the limit by the messages they send in those seconds.
//! - The admin socket and the system have no quota.

mod service;
pub(crate) mod store;
mod tally;

pub use service::Quotas;
pub(crate) use service::SentMessages;
pub(crate) use store::LISTED;
