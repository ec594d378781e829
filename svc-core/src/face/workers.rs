//! Workers: background loops, each in one process at a time. [`Hub::start_workers`](crate::Hub::start_workers)
//! starts them.
//!
//! [`HubBuilder::worker`](crate::HubBuilder::worker) adds one of your own.

pub use crate::store::workers::{Cadence, Placement, Progress, Worker, WorkerHealth, WorkerState, Workers};
