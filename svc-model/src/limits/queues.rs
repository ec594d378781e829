//! Limits of queues.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Maximum length of a queue's name.
pub const QUEUE_NAME_MAX: usize = 64;
/// Maximum size of an item's key and of its `dedupe` value, in bytes.
pub const QUEUE_KEY_MAX: usize = 255;
/// Maximum size of an item's payload as JSON text, in bytes.
pub const QUEUE_PAYLOAD_MAX: usize = 256 * 1024;
/// Allowed durations of a lease on an item.
pub const QUEUE_LEASES: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);
/// Default duration of a lease on an item.
pub const QUEUE_LEASE: Duration = Duration::from_mins(1);
/// Default number of attempts at an item.
pub const QUEUE_ATTEMPTS: u32 = 5;
/// Maximum number of attempts at an item.
pub const QUEUE_ATTEMPTS_MAX: u32 = 100;
/// Maximum delay of an item or of its next attempt; also the longest period of a rate.
pub const QUEUE_DELAY_MAX: Duration = Duration::from_hours(30 * 24);
/// Maximum burst of a rate, in items of one key.
pub const QUEUE_BURST_MAX: u32 = 10_000;
/// Maximum concurrency: leased items of one key.
pub const QUEUE_CONCURRENCY_MAX: u32 = 1000;
/// Poll interval of a worker that waits for work.
pub const QUEUE_POLL: Duration = Duration::from_secs(1);
/// Pause of a claim that got nothing because other transactions hold the key.
pub const QUEUE_BLOCKED_PAUSE: Duration = Duration::from_millis(10);
/// Retention time of finished items.
pub const QUEUE_DONE_RETENTION: Duration = Duration::from_hours(7 * 24);
/// Retention time of dead items.
pub const QUEUE_DEAD_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Retention time of a key without work.
pub const QUEUE_KEY_RETENTION: Duration = Duration::from_hours(1);
