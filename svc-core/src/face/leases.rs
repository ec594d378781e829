//! Leases: the right to do something alone for a while, among all processes on one store. The handle is
//! `hub.leases()`.

pub use crate::store::leases::{Lease, Leases};
