//! Limits of push messages, notification settings and presence.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Maximum number of push subscriptions of a user.
pub const PUSH_SUBSCRIPTIONS_MAX: u32 = 20;
/// Time for which a subscription stays after its login session has expired. Opening the web UI renews it.
pub const PUSH_AFTER_SESSION: Duration = Duration::from_hours(60 * 24);
/// Allowed lengths of the name of a device, in characters.
pub const PUSH_DEVICE_LENGTHS: RangeInclusive<usize> = 1..=80;
/// Largest `expirationTime` of a subscription, in milliseconds since 1970.
pub const EXPIRATION_MILLIS_MAX: f64 = 9e15;
/// Maximum length of the name of a time zone.
pub const TIME_ZONE_MAX: usize = 64;
/// Maximum size of the URL of a push service, in bytes.
pub const PUSH_ENDPOINT_MAX: usize = 2048;
/// Maximum size of the content of a push message before encryption, in bytes.
pub const PUSH_PAYLOAD_MAX: usize = 3 * 1024;
/// Maximum length of the text of a notification, in characters. Lock screens show less.
pub const PUSH_TEXT_MAX: usize = 400;
/// Number of attempts at one message whose text is shortened because the push service finds it too large.
pub const PUSH_SHORTENINGS: u32 = 2;
/// Time after which a message that was not delivered is dropped, by the hub and by the push service.
pub const PUSH_TTL: Duration = Duration::from_hours(24);
/// Validity of the signed token that identifies the hub to a push service. Services accept up to 24 hours.
pub const PUSH_TOKEN_TTL: Duration = Duration::from_hours(12);
/// Delays between the attempts at a message, in seconds.
pub const PUSH_RETRIES: [u64; 9] = [1, 5, 30, 120, 600, 3600, 10_800, 21_600, 36_000];
/// Random extension of these delays, in percent.
pub const PUSH_JITTER: u32 = 10;
/// Maximum delay that a push service can ask for with `Retry-After`.
pub const PUSH_RETRY_AFTER_MAX: Duration = Duration::from_hours(6);
/// Time limit of a whole attempt.
pub const PUSH_ATTEMPT: Duration = Duration::from_secs(10);
/// Duration of the lease on a message. It exceeds an attempt with its repetitions.
pub const PUSH_LEASE: Duration = Duration::from_mins(1);
/// Number of attempts that one node makes at the same time.
pub const PUSH_WORKERS: usize = 64;
/// Number of attempts at one push service at the same time, among all nodes, so that a service that does not answer
/// leaves room for others.
pub const PUSH_SERVICE_CONCURRENCY: u32 = 24;
/// Number of users that are told of events in one transaction, so that no event makes it too long.
pub const PUSH_READER_ROOM: u32 = 500;
/// Test notifications of one user per minute.
pub const PUSH_TESTS_PER_MINUTE: u32 = 10;
/// Time limit of the name lookup when a subscription is added.
pub const PUSH_LOOKUP: Duration = Duration::from_secs(3);
/// Number of names that one node looks up at the same time when subscriptions are added.
pub const PUSH_LOOKUPS: usize = 8;
/// Time that a stopping server waits for attempts under way.
pub const PUSH_STOPPING: Duration = Duration::from_secs(2);
/// Time after the last sign of a visible page in which nothing is pushed to its user.
pub const PRESENCE_TTL: Duration = Duration::from_secs(45);
/// Maximum number of pages of one user whose presence is kept.
pub const PRESENCE_PAGES_MAX: u32 = 20;
/// Allowed lengths of the name of a page.
pub const PRESENCE_PAGE_LENGTHS: RangeInclusive<usize> = 1..=64;
/// Maximum number of conversations in one change of the notification settings.
pub const LEVELS_PER_CHANGE: usize = 100;
/// Maximum number of conversations of one user whose level is not the default.
pub const LEVELS_MAX: u32 = 1000;
