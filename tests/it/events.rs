//! The event log: order, resumption, other processes, named readers, retention.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream;
use svc_core::db::Engine;
use svc_core::events::{After, Event, NewEvent, Subscription};
use svc_core::ids::EventSeq;
use svc_core::workers::Progress;
use svc_core::{Hub, limits};
use svc_test_macros::both_engines;
use tokio::task::JoinHandle;

use crate::support::hub::TestHub;
use crate::support::wait::soon;

fn numbered(number: usize) -> NewEvent {
    NewEvent::new("test.numbered", &number).unwrap()
}

fn number(event: &Event) -> usize {
    event.payload.get().parse().unwrap()
}

async fn take(subscription: &mut Subscription, count: usize) -> Vec<(EventSeq, usize)> {
    let mut taken = Vec::with_capacity(count);
    while taken.len() < count {
        let event = soon("an event", subscription.next()).await.unwrap().expect("the hub is open");
        taken.push((event.seq, number(&event)));
    }
    taken
}

/// Appends `count` events from each of several tasks at once.
async fn append_at_once(hub: &Hub, first: usize, count: usize) {
    // A few times as many as there are connections. With hundreds at once, the last of them would wait for a
    // connection longer than it may when the machine is busy.
    let appends = (first..first + count).map(|number| hub.events().append(numbered(number)));
    let mut appended = stream::iter(appends).buffer_unordered(64);
    while let Some(outcome) = appended.next().await {
        outcome.unwrap();
    }
}

#[both_engines]
async fn a_subscriber_sees_what_happens_in_order(test: TestHub) {
    test.hub.events().append(numbered(99)).await.unwrap();
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    for number in 0..5 {
        test.hub.events().append(numbered(number)).await.unwrap();
    }
    let numbers: Vec<_> = take(&mut live, 5).await.into_iter().map(|(_, number)| number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
}

#[both_engines]
async fn a_reader_resumes_where_it_stopped(test: TestHub) {
    append_at_once(&test.hub, 0, 50).await;
    let mut all = test.hub.events().subscribe(After::Seq(EventSeq(0))).await.unwrap();
    let seen = take(&mut all, 50).await;
    let mut resumed = test.hub.events().subscribe(After::Seq(seen[19].0)).await.unwrap();
    assert!(!resumed.was_reset());
    assert_eq!(take(&mut resumed, 30).await, seen[20..]);
    test.hub.events().append(numbered(50)).await.unwrap();
    assert_eq!(take(&mut resumed, 1).await[0].1, 50);
}

#[both_engines]
async fn a_position_from_the_future_starts_over(test: TestHub) {
    let subscription = test.hub.events().subscribe(After::Seq(EventSeq(i64::MAX))).await.unwrap();
    assert!(subscription.was_reset());
    assert_eq!(subscription.position(), EventSeq(0));
}

#[both_engines]
async fn every_process_sees_the_same_order_without_gap_or_repeat(test: TestHub) {
    let other = test.another().await;
    let mut here = test.hub.events().subscribe(After::Now).await.unwrap();
    let mut there = other.events().subscribe(After::Now).await.unwrap();
    let writers = [(&test.hub, 0), (&other, 1000)].map(|(hub, first)| append_at_once(hub, first, 300));
    let (first, second, _) = tokio::join!(take(&mut here, 600), take(&mut there, 600), join_all(writers));
    assert_eq!(first, second);
    let mut numbers: Vec<_> = first.iter().map(|(_, number)| *number).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq((0..300).chain(1000..1300)));
    assert!(first.is_sorted_by_key(|(seq, _)| *seq));
    other.close().await;
}

