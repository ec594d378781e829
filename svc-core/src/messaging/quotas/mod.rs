//! Quotas: how many bytes of files and how many messages a human with all their agents may have, so that
//! nobody fills the disk of everybody.
//!
//! What always holds:
//! - Bytes are those of distinct contents that the owner or one of their agents uploaded and that are still
//!   stored. The store itself adds them up (triggers on `attachment_uploads`), and an upload that would go
//!   beyond the limit is undone in its own transaction, so they never do.
//! - Messages are those that were sent in the last 24 hours, by full hours, as analytics counts them. Each
//!   process keeps the last count and what it sent itself since, so that a send reads and locks nothing;
//!   it counts again every few seconds, and before it refuses anything. Processes that share a store may
//!   together go beyond the limit by what they send in those seconds.
//! - Whoever holds the process, and the system, have none.

mod service;
pub(crate) mod store;
mod tally;

pub use service::Quotas;
pub(crate) use service::SentMessages;
pub(crate) use store::LISTED;
