//! Traces: what was done, by whom, through which surface, how long it took and how it ended.
//!
//! What always holds: traces are written in batches of at most 64, or after 100 ms; a queue that
//! is full makes whoever records wait; none is dropped without a line in the log and a count.
//! Whoever reads them sees those of one owner, an agent its own; what was recorded in this process
//! before a read began is in its answer.

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

pub(crate) use filter::Reach;
pub(crate) use store::listed;
