//! Readiness: whether the hub can work, part by part. [`Hub::readiness`](crate::Hub::readiness) answers it.

pub use crate::hub::readiness::{Readiness, ReadyState, StoreHealth};
