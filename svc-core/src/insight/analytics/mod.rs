//! Analytics: how many messages went from whom to where, and when.
//!
//! What always holds: the counts are kept by a named reader of the event log, so that each message is
//! counted once however many processes run; a question first lets the reader catch up and then reads
//! the counts alone, never the messages, and of those a span of days at most, because what was sent
//! since ever is kept as one number for each sender; the direct message that tells of a mention is not
//! counted, because it repeats what was counted in its channel. Buckets begin at full minutes, hours and
//! days of UTC.

mod buckets;
mod rollup;
mod service;
mod store;
pub(crate) mod worker;

pub use service::Analytics;

pub(crate) use store::listed;
