//! Limits of webhooks and their deliveries.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Maximum number of webhooks of one agent.
pub const WEBHOOKS_PER_AGENT: i64 = 10;
/// Maximum size of a webhook's URL, in bytes.
pub const WEBHOOK_URL_MAX: usize = 2048;
/// Allowed sizes of a webhook's secret, in bytes before base64.
pub const WEBHOOK_SECRET_BYTES: RangeInclusive<usize> = 24..=64;
/// Size of a secret that the hub makes, in bytes before base64.
pub const WEBHOOK_SECRET_MADE: usize = 32;
/// Time for which the previous secret also signs after a rotation.
pub const WEBHOOK_ROTATION: Duration = Duration::from_hours(24);
/// Number of previous secrets that sign at the same time.
pub const WEBHOOK_OLD_SECRETS: u32 = 5;
/// Number of attempts that one node makes at the same time.
pub const WEBHOOK_WORKERS: usize = 8;
/// Number of these that are for the agents of one owner, so that their slow receivers leave room for others. It is more
/// than half, so that one owner at most has all of theirs.
pub const WEBHOOK_OWNER_SHARE: usize = 6;
/// Number of deliveries that one node has claimed and not recorded: those that wait for a place, those under way, and
/// those whose outcome is being written.
pub const WEBHOOK_HELD: usize = 128;
/// Number of these that wait for a place while the last attempts were not quick, or there were none.
pub const WEBHOOK_AHEAD: usize = 16;
/// Number of these that wait for a place while attempts are so quick that all get one soon.
pub const WEBHOOK_AHEAD_MAX: usize = 48;
/// Number of outcomes that one transaction records.
pub const WEBHOOK_RECORDED: usize = 64;
/// Time for which an outcome waits for others that are about to come, to be recorded with them.
pub const WEBHOOK_GATHERING: Duration = Duration::from_millis(5);
/// Age up to which an attempt is likely to end soon, so that deliveries are claimed for its place.
pub const WEBHOOK_QUICK: Duration = Duration::from_millis(100);
/// Time for which a claimed delivery waits for a place before it is given back.
pub const WEBHOOK_PATIENCE: Duration = Duration::from_secs(1);
/// Number of attempts for one agent at the same time, among all nodes, so that slow receivers of one agent leave
/// room for others.
pub const WEBHOOK_AGENT_CONCURRENCY: u32 = 2;
/// Deliveries in any minute and for one agent; more wait.
pub const WEBHOOK_RATE: u32 = 60;
/// Allowed settings of that number; 0 is no limit.
pub const WEBHOOK_RATES: RangeInclusive<u32> = 0..=60_000;
/// The part of these, one in so many, that can be made at once after a pause; the others are spread evenly.
pub const WEBHOOK_BURST_SHARE: u32 = 6;
/// Tests of one webhook per minute.
pub const WEBHOOK_TESTS_PER_MINUTE: u32 = 6;
/// Number of tests that one node makes at the same time.
pub const WEBHOOK_TESTS_AT_ONCE: usize = 8;
/// Number of names that one node looks up at the same time when webhooks are registered.
pub const WEBHOOK_LOOKUPS: usize = 8;
/// Time limit of a whole attempt: connection, request and answer.
pub const WEBHOOK_ATTEMPT: Duration = Duration::from_secs(10);
/// Duration of the lease on a delivery. It exceeds an attempt by far, so that a slow store loses none.
pub const WEBHOOK_LEASE: Duration = Duration::from_secs(30);
/// Delays between the attempts at a delivery, in seconds.
pub const WEBHOOK_RETRIES: [u64; 3] = [1, 5, 30];
/// Random extension of these delays, in percent.
pub const WEBHOOK_JITTER: u32 = 20;
/// Maximum delay that a receiver can ask for with `Retry-After`.
pub const WEBHOOK_RETRY_AFTER_MAX: Duration = Duration::from_mins(10);
/// Number of failed attempts in a row after which a webhook is disabled.
pub const WEBHOOK_FAILURES_MAX: u32 = 50;
/// Maximum size of the stored beginning of an answer, in bytes.
pub const WEBHOOK_EXCERPT_MAX: usize = 4 * 1024;
/// Time for which the beginning of an answer is read after its status has arrived.
pub const WEBHOOK_EXCERPT_TIME: Duration = Duration::from_secs(1);
/// Number of the last attempts that are shown with a webhook.
pub const WEBHOOK_RECENT: u32 = 50;
/// Depth of a message from which on nothing is sent.
pub const WEBHOOK_DEPTH_MAX: u32 = 5;
/// Maximum depth that is recorded.
pub const DEPTH_MAX: u32 = 1000;
/// Retention of delivered and stopped deliveries.
pub const DELIVERY_RETENTION: Duration = Duration::from_hours(7 * 24);
/// Number of deliveries to the webhooks of one owner that have not ended; what comes beyond is stopped.
pub const WEBHOOK_OPEN_MAX: u32 = 10_000;
/// Time for which the number of open deliveries of an owner is not counted again, as long as it is below the limit.
pub const WEBHOOK_OPEN_AGE: Duration = Duration::from_secs(1);
/// Number of webhooks that are told of events in one transaction, so that no event makes it too long.
pub const WEBHOOK_READER_ROOM: u32 = 500;
/// Number of deliveries that one request recovers.
pub const WEBHOOK_RECOVER_MAX: u32 = 5000;
/// Number of events that one request to recover reads.
pub const WEBHOOK_RECOVER_EVENTS: u32 = 50_000;
/// Time after which a request to recover that was interrupted no longer blocks the next one.
pub const WEBHOOK_RECOVER_TIME: Duration = Duration::from_mins(2);
/// Time that a stopping server waits for attempts under way.
pub const WEBHOOK_STOPPING: Duration = Duration::from_secs(2);
/// Ports from this one on are allowed in the URL of a webhook, and 443.
pub const WEBHOOK_PORT_MIN: u16 = 1024;
/// Time limit of the name lookup when a webhook is registered.
pub const WEBHOOK_LOOKUP: Duration = Duration::from_secs(3);
