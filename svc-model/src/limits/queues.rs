//! Limits of queues.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Length of a queue's name.
pub const QUEUE_NAME_MAX: usize = 64;
/// Length of an item's key and of its `dedupe` value, in bytes.
pub const QUEUE_KEY_MAX: usize = 255;
/// Size of an item's payload as JSON text.
pub const QUEUE_PAYLOAD_MAX: usize = 256 * 1024;
/// How long a claim on an item may last.
pub const QUEUE_LEASES: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);
/// How long it lasts unless the queue says.
pub const QUEUE_LEASE: Duration = Duration::from_mins(1);
/// How often an item is tried unless its queue says.
pub const QUEUE_ATTEMPTS: u32 = 5;
/// How often an item is tried at most.
pub const QUEUE_ATTEMPTS_MAX: u32 = 100;
/// How long an item waits at most, for its time or for its next attempt; also the time that a rate is given for.
pub const QUEUE_DELAY_MAX: Duration = Duration::from_hours(30 * 24);
/// Items of one key that a rate allows at once.
pub const QUEUE_BURST_MAX: u32 = 10_000;
/// Items of one key that may be leased at once.
pub const QUEUE_CONCURRENCY_MAX: u32 = 1000;
/// How long a worker that waits for work goes without looking.
pub const QUEUE_POLL: Duration = Duration::from_secs(1);
/// How long a claim waits that could take nothing of a key because others are changing it.
pub const QUEUE_BLOCKED_PAUSE: Duration = Duration::from_millis(10);
/// How long items that were done are kept.
pub const QUEUE_DONE_RETENTION: Duration = Duration::from_hours(7 * 24);
/// How long dead items are kept.
pub const QUEUE_DEAD_RETENTION: Duration = Duration::from_hours(30 * 24);
/// How long a key is remembered that has no work.
pub const QUEUE_KEY_RETENTION: Duration = Duration::from_hours(1);