#[both_engines]
async fn what_was_rolled_back_is_never_seen(test: TestHub) {
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    let writes = (0..100).map(|number| {
        test.hub.db().write(numbered(number), |tx, event| {
            Box::pin(async move {
                let seq = tx.emit(event).await?;
                if seq.0 % 2 == 0 {
                    return Err(svc_core::Error::conflict("refused_on_purpose", "No."));
                }
                Ok(())
            })
        })
    });
    let kept = join_all(writes).await.iter().filter(|outcome| outcome.is_ok()).count();
    test.hub.events().append(numbered(12_345)).await.unwrap();
    let seen = take(&mut live, kept + 1).await;
    assert_eq!(seen.last().unwrap().1, 12_345);
    assert_eq!(test.number("SELECT count(*) FROM events").await, i64::try_from(kept + 1).unwrap());
}

#[both_engines]
async fn a_reader_far_behind_catches_up_without_loss(test: TestHub) {
    let mut slow = test.hub.events().subscribe(After::Now).await.unwrap();
    // More than the live buffer holds.
    let total = if test.hub.db().engine() == Engine::Sqlite { 10_000 } else { 5_000 };
    for first in (0..total).step_by(500) {
        append_at_once(&test.hub, first, 500).await;
    }
    let mut numbers: Vec<_> = take(&mut slow, total).await.into_iter().map(|(_, number)| number).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..total));
}

#[both_engines]
async fn a_named_reader_handles_each_event_once_among_many_processes(test: TestHub) {
    test.execute("CREATE TABLE handled (seq BIGINT NOT NULL, kind TEXT NOT NULL)").await;
    let other = test.another().await;
    append_at_once(&test.hub, 0, 200).await;
    let consume = async |hub: Hub| {
        let mut handled = 0;
        loop {
            let round = hub
                .events()
                .consume("test_reader", 7, |tx, events| {
                    Box::pin(async move {
                        for event in events {
                            tx.query("INSERT INTO handled (seq, kind) VALUES ($1, $2)")
                                .bind(event.seq)
                                .bind(event.kind.as_str())
                                .execute()
                                .await?;
                        }
                        Ok(())
                    })
                })
                .await
                .unwrap();
            if round == 0 {
                return handled;
            }
            handled += round;
        }
    };
    let (here, there, again) = tokio::join!(consume(test.hub.clone()), consume(other.clone()), consume(other.clone()));
    assert_eq!(here + there + again, 200);
    assert_eq!(test.number("SELECT count(DISTINCT seq) FROM handled").await, 200);
    assert_eq!(test.number("SELECT count(*) FROM handled").await, 200);
    other.close().await;
}

#[both_engines]
async fn a_named_reader_that_fails_gets_its_events_again(test: TestHub) {
    append_at_once(&test.hub, 0, 3).await;
    let failed = test
        .hub
        .events()
        .consume("test_reader", 10, |_, _| {
            Box::pin(async { Err(svc_core::Error::conflict("refused_on_purpose", "No.")) })
        })
        .await;
    assert!(failed.is_err());
    let again = test.hub.events().consume("test_reader", 10, |_, _| Box::pin(async { Ok(()) })).await.unwrap();
    assert_eq!(again, 3);
}

#[both_engines]
async fn old_events_are_swept_and_late_readers_are_told(test: TestHub) {
    append_at_once(&test.hub, 0, 20).await;
    let swept = test.hub.events().read(EventSeq(0), 200).await.unwrap().last().unwrap().seq;
    test.clock.advance(limits::EVENT_RETENTION + Duration::from_secs(1));
    test.hub.events().append(numbered(20)).await.unwrap();
    assert_eq!(test.run_worker("event_retention").await, Progress::Done);
    assert_eq!(test.number("SELECT count(*) FROM events").await, 1);
    let late = test.hub.events().subscribe(After::Seq(EventSeq(3))).await.unwrap();
    assert!(late.was_reset());
    let on_time = test.hub.events().subscribe(After::Seq(swept)).await.unwrap();
    assert!(!on_time.was_reset());
}

