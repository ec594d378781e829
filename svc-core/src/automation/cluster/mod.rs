//! Cluster jobs: the events of an agent, each handled by one Job of a Kubernetes cluster.
//!
//! A handler says which events of an agent become Jobs, and of which image. The reader of the log turns each of them
//! into a run with the cause `event`; from there on it is a run as any other ([`runs`](super::runs)), which the backend
//! `k8s` ([`harness`](super::harness)) creates in the cluster and follows.
//!
//! Invariants:
//! - An event becomes at most one run of a handler: a named reader of the log makes the rows, and a unique index holds
//!   against everything else. The run is stored before its Job is created, and the name of the Job follows from it.
//! - A handler gets nothing of the time before it was registered, and its agent nothing that it may not see.
//! - The owner of an agent has a bounded number of runs of handlers that are queued or running.

mod change;
pub(crate) mod reader;
mod service;
mod store;
pub(crate) mod strays;

pub use service::Cluster;
pub(crate) use store::{LISTED, remove_all_of};
