//! Traces: written in batches, flushed at the end, kept for a while.

use std::time::Duration;

use svc_core::auth::Surface;
use svc_core::ids::UserId;
use svc_core::limits;
use svc_core::traces::NewTrace;
use svc_core::workers::Progress;
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;

fn trace(action: &'static str) -> NewTrace {
    NewTrace { owner: Some(UserId(7)), agent: Some("scout".into()), ..NewTrace::new(action, Surface::Hub) }
}

#[both_engines]
async fn what_is_recorded_is_written_with_all_its_parts(test: TestHub) {
    let mut failed = trace("message.sent");
    failed.request_id = Some("r-1".into());
    failed.duration = Duration::from_millis(12);
    failed.error = Some("no such channel".into());
    test.hub.traces().record(failed).await.unwrap();
    test.hub.traces().record(trace("message.read")).await.unwrap();
    test.hub.traces().flush().await.unwrap();
    let matching = "SELECT count(*) FROM traces
                     WHERE owner_id = 7 AND agent = 'scout' AND action = 'message.sent' AND surface = 'hub'
                       AND request_id = 'r-1' AND duration_ms = 12 AND error = 'no such channel'";
    assert_eq!(test.number(matching).await, 1);
    let counts = test.hub.traces().counts();
    assert_eq!((counts.written, counts.errors, counts.lost), (2, 1, 0));
    assert_eq!(counts.by_action["message.read"], 1);
}

#[both_engines]
async fn a_trace_is_written_without_being_asked_for(test: TestHub) {
    test.hub.traces().record(trace("message.sent")).await.unwrap();
    crate::support::wait::until("the batch", async || {
        (test.number("SELECT count(*) FROM traces").await == 1).then_some(())
    })
    .await;
}

#[both_engines]
async fn a_trace_that_cannot_be_written_stands_in_nobodys_way(test: TestHub) {
    for agent in ["good", "b\0d", "fine"] {
        let trace = NewTrace { agent: Some(agent.into()), ..trace("message.sent") };
        test.hub.traces().record(trace).await.unwrap();
    }
    test.hub.traces().flush().await.unwrap();
    let counts = test.hub.traces().counts();
    assert_eq!((counts.written, counts.lost), (2, 1));
    assert_eq!(test.number("SELECT count(*) FROM traces").await, 2);
}

#[both_engines]
async fn a_closing_hub_writes_what_is_queued(test: TestHub) {
    for _ in 0..500 {
        test.hub.traces().record(trace("message.sent")).await.unwrap();
    }
    test.hub.close().await;
    let again = test.another().await;
    let count = again.db().read((), |tx, ()| Box::pin(tx.query("SELECT count(*) FROM traces").fetch_value::<i64>()));
    assert_eq!(count.await.unwrap(), 500);
    again.close().await;
}

#[both_engines]
async fn old_traces_are_removed(test: TestHub) {
    for _ in 0..1200 {
        test.hub.traces().record(trace("message.sent")).await.unwrap();
    }
    test.hub.traces().flush().await.unwrap();
    test.clock.advance(limits::TRACE_RETENTION + Duration::from_secs(1));
    test.hub.traces().record(trace("message.read")).await.unwrap();
    test.hub.traces().flush().await.unwrap();
    assert_eq!(test.run_worker("trace_retention").await, Progress::More);
    assert_eq!(test.run_worker("trace_retention").await, Progress::Done);
    assert_eq!(test.number("SELECT count(*) FROM traces").await, 1);
}