#[both_engines]
async fn events_that_a_named_reader_still_needs_are_kept(test: TestHub) {
    append_at_once(&test.hub, 0, 10).await;
    test.hub.events().consume("slow_reader", 4, |_, _| Box::pin(async { Ok(()) })).await.unwrap();
    test.clock.advance(limits::EVENT_RETENTION * 2);
    test.run_worker("event_retention").await;
    assert_eq!(test.number("SELECT count(*) FROM events").await, 6);
}

#[both_engines]
async fn a_reader_that_is_too_slow_is_told_what_it_missed(test: TestHub) {
    append_at_once(&test.hub, 0, 10).await;
    let mut slow = test.hub.events().subscribe(After::Seq(EventSeq(0))).await.unwrap();
    test.clock.advance(limits::EVENT_RETENTION * 2);
    test.run_worker("event_retention").await;
    assert_eq!(slow.next().await.unwrap_err().code(), "events_swept");
    test.hub.events().append(numbered(10)).await.unwrap();
    assert_eq!(take(&mut slow, 1).await[0].1, 10);
}

#[both_engines]
async fn an_abandoned_reader_does_not_keep_events_for_ever(test: TestHub) {
    append_at_once(&test.hub, 0, 10).await;
    test.hub.events().consume("abandoned", 4, |_, _| Box::pin(async { Ok(()) })).await.unwrap();
    test.clock.advance(limits::READER_ABANDONED + Duration::from_secs(1));
    test.run_worker("event_retention").await;
    assert_eq!(test.number("SELECT count(*) FROM events").await, 0);
}

#[both_engines]
async fn a_forgotten_reader_does_not_keep_events(test: TestHub) {
    append_at_once(&test.hub, 0, 10).await;
    test.hub.events().consume("renamed", 4, |_, _| Box::pin(async { Ok(()) })).await.unwrap();
    test.hub.events().forget_reader("renamed").await.unwrap();
    test.clock.advance(limits::EVENT_RETENTION * 2);
    test.run_worker("event_retention").await;
    assert_eq!(test.number("SELECT count(*) FROM events").await, 0);
}

#[both_engines]
async fn a_swept_log_never_gives_a_number_twice(test: TestHub) {
    append_at_once(&test.hub, 0, 5).await;
    test.clock.advance(limits::EVENT_RETENTION * 2);
    test.run_worker("event_retention").await;
    assert_eq!(test.number("SELECT count(*) FROM events").await, 0);
    let other = test.another().await;
    let mut live = other.events().subscribe(After::Now).await.unwrap();
    test.hub.events().append(numbered(7)).await.unwrap();
    let (seq, number) = take(&mut live, 1).await[0];
    assert!(seq > EventSeq(5) && number == 7, "{seq} {number}");
    other.close().await;
}

#[both_engines]
async fn another_process_is_woken_within_50_milliseconds(test: TestHub) {
    let other = test.another().await;
    let mut there = other.events().subscribe(After::Now).await.unwrap();
    let mut waits = Vec::new();
    for number in 0..21 {
        test.hub.events().append(numbered(number)).await.unwrap();
        let committed = Instant::now();
        take(&mut there, 1).await;
        waits.push(committed.elapsed());
    }
    waits.sort_unstable();
    // Slow ones belong to the other tests on this machine. A process that is not woken looks at the
    // log once a second, so without the bell each wait, from the last look on, is a second.
    assert!(waits[4] <= Duration::from_millis(50), "{waits:?}");
    other.close().await;
}

#[both_engines]
async fn subscriptions_end_when_the_hub_is_closed(test: TestHub) {
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    let (end, ()) = tokio::join!(soon("the end", live.next()), test.hub.close());
    assert!(end.unwrap().is_none());
}

/// Lets a unit of work say that it has begun, and wait until it may go on. Only PostgreSQL lets a
/// unit of work wait; it stands for a node that is slow between two statements.
#[derive(Default)]
struct Gate {
    begun: tokio::sync::Notify,
    go_on: tokio::sync::Notify,
}

