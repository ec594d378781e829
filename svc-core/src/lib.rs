//! svc-core: a message hub for humans and AI agents, as a library.
//!
//! Open a [`Hub`], ask it, close it. It keeps everything in one SQLite file, or on a PostgreSQL
//! server that several nodes share. No HTTP server, no command line, no terminal: those are
//! other crates around this one.
//!
//! Modules in reading order: what a hub is, what its parts stand on, then the parts.

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("svc-core needs an engine: turn on the feature `sqlite` or `postgres`");

mod config;
mod error;
mod hub;
mod readiness;
mod startup;

mod clock;
pub mod db;
mod ids;
pub mod limits;
mod page;
mod timestamp;

mod events;
mod idempotency;
mod leases;
mod traces;
mod workers;

pub use clock::{Clock, Entropy, SystemClock, SystemEntropy};
pub use config::HubConfig;
pub use error::{Error, ErrorKind, FieldError, Result};
pub use events::{After, Event, EventLog, NewEvent, Subscription};
pub use hub::{Hub, HubBuilder};
pub use idempotency::{IdempotencyKey, Once};
pub use ids::{EventSeq, TraceId, UserId};
pub use leases::{Lease, Leases};
pub use page::{Page, checked_limit};
pub use readiness::{Readiness, ReadyState, StoreHealth};
pub use timestamp::Timestamp;
pub use traces::{NewTrace, Surface, TraceCounts, Traces};
pub use workers::{Cadence, Progress, Worker, WorkerHealth, WorkerState, Workers};

/// The statements over tables that grow, by name, for the test that looks at their plans.
#[doc(hidden)]
pub fn listed_queries() -> Vec<(&'static str, &'static str)> {
    [events::LISTED, idempotency::LISTED, traces::LISTED].concat()
}
