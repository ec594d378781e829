//! Background work on a store without a server: expiring leases, so that waiting agents receive messages whose worker
//! has failed.
//!
//! It runs under the lease of the server's own worker, so a server and any number of these programs do not interfere
//! with each other. The other work of a server's workers either depends on the settings of a server or is done on
//! demand.

use std::time::Duration;

use svc_core::{Hub, Result, limits};
use tokio::time::MissedTickBehavior;
use tokio_util::task::AbortOnDropHandle;

/// The worker that expires leases.
const LEASES: &str = "lease_expiry";
/// Leases last for minutes, and each check is a write.
const PACE: Duration = Duration::from_secs(15);

/// The running background work; dropping it ends it.
pub(crate) struct Chores {
    _task: AbortOnDropHandle<()>,
}

impl Chores {
    /// Starts it.
    pub(crate) fn start(hub: &Hub) -> Self {
        Self { _task: AbortOnDropHandle::new(tokio::spawn(keep(hub.clone()))) }
    }
}

async fn keep(hub: Hub) {
    let mut pace = tokio::time::interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        pace.tick().await;
        if let Err(error) = end_leases(&hub).await {
            tracing::debug!(target: "svc::mcp", error = error.log_line(), "leases could not be looked at");
        }
    }
}

async fn end_leases(hub: &Hub) -> Result<()> {
    let Some(worker) = hub.workers().into_iter().find(|worker| worker.name() == LEASES) else { return Ok(()) };
    // Another process that holds the lease does the work.
    let Some(lease) = hub.leases().acquire(LEASES, limits::WORKER_LEASE).await? else { return Ok(()) };
    let done = worker.run_once().await;
    hub.leases().release(lease).await?;
    done.map(|_| ())
}
