//! Traces: what was done, by whom, through which surface, how long it took and how it ended.
//!
//! What always holds: traces are written in batches of at most 64, or after 100 ms; a queue that
//! is full makes whoever records wait; none is dropped without a line in the log and a count.

mod model;
pub(crate) mod retention;
mod store;
mod writer;

pub use model::{NewTrace, Surface};
pub use writer::{TraceCounts, Traces};

pub(crate) use store::LISTED;
