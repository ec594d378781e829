//! Limits of cluster jobs.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Maximum number of handlers of an agent.
pub const HANDLERS_PER_AGENT: i64 = 10;
/// Time limit of the Job of a handler, in seconds.
pub const HANDLER_SECONDS: u32 = 600;
/// Time limits that a handler can have, in seconds.
pub const HANDLER_SECONDS_RANGE: RangeInclusive<u32> = 60..=3600;
/// Maximum size of the variables of a handler, in bytes.
pub const HANDLER_ENV_BYTES: usize = 64 * 1024;
/// Maximum length of a DNS label.
pub const LABEL_MAX: usize = 63;
/// Maximum length of a DNS subdomain.
pub const SUBDOMAIN_MAX: usize = 253;
/// Maximum number of digits of a quantity.
pub const QUANTITY_DIGITS: usize = 16;
/// Number of Jobs that one node follows at the same time.
pub const CLUSTER_JOBS: u32 = 256;
/// Maximum number of Jobs of one owner that are queued or running. Further events start none.
pub const CLUSTER_OPEN_MAX: u32 = 1000;
/// Number of Jobs of one owner that run at the same time.
pub const CLUSTER_OWNER_CONCURRENCY: u32 = 200;
/// Number of nodes that may take up a Job one after the other, because each of them died.
pub const CLUSTER_ATTEMPTS: u32 = 100;
/// Interval at which Jobs and pods are listed; in between they are watched.
pub const CLUSTER_POLL: Duration = Duration::from_secs(15);
/// Time limit of a request to the cluster.
pub const CLUSTER_REQUEST: Duration = Duration::from_secs(20);
/// Time for which a request is repeated while the cluster does not answer.
pub const CLUSTER_PATIENCE: Duration = Duration::from_secs(30);
/// Time that a container has to leave a state such as an image that cannot be pulled, before its Job is given up.
pub const CLUSTER_WAITING: Duration = Duration::from_mins(1);
/// Time beyond the limit of a Job within which the cluster has to say how it ended.
pub const CLUSTER_OVERDUE: Duration = Duration::from_mins(1);
/// Time after which the cluster removes a Job that has ended, in seconds.
pub const CLUSTER_TTL_SECONDS: i32 = 3600;
/// Maximum size of the files that a Job gets, in bytes. A Secret has at most 1 MiB.
pub const CLUSTER_FILES_MAX: usize = 900 * 1024;
/// Interval at which Jobs that belong to no run are looked for.
pub const CLUSTER_STRAYS: Duration = Duration::from_mins(1);
/// Minimum interval between two requests of those that follow Jobs.
pub const CLUSTER_PACE: Duration = Duration::from_millis(250);
/// Maximum size of the log of a Job that is read, in bytes. Of it, less is kept.
pub const CLUSTER_LOG_READ: i64 = 64 * 1024 * 1024;
/// Time that the log of a Job has to end after the Job.
pub const CLUSTER_LOG_END: Duration = Duration::from_secs(10);
/// Maximum number of Jobs in one page of a list.
pub const CLUSTER_PAGE: u32 = 500;
/// Maximum number of events that are read in one transaction.
pub const CLUSTER_READER_BATCH: u32 = 100;
/// Maximum number of handlers that one transaction starts Jobs for.
pub const CLUSTER_READER_ROOM: u32 = 100;
