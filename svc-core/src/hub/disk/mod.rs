//! The space of the hub: how much it takes, how much is left, and when the disk will be full.
//!
//! Invariants: there is one sample an hour, by whichever process runs the worker, so a forecast survives restarts. A
//! forecast compares only samples of disks of the same size. On PostgreSQL the size of the database is known, and the
//! disk of its server is not.

mod forecast;
mod store;
mod worker;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;

pub(super) use worker::DiskSampling;

use crate::error::Result;
use crate::hub::Hub;
use crate::timestamp::Timestamp;

/// The space at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct DiskSample {
    /// The beginning of the hour of the sample.
    pub taken_at: Timestamp,
    /// Bytes that could still be written to the disk of the data directory; absent if that was unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub free_bytes: Option<u64>,
    /// The size of this disk; absent if that was unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub total_bytes: Option<u64>,
    /// The size of the store in bytes.
    pub store_bytes: u64,
    /// Bytes of all attachments; a content counts once for each owner.
    pub file_bytes: u64,
}

/// The growth of the hub, and when the disk will be full.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct DiskOutlook {
    /// The size of the disk of the data directory in bytes; absent if that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub total_bytes: Option<u64>,
    /// Bytes by which the use of this disk grows in a day, by whatever is on it; negative if it shrinks. Absent until
    /// there are samples of more than a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub growth_per_day: Option<i64>,
    /// Bytes by which the store grows in a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub store_growth_per_day: Option<i64>,
    /// Bytes by which the attachments grow in a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub file_growth_per_day: Option<i64>,
    /// When the disk will be full if it goes on like this; absent if it does not grow, or if it lasts for years.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub full_at: Option<Timestamp>,
    /// Samples of the last 30 days, oldest first: one of each quarter of a day, and the newest.
    pub samples: Vec<DiskSample>,
}

#[boxed_futures]
impl Hub {
    /// The growth of the hub, and when the disk of the data directory will be full.
    pub async fn disk_outlook(&self) -> Result<DiskOutlook> {
        let samples = self.db().probe((), |tx, ()| Box::pin(store::all(tx))).await?;
        Ok(forecast::outlook(&samples, self.disk_space().await, self.clock().now()))
    }
}
