//! Transactions of callers that stop waiting.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use futures_util::future::join_all;
use svc_core::Hub;

use crate::support::hub::TestHub;

/// The microsecond in which the current transaction began, and the present one.
const BEGUN: &str = "SELECT CAST(extract(epoch FROM now()) * 1000000 AS BIGINT)";
const PRESENT: &str = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";

/// Reads when the transaction of the read began. Stops waiting after this many polls.
async fn begun(hub: &Hub, polls: usize) -> Option<i64> {
    let mut read = pin!(hub.db().read((), |tx, ()| Box::pin(tx.query(BEGUN).fetch_value::<i64>())));
    let mut polled = 0;
    poll_fn(|context| {
        polled += 1;
        match read.as_mut().poll(context) {
            Poll::Ready(begun) => Poll::Ready(Some(begun.unwrap())),
            Poll::Pending if polled == polls => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_begins_after_those_whose_callers_went_away() {
    // On SQLite a read has a thread of its own until it ends.
    let Some(test) = TestHub::postgres().await else { return };
    for polls in 1..=5 {
        // The first ones make the connections, which the others use at once.
        for polls in [usize::MAX, polls] {
            join_all((0..8).map(|_| begun(&test.hub, polls))).await;
        }
        let earliest = test.number(PRESENT).await;
        let all = join_all((0..8).map(|_| begun(&test.hub, usize::MAX))).await;
        assert!(all.iter().all(|begun| *begun >= Some(earliest)), "{all:?} after {earliest}, gone after {polls} polls");
    }
}
