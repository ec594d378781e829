//! The figures that an examination is made of.

use std::time::Duration;

use super::integrity::Seen;
use super::store::{self, StoredFacts};
use crate::error::Result;
use crate::hub::Hub;
use crate::hub::backup::BackupState;
use crate::hub::certificates::EndpointCertificate;
use crate::hub::disk::DiskOutlook;
use crate::hub::nodes::NodeInfo;
use crate::hub::readiness::Readiness;
use crate::store::db::Engine;
use crate::timestamp::Timestamp;

/// The time limit of each query.
const PATIENCE: Duration = Duration::from_secs(5);

/// All figures. Those that the store did not answer in time are absent.
pub(super) struct Facts {
    pub(super) now: Timestamp,
    pub(super) engine: Engine,
    pub(super) readiness: Readiness,
    pub(super) store_bytes: u64,
    pub(super) free_disk: Option<u64>,
    pub(super) outlook: Option<DiskOutlook>,
    pub(super) nodes: Option<Vec<NodeInfo>>,
    pub(super) stored: Option<StoredFacts>,
    pub(super) backups: Option<BackupState>,
    pub(super) certificates: Option<Vec<EndpointCertificate>>,
    pub(super) integrity: Option<Seen>,
}

pub(super) async fn gather(hub: &Hub) -> Facts {
    let readiness = hub.readiness().await;
    // A store that does not answer the probe would only cost the time of every other query.
    let answers = readiness.store.ok;
    let nodes = if answers { in_time(hub.nodes()).await } else { None };
    let stored = if answers { in_time(hub.db().search((), |tx, ()| Box::pin(store::read(tx)))).await } else { None };
    let backups = if answers { in_time(hub.backups().state()).await } else { None };
    let outlook = if answers { in_time(hub.disk_outlook()).await } else { None };
    let certificates = if answers { in_time(hub.certificates()).await } else { None };
    let integrity = if answers { Some(hub.integrity().await) } else { None };
    Facts {
        now: hub.clock().now(),
        engine: hub.db().engine(),
        store_bytes: tokio::time::timeout(PATIENCE, hub.db().size()).await.unwrap_or_default(),
        free_disk: hub.free_disk().await,
        readiness,
        outlook,
        nodes,
        stored,
        backups,
        certificates,
        integrity,
    }
}

async fn in_time<T>(query: impl Future<Output = Result<T>>) -> Option<T> {
    match tokio::time::timeout(PATIENCE, query).await {
        Ok(Ok(value)) => Some(value),
        Ok(Err(error)) => {
            tracing::warn!(error = error.log_line(), "a figure of the examination could not be read");
            None
        }
        Err(_) => None,
    }
}
