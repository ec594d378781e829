//! Limits of the runs of agents.

use std::time::Duration;

/// Duration of the lease on a run, and of the claims on its messages, without renewal.
pub const RUN_LEASE: Duration = Duration::from_mins(1);
/// Interval at which a node renews the lease of a run.
pub const RUN_HEARTBEAT: Duration = Duration::from_secs(10);
/// Number of times that a run is taken from the queue. It is dispatched once; a node that takes it again after
/// another one died records the interruption.
pub const RUN_ATTEMPTS: u32 = 5;
/// Maximum number of messages that a run claims, with its trigger.
pub const RUN_MESSAGES: u32 = 20;
/// Number of earlier messages of the trigger's thread that a run is shown.
pub const RUN_THREAD: u32 = 10;
/// Maximum size of the stored prompt and of the stored response of a run, in bytes.
pub const RUN_TEXT_MAX: usize = 32 * 1024;
/// Retention of the whole log of a run.
pub const RUN_LOG_RETENTION: Duration = Duration::from_hours(7 * 24);
/// Retention of runs, and of the triggers that started none.
pub const RUN_RETENTION: Duration = Duration::from_hours(90 * 24);
/// Maximum size of the prompt of a run that an owner starts, in bytes.
pub const RUN_REQUEST_MAX: usize = 16 * 1024;
/// Number of characters of an error that the owner of a failed run is told.
pub const RUN_ERROR_TOLD: usize = 1000;
/// Number of events that are evaluated in one transaction.
pub const RUN_READER_BATCH: u32 = 100;
/// Interval at which waiting work is looked at again while its agent is paused or in quarantine, in case nobody tells.
pub const RUN_RECHECK: Duration = Duration::from_mins(5);
/// Time that a run has for its end after its time limit or after it was cancelled, before it is given up.
pub const RUN_OVERDUE: Duration = Duration::from_secs(30);
/// Time that a stopping server waits for the ends of its runs.
pub const RUN_STOPPING: Duration = Duration::from_secs(10);
/// Maximum number of runs of one node at the same time that can be configured.
pub const RUNS_AT_ONCE_MAX: u32 = 1000;
/// Poll interval of a reader that follows the log of a run on another node.
pub const RUN_LOG_POLL: Duration = Duration::from_secs(2);
/// Maximum number of reactive agents in a list.
pub const REACTIVE_SHOWN: u32 = 1000;
/// Maximum number of senders whose messages are looked at when the first message that waits is held by a loop.
pub const RUN_SENDERS: u32 = 100;
