//! The workers of the hub and their supervision.

use std::sync::Arc;

use svc_model::traces::NewTrace;

use super::Hub;
use super::backup::ScheduledBackups;
use super::certificates::CertificateWatch;
use super::disk::DiskSampling;
use crate::automation::cluster::reader::ClusterReader;
use crate::automation::cluster::strays::StrayJobs;
use crate::automation::governance::sweep::GovernanceSweep;
use crate::automation::governance::watch::LoopWatch;
use crate::automation::runs::Lane;
use crate::automation::runs::directories::RunDirectories;
use crate::automation::runs::dispatch::RunDispatch;
use crate::automation::runs::reader::RunReader;
use crate::automation::runs::sweep::RunSweep;
use crate::automation::webhooks::deliver::WebhookDelivery;
use crate::automation::webhooks::reader::WebhookReader;
use crate::automation::webhooks::sweep::WebhookSweep;
use crate::identity::oauth::sweep::OAuthSweep;
use crate::identity::principals::sweep::NonceSweep;
use crate::identity::sessions::sweep::SessionSweep;
use crate::insight::analytics::worker::AnalyticsRollup;
use crate::insight::push::deliver::PushDelivery;
use crate::insight::push::reader::PushReader;
use crate::insight::traces::Traces;
use crate::insight::traces::retention::TraceRetention;
use crate::knowledge::goals::TaskLeases;
use crate::knowledge::goals::charges::GoalCharges;
use crate::knowledge::goals::verify::GoalVerification;
use crate::messaging::attachments::sweep::AttachmentSweep;
use crate::messaging::dead_letters::sweep::DeadLetterSweep;
use crate::messaging::messages::expire::MessageLeases;
use crate::messaging::messages::non_delivery::NonDelivery;
use crate::messaging::messages::retention::MessageRetention;
use crate::messaging::reactions::stalemate::Stalemate;
use crate::messaging::scheduled::worker::ScheduledSending;
use crate::messaging::search::worker::SearchIndexer;
use crate::messaging::tasks::deadline::TaskDeadline;
use crate::store::events::retention::EventRetention;
use crate::store::idempotency::sweep::IdempotencySweep;
use crate::store::queue::expiry::{ItemLeases, LeaseExpiry};
use crate::store::queue::sweep::QueueSweep;
use crate::store::workers::{Supervision, Worker};
use crate::surface::Surface;

/// All workers of the hub, including those added by an embedding program.
pub(super) fn all(hub: &Hub) -> Vec<Arc<dyn Worker>> {
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
        Arc::new(LeaseExpiry {
            db: db.clone(),
            tables: vec![Box::new(MessageLeases), Box::new(ItemLeases), Box::new(TaskLeases)],
        }),
        Arc::new(QueueSweep { db: db.clone() }),
        Arc::new(NonDelivery { db: db.clone() }),
        Arc::new(DeadLetterSweep { db: db.clone() }),
        Arc::new(TaskDeadline { db: db.clone() }),
        Arc::new(ScheduledSending { scheduled: hub.scheduled().clone() }),
        Arc::new(WebhookReader::new(hub.webhooks().clone())),
        Arc::new(WebhookDelivery::new(hub.webhooks().clone())),
        Arc::new(WebhookSweep { webhooks: hub.webhooks().clone() }),
        Arc::new(PushReader::new(hub.push().clone())),
        Arc::new(PushDelivery::new(hub.push().clone())),
        Arc::new(RunReader::new(hub.runs().clone())),
        Arc::new(RunDispatch::new(hub.runs().clone(), Lane::Local)),
        Arc::new(RunDispatch::new(hub.runs().clone(), Lane::Remote)),
        Arc::new(ClusterReader::new(hub.cluster().clone())),
        Arc::new(StrayJobs { cluster: hub.cluster().clone() }),
        Arc::new(RunDirectories { runs: hub.runs().clone() }),
        Arc::new(RunSweep { runs: hub.runs().clone() }),
        Arc::new(LoopWatch { governance: hub.governance().clone() }),
        Arc::new(GovernanceSweep { db: db.clone() }),
        Arc::new(GoalCharges::new(hub.goals().clone())),
        Arc::new(GoalVerification::new(hub.goals().clone())),
        Arc::new(ScheduledBackups { backups: hub.backups().clone() }),
        Arc::new(DiskSampling { db: db.clone(), quotas: hub.quotas().clone(), data: config.data.clone() }),
        Arc::new(CertificateWatch::new(hub)),
    ];
    if let Some(keep) = config.message_retention {
        workers.push(Arc::new(MessageRetention { db, keep }));
    }
    workers.extend(hub.added_workers().iter().cloned());
    workers
}

/// The dependencies of the supervisor.
pub(super) fn supervision(hub: &Hub) -> Supervision {
    let traces = hub.traces().clone();
    Supervision {
        events: hub.events().clone(),
        leases: hub.leases().clone(),
        clock: hub.inner.clock.clone(),
        health: hub.health_board().clone(),
        lease_length: hub.config().worker_lease,
        first_failure: Arc::new(move |worker, line| record(traces.clone(), worker, line)),
    }
}

/// Records a failed worker. If the store is the reason, the trace waits in its queue, and the
/// worker does not wait for it.
fn record(traces: Traces, worker: &'static str, line: &str) {
    let mut trace = NewTrace::new("worker.failed", Surface::Worker);
    trace.error = Some(format!("{worker}: {line}"));
    tokio::spawn(async move { traces.record(trace).await });
}
