//! What nobody may do on a store without a server: ending leases, so that those who wait for messages
//! are told of work that somebody let fall.
//!
//! It is done under the lease of the worker that does it in a server, so a server and any number of
//! these programs do not get in each other's way. Everything else that workers do either depends on the
//! settings of a server or is made up for by whoever needs it.

use std::time::Duration;

use svc_core::{Hub, Result, limits};
use tokio::time::MissedTickBehavior;
use tokio_util::task::AbortOnDropHandle;

/// The worker that ends leases.
const LEASES: &str = "lease_expiry";
/// Leases last for minutes, and each look is a write.
const PACE: Duration = Duration::from_secs(15);

/// The chores under way; dropping it ends them.
pub(crate) struct Chores {
    _task: AbortOnDropHandle<()>,
}

impl Chores {
    /// Starts them.
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
    // Whoever holds it does the same.
    let Some(lease) = hub.leases().acquire(LEASES, limits::WORKER_LEASE).await? else { return Ok(()) };
    let done = worker.run_once().await;
    hub.leases().release(lease).await?;
    done.map(|_| ())
}
