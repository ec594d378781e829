//! Every number that limits something, in one place; nothing else repeats one.

use std::time::Duration;

/// Rows of a list when the caller does not say.
pub const PAGE_DEFAULT: u32 = 50;
/// Rows of a list at most.
pub const PAGE_MAX: u32 = 200;

/// How long events stay in the log for readers that resume.
pub const EVENT_RETENTION: Duration = Duration::from_hours(7 * 24);
/// A named reader that has not moved for this long no longer keeps events from being swept.
pub const READER_ABANDONED: Duration = Duration::from_hours(30 * 24);
/// Length of an event's kind.
pub const EVENT_KIND_MAX: usize = 64;
/// Size of an event's payload as JSON text.
pub const EVENT_PAYLOAD_MAX: usize = 256 * 1024;

/// How long an idempotency key protects its first answer.
pub const IDEMPOTENCY_RETENTION: Duration = Duration::from_hours(24);
/// Length of an idempotency key.
pub const IDEMPOTENCY_KEY_MAX: usize = 255;

/// Traces written together at most.
pub const TRACE_BATCH_MAX: usize = 64;
/// How long a trace waits for company.
pub const TRACE_BATCH_DELAY: Duration = Duration::from_millis(100);
/// Traces waiting to be written before recording one has to wait.
pub const TRACE_QUEUE: usize = 4096;
/// How long traces are kept unless configured.
pub const TRACE_RETENTION: Duration = Duration::from_hours(30 * 24);

/// Writes that may share one commit on SQLite.
pub const WRITE_BATCH_MAX: usize = 256;
/// Writes waiting for the SQLite writer before the next one has to wait.
pub const WRITE_QUEUE: usize = 1024;

/// How soon a process notices what another wrote to the same SQLite file.
pub const FOREIGN_WRITE_POLL: Duration = Duration::from_millis(20);
/// How often the event log is looked at even when nobody called.
pub const EVENT_FALLBACK_POLL: Duration = Duration::from_secs(1);

/// How long a worker's lease lasts without renewal.
pub const WORKER_LEASE: Duration = Duration::from_secs(15);
/// The first and the longest pause before a failed worker runs again.
pub const WORKER_BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// JSON request bodies.
pub const JSON_BODY_MAX: usize = 1024 * 1024;
