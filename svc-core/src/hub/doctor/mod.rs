//! The examination of a hub for its operators: what a support person would ask for, with the state of each part and
//! what to do about it.
//!
//! Invariants: only admins see it, because it names parts of the machine. It changes nothing, and it answers within
//! seconds also when the store does not: a figure that cannot be read in time is a finding, not an error.

mod certificates;
mod facts;
mod integrity;
mod judge;
mod space;
mod store;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;

pub(super) use integrity::IntegrityWatch;

use crate::error::Result;
use crate::hub::Hub;
use crate::hub::certificates::EndpointCertificate;
use crate::hub::disk::DiskOutlook;
use crate::hub::nodes::NodeInfo;
use crate::identity::auth::Caller;
use crate::store::db::{Db, Engine};
use crate::store::workers::WorkerHealth;

/// The state of a part of the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub enum FindingState {
    /// As it should be.
    Ok,
    /// It works, and somebody should look at it.
    Warning,
    /// Something does not work.
    Problem,
}

/// The state of one part of the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct Finding {
    /// The part, such as `disk`.
    pub check: String,
    /// Its state.
    pub state: FindingState,
    /// What was found, in one sentence.
    pub summary: String,
    /// What to do about it; absent when nothing is to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub advice: Option<String>,
}

/// The work of one queue that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct QueueBacklog {
    /// The queue, such as `webhooks`.
    pub queue: String,
    /// The number of items that could be taken now.
    pub pending: i64,
    /// The age of the oldest of them in seconds.
    pub oldest_seconds: u64,
}

/// The state of the hub, for its operators.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct HealthReport {
    /// The worst state of all findings.
    pub state: FindingState,
    /// The version of the process that answers.
    pub version: String,
    /// The database engine.
    pub engine: Engine,
    /// The newest schema that the process knows.
    pub schema: i64,
    /// The size of the store in bytes.
    pub store_bytes: u64,
    /// Bytes that can still be written to the disk of the data directory; absent if that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub free_disk_bytes: Option<u64>,
    /// The growth of the hub, and when the disk of the data directory will be full.
    #[serde(default)]
    pub disk: DiskOutlook,
    /// All findings, in a fixed order.
    pub findings: Vec<Finding>,
    /// The processes that serve the hub.
    pub nodes: Vec<NodeInfo>,
    /// The background workers of the process that answers.
    pub workers: Vec<WorkerHealth>,
    /// The queues with work that waits.
    pub queues: Vec<QueueBacklog>,
    /// The certificates of the https endpoints that the hub depends on, the one that ends first at the beginning.
    #[serde(default)]
    pub certificates: Vec<EndpointCertificate>,
}

#[boxed_futures]
impl Hub {
    /// Examines the hub, for admins.
    pub async fn examine(&self, caller: &Caller) -> Result<HealthReport> {
        caller.require_admin()?;
        let facts = facts::gather(self).await;
        let findings = judge::judge(&facts);
        Ok(HealthReport {
            state: findings.iter().map(|finding| finding.state).max().unwrap_or(FindingState::Ok),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.db().engine(),
            schema: Db::known_schema(),
            store_bytes: facts.store_bytes,
            free_disk_bytes: facts.free_disk,
            disk: facts.outlook.unwrap_or_default(),
            findings,
            nodes: facts.nodes.unwrap_or_default(),
            workers: facts.readiness.workers,
            queues: facts.stored.map(|stored| stored.queues).unwrap_or_default(),
            certificates: facts.certificates.unwrap_or_default(),
        })
    }
}
