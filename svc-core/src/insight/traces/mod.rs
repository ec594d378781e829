//! Traces: a record of actions with their actor, surface, duration and outcome.
//!
//! Invariants:
//! - Traces are written in batches of at most 64, or after 100 ms.
//! - Recording waits while the queue is full.
//! - No trace is dropped without a log line and a count.
//! - A human sees the traces of themselves and their agents, an agent its own.
//! - A read includes everything recorded in this process before it began.

mod export;
mod filter;
mod model;
mod purge;
pub(crate) mod retention;
mod service;
pub(crate) mod store;
mod writer;

pub use export::TraceExport;
pub use writer::Traces;

pub(crate) use filter::TraceScope;
pub(crate) use store::listed;