impl Gate {
    /// Starts a unit of work that emits an event once it may go on for the first time, and commits
    /// when it may go on for the second time.
    fn open_transaction(self: &Arc<Self>, hub: &Hub, number: usize) -> JoinHandle<svc_core::Result<EventSeq>> {
        let (hub, gate) = (hub.clone(), self.clone());
        tokio::spawn(async move {
            hub.db()
                .write((gate, number), |tx, (gate, number)| {
                    Box::pin(async move {
                        // A statement, so that the transaction has really begun.
                        tx.query("UPDATE event_log SET swept_through = swept_through WHERE id = 2").execute().await?;
                        gate.pass().await;
                        let seq = tx.emit(&numbered(*number)).await?;
                        gate.pass().await;
                        Ok(seq)
                    })
                })
                .await
        })
    }

    /// Says that a point has been reached, and waits.
    async fn pass(&self) {
        self.begun.notify_one();
        self.go_on.notified().await;
    }

    /// Waits until the unit has reached its next point.
    async fn reached(&self) {
        soon("the unit of work", self.begun.notified()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_transaction_on_postgres_is_waited_for_and_not_skipped() {
    let Some(test) = TestHub::postgres().await else { return };
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    let gate = Arc::new(Gate::default());
    let slow = gate.open_transaction(&test.hub, 1);
    gate.reached().await;
    gate.go_on.notify_one();
    gate.reached().await;
    let second = test.hub.events().append(numbered(2)).await.unwrap();
    // New readers look at the log at once and must not get past the open place, however often.
    for _ in 0..20 {
        let late = test.hub.events().subscribe(After::Now).await.unwrap();
        assert!(late.position() < second, "{} {second}", late.position());
    }
    // Whoever has seen the second one elsewhere reads on from there.
    let resumed = test.hub.events().subscribe(After::Seq(second)).await.unwrap();
    assert!(!resumed.was_reset());
    gate.go_on.notify_one();
    slow.await.unwrap().unwrap();
    let numbers: Vec<_> = take(&mut live, 2).await.into_iter().map(|(_, number)| number).collect();
    assert_eq!(numbers, [1, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn catching_up_waits_for_a_transaction_that_holds_up_the_log() {
    let Some(test) = TestHub::postgres().await else { return };
    let gate = Arc::new(Gate::default());
    let slow = gate.open_transaction(&test.hub, 1);
    gate.reached().await;
    gate.go_on.notify_one();
    gate.reached().await;
    let second = test.hub.events().append(numbered(2)).await.unwrap();
    let (caught_up, ()) = tokio::join!(test.hub.events().catch_up(), async { gate.go_on.notify_one() });
    assert!(caught_up.unwrap() >= second);
    soon("the first commit", slow).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn it_does_not_matter_which_transaction_began_first() {
    let Some(test) = TestHub::postgres().await else { return };
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    let (early, late) = (Arc::new(Gate::default()), Arc::new(Gate::default()));
    let began_first = early.open_transaction(&test.hub, 2);
    early.reached().await;
    let began_second = late.open_transaction(&test.hub, 1);
    late.reached().await;
    // The one that began second takes the first place and stays open; the other commits.
    late.go_on.notify_one();
    late.reached().await;
    early.go_on.notify_one();
    early.reached().await;
    early.go_on.notify_one();
    let committed = soon("the first commit", began_first).await.unwrap().unwrap();
    for _ in 0..20 {
        let reader = test.hub.events().subscribe(After::Now).await.unwrap();
        assert!(reader.position() < committed, "{} {committed}", reader.position());
    }
    late.go_on.notify_one();
    began_second.await.unwrap().unwrap();
    let numbers: Vec<_> = take(&mut live, 2).await.into_iter().map(|(_, number)| number).collect();
    assert_eq!(numbers, [1, 2]);
}
