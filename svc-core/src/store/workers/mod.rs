//! Background workers: idempotent, without input, listed in one place, supervised.
//!
//! What always holds: among all processes on one store a worker runs in one at a time, under a
//! lease of its own name; a worker that fails is tried again after a growing pause and shown as
//! failing meanwhile; `run_once` does one round of any of them, from a test or by hand.

mod health;
pub(crate) mod position;
mod supervisor;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

pub(crate) use health::HealthBoard;
pub use health::{WorkerHealth, WorkerState};
pub use supervisor::Workers;

use crate::error::Result;
use crate::hub::Hub;
use crate::identity::oauth::sweep::OAuthSweep;
use crate::identity::principals::sweep::NonceSweep;
use crate::identity::sessions::sweep::SessionSweep;
use crate::insight::analytics::worker::AnalyticsRollup;
use crate::insight::traces::retention::TraceRetention;
use crate::messaging::attachments::sweep::AttachmentSweep;
use crate::messaging::dead_letters::sweep::DeadLetterSweep;
use crate::messaging::messages::expire::LeaseExpiry;
use crate::messaging::messages::non_delivery::NonDelivery;
use crate::messaging::messages::retention::MessageRetention;
use crate::messaging::reactions::stalemate::Stalemate;
use crate::messaging::search::worker::SearchIndexer;
use crate::messaging::tasks::deadline::TaskDeadline;
use crate::store::events::retention::EventRetention;
use crate::store::idempotency::sweep::IdempotencySweep;

/// A background loop. Its state is in the store; the value holds only what it works with.
#[async_trait]
pub trait Worker: Send + Sync {
    /// The name of its lease, and under which it is shown.
    fn name(&self) -> &'static str;

    /// When it runs.
    fn cadence(&self) -> Cadence;

    /// One round of work. Doing it twice does no harm.
    async fn run_once(&self) -> Result<Progress>;
}

/// When a worker runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cadence {
    pub(crate) every: Duration,
    pub(crate) on_events: bool,
}

impl Cadence {
    /// On a timer.
    pub fn every(every: Duration) -> Self {
        Self { every, on_events: false }
    }

    /// When something was written to the event log, and on a timer besides.
    pub fn on_events_and_every(every: Duration) -> Self {
        Self { every, on_events: true }
    }
}

/// Whether a round left something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is left for now.
    Done,
    /// There is more; run again at once.
    More,
}

/// All workers of the hub, with those that an embedding program added.
pub(crate) fn all(hub: &Hub) -> Vec<Arc<dyn Worker>> {
    let db = hub.db().clone();
    let config = hub.config();
    let mut workers: Vec<Arc<dyn Worker>> = vec![
        Arc::new(EventRetention { db: db.clone(), keep: config.event_retention }),
        Arc::new(TraceRetention { db: db.clone(), keep: config.trace_retention }),
        Arc::new(IdempotencySweep { db: db.clone() }),
        Arc::new(SessionSweep { db: db.clone() }),
        Arc::new(NonceSweep { db: db.clone() }),
        Arc::new(SearchIndexer { db: db.clone() }),
        Arc::new(Stalemate { db: db.clone() }),
        Arc::new(AttachmentSweep { attachments: hub.attachments().clone() }),
        Arc::new(AnalyticsRollup { analytics: hub.analytics().clone() }),
        Arc::new(OAuthSweep { db: db.clone(), clients: hub.oauth().clients().clone() }),
        Arc::new(LeaseExpiry { db: db.clone() }),
        Arc::new(NonDelivery { db: db.clone() }),
        Arc::new(DeadLetterSweep { db: db.clone() }),
        Arc::new(TaskDeadline { db: db.clone() }),
    ];
    if let Some(keep) = config.message_retention {
        workers.push(Arc::new(MessageRetention { db, keep }));
    }
    workers.extend(hub.added_workers().iter().cloned());
    workers
}
