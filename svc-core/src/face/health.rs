//! Readiness: whether the hub can work, part by part. [`Hub::readiness`](crate::Hub::readiness) answers it, and
//! [`Hub::nodes`](crate::Hub::nodes) lists the processes that serve the hub. [`Hub::examine`](crate::Hub::examine) is the
//! whole state for operators, with advice, and [`Hub::disk_outlook`](crate::Hub::disk_outlook) tells when the disk will be
//! full.

pub use crate::hub::certificates::EndpointCertificate;
pub use crate::hub::disk::{DiskOutlook, DiskSample};
pub use crate::hub::doctor::{Finding, FindingState, HealthReport, QueueBacklog};
pub use crate::hub::nodes::NodeInfo;
pub use crate::hub::readiness::{Readiness, ReadyState, StoreHealth};
