//! The supervisor: workers run, fail, recover, take turns among processes, and stop in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use svc_core::events::NewEvent;
use svc_core::health::ReadyState;
use svc_core::workers::{Cadence, Progress, Worker, WorkerState};
use svc_core::{Error, Hub, Result};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::wait::{soon, until};

/// Fails, panics, or counts, as it is told.
#[derive(Default)]
struct Tally {
    rounds: AtomicU32,
    failures_left: AtomicU32,
    panics_left: AtomicU32,
    on_events: bool,
}

#[async_trait]
impl Worker for Tally {
    fn name(&self) -> &'static str {
        "tally"
    }

    fn cadence(&self) -> Cadence {
        if self.on_events {
            Cadence::on_events_and_every(Duration::from_hours(1))
        } else {
            Cadence::every(Duration::from_millis(5))
        }
    }

    async fn run_once(&self) -> Result<Progress> {
        let take = |left: &AtomicU32| {
            left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
        };
        if take(&self.failures_left) {
            return Err(Error::conflict("refused_on_purpose", "It failed on purpose."));
        }
        assert!(!take(&self.panics_left), "a panic on purpose");
        self.rounds.fetch_add(1, Ordering::SeqCst);
        Ok(Progress::Done)
    }
}

async fn state(hub: &Hub) -> Option<WorkerState> {
    hub.readiness().await.workers.iter().find(|worker| worker.name == "tally").map(|worker| worker.state)
}

#[both_engines]
async fn a_worker_runs_again_and_again(test: TestHub) {
    let tally = Arc::new(Tally::default());
    let hub = test.builder().worker(tally.clone()).open().await.unwrap();
    let workers = hub.start_workers();
    until("three rounds", async || (tally.rounds.load(Ordering::SeqCst) >= 3).then_some(())).await;
    let names: Vec<_> = hub.readiness().await.workers.into_iter().map(|worker| worker.name).collect();
    let expected = [
        "analytics_rollup",
        "attachment_sweep",
        "backup_schedule",
        "certificate_watch",
        "cluster_dispatch",
        "cluster_reader",
        "dead_letter_sweep",
        "disk_sampling",
        "event_retention",
        "goal_charges",
        "goal_verification",
        "governance_sweep",
        "idempotency_sweep",
        "lease_expiry",
        "loop_watch",
        "non_delivery",
        "nonce_sweep",
        "oauth_sweep",
        "push_delivery",
        "push_reader",
        "queue_sweep",
        "run_directories",
        "run_dispatch",
        "run_reader",
        "run_sweep",
        "scheduled_sending",
        "search_indexer",
        "session_sweep",
        "stalemate",
        "stray_jobs",
        "tally",
        "task_deadline",
        "trace_retention",
        "webhook_delivery",
        "webhook_reader",
        "webhook_sweep",
    ];
    assert_eq!(names, expected);
    soon("the stop", workers.stop()).await;
    let after = tally.rounds.load(Ordering::SeqCst);
    test.hub.events().append(NewEvent::new("test.any", &1).unwrap()).await.unwrap();
    assert_eq!(tally.rounds.load(Ordering::SeqCst), after);
    hub.close().await;
}

#[both_engines]
async fn a_worker_that_fails_or_panics_is_shown_and_tried_again(test: TestHub) {
    let tally = Arc::new(Tally { failures_left: 1.into(), panics_left: 1.into(), ..Tally::default() });
    let hub = test.builder().worker(tally.clone()).open().await.unwrap();
    let workers = hub.start_workers();
    until("the failure", async || (state(&hub).await == Some(WorkerState::Failing)).then_some(())).await;
    assert_eq!(hub.readiness().await.status, ReadyState::Degraded);
    until("the recovery", async || (tally.rounds.load(Ordering::SeqCst) >= 1).then_some(())).await;
    until("health", async || (hub.readiness().await.status == ReadyState::Ready).then_some(())).await;
    hub.traces().flush().await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM traces WHERE action = 'worker.failed'").await, 1);
    workers.stop().await;
    hub.close().await;
}

#[both_engines]
async fn a_worker_that_follows_events_is_woken_by_them(test: TestHub) {
    let tally = Arc::new(Tally { on_events: true, ..Tally::default() });
    let hub = test.builder().worker(tally.clone()).open().await.unwrap();
    let workers = hub.start_workers();
    until("the first round", async || (tally.rounds.load(Ordering::SeqCst) == 1).then_some(())).await;
    until("it waits", async || (state(&hub).await == Some(WorkerState::Idle)).then_some(())).await;
    // Its timer is an hour away, so only an event, here of another process, can wake it.
    until("the event's round", async || {
        test.hub.events().append(NewEvent::new("test.any", &1).unwrap()).await.unwrap();
        (tally.rounds.load(Ordering::SeqCst) >= 2).then_some(())
    })
    .await;
    workers.stop().await;
    hub.close().await;
}

#[both_engines]
async fn two_processes_take_turns(test: TestHub) {
    let lease = test.hub.leases().acquire("tally", Duration::from_mins(1)).await.unwrap().unwrap();
    let tally = Arc::new(Tally::default());
    let mut config = test.config.clone();
    config.worker_lease = Duration::from_millis(30);
    let hub = Hub::builder(config).clock(test.clock.clone()).worker(tally.clone()).open().await.unwrap();
    let workers = hub.start_workers();
    until("it stands back", async || (state(&hub).await == Some(WorkerState::Elsewhere)).then_some(())).await;
    assert_eq!(tally.rounds.load(Ordering::SeqCst), 0);
    // The holder dies: nobody renews, and time passes.
    drop(lease);
    test.clock.advance(Duration::from_mins(1));
    until("it takes over", async || (tally.rounds.load(Ordering::SeqCst) > 0).then_some(())).await;
    workers.stop().await;
    assert!(test.hub.leases().acquire("tally", Duration::from_mins(1)).await.unwrap().is_some());
    hub.close().await;
}
