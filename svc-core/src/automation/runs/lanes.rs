//! The two queues of runs: those that need room on the machine of a node, and those that take place in a cluster.

use super::store;
use crate::error::Result;
use crate::ids::{AgentId, QueueItemId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::queue::{Backoff, Queue, QueueRules, Queues};

/// The name of the queue of runs on the machines of nodes, and of the reader of the log.
pub(super) const LOCAL: &str = "runs";
/// The name of the queue of runs in a cluster.
const REMOTE: &str = "cluster_runs";

/// A queue of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Runs that need room on the machine of a node. They end with it.
    Local,
    /// Runs that are Jobs of a cluster. Another node goes on with those of a node that is gone.
    Remote,
}

/// The queues of runs.
#[derive(Clone)]
pub(crate) struct Lanes {
    local: Queue,
    remote: Queue,
}

impl Lanes {
    pub(super) fn open(queues: &Queues) -> Result<Self> {
        let backoff = || Backoff::growing(limits::RUN_HEARTBEAT, 2, limits::RUN_LEASE);
        // A run that failed is not repeated by the queue; further attempts only record that a node died.
        let local = QueueRules::new(LOCAL).lease(limits::RUN_LEASE).attempts(limits::RUN_ATTEMPTS).backoff(backoff());
        let remote = QueueRules::new(REMOTE)
            .lease(limits::RUN_LEASE)
            .attempts(limits::CLUSTER_ATTEMPTS)
            .backoff(backoff())
            .concurrency(limits::CLUSTER_OWNER_CONCURRENCY);
        Ok(Self { local: queues.open(local)?, remote: queues.open(remote)? })
    }

    pub(super) fn queue(&self, lane: Lane) -> &Queue {
        match lane {
            Lane::Local => &self.local,
            Lane::Remote => &self.remote,
        }
    }

    /// The queue of the runs of an agent, by its harness.
    pub(super) async fn of(&self, tx: &mut Tx, agent: AgentId) -> Result<&Queue> {
        Ok(if store::is_remote(tx, agent).await? { &self.remote } else { &self.local })
    }

    /// Takes an item out of its queue, if no worker has it. Returns whether it was there.
    pub(super) async fn cancel_in(&self, tx: &mut Tx, item: QueueItemId) -> Result<bool> {
        for queue in [&self.local, &self.remote] {
            if !queue.cancel_in(tx, &[item]).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
