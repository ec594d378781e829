//! Limits of the export of telemetry. Most are defaults of variables that OpenTelemetry names.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Default maximum number of spans that wait to be exported; further ones are dropped and counted.
pub const SPAN_QUEUE: usize = 2048;
/// Allowed lengths of that queue.
pub const SPAN_QUEUES: RangeInclusive<usize> = 1..=65_536;
/// Default maximum number of spans in one export.
pub const SPAN_BATCH_MAX: usize = 512;
/// Default wait of a span for others that are exported with it.
pub const SPAN_DELAY: Duration = Duration::from_secs(5);
/// Default timeout of an export.
pub const TELEMETRY_TIMEOUT: Duration = Duration::from_secs(10);
/// Default time between two exports of metrics.
pub const METRICS_INTERVAL: Duration = Duration::from_mins(1);
/// Allowed times in variables, in milliseconds.
pub const TELEMETRY_MILLIS: RangeInclusive<u64> = 1..=3_600_000;
/// Bytes of a collector's answer that are read.
pub const TELEMETRY_ANSWER_BYTES: usize = 64 * 1024;
/// Attempts to export a batch of spans, before it is dropped.
pub const SPAN_ATTEMPTS: u32 = 5;
/// Pause after the first failed attempt; it doubles with each further one.
pub const SPAN_RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause that a collector can ask for.
pub const SPAN_RETRY_PAUSE_MAX: Duration = Duration::from_secs(30);
/// Time in which a server that stops exports what it has.
pub const TELEMETRY_CLOSING: Duration = Duration::from_secs(2);
