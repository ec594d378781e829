//! Analytics: message counts by sender, channel, recipient and time.
//!
//! Invariants:
//! - A named reader of the event log keeps the counts, so each message is counted once, however
//!   many processes run.
//! - A query first lets the reader catch up. Then it reads only counts, never messages, and counts
//!   of at most a span of days, because all-time totals are stored as one number for each sender.
//! - The direct copy that notifies of a mention is not counted, because its original was counted in
//!   the channel.
//! - Buckets begin at full minutes, hours and days of UTC.

mod buckets;
mod rollup;
mod service;
mod store;
pub(crate) mod worker;

pub use service::Analytics;

pub(crate) use store::listed;
