//! Common list queries, in a small store and in a large one.

use std::time::Instant;

use svc_core::analytics::Span;
use svc_core::conversations::TimelineFilter;
use svc_core::messages::InboxFilter;
use svc_core::{Caller, Hub};

use crate::fill::Filled;

/// Number of queries of each kind.
const TIMES: usize = 300;

/// Names of the queries, in the order of [`p50s`].
pub(crate) const NAMES: [&str; 5] = ["newest page of a channel", "unread counts", "inbox", "DM partners", "dashboard"];

/// Median response time in microseconds, one for each of [`NAMES`].
pub(crate) async fn p50s(hub: &Hub, filled: &Filled) -> [f64; 5] {
    let human = &filled.human;
    [
        median(async || assert!(newest(hub, human).await > 0)).await,
        median(async || drop(hub.notifications().unread(human).await.expect("the query succeeds"))).await,
        median(async || inbox(hub, &filled.agent).await).await,
        median(async || drop(hub.notifications().partners(human, 50).await.expect("the query succeeds"))).await,
        median(async || dashboard(hub, human).await).await,
    ]
}

pub(crate) async fn newest(hub: &Hub, caller: &Caller) -> usize {
    let page = hub.messages().channel_timeline(caller, "room-1", TimelineFilter::default()).await;
    page.expect("the query succeeds").messages.len()
}

async fn inbox(hub: &Hub, caller: &Caller) {
    hub.messages().inbox(caller, InboxFilter::default()).await.expect("the query succeeds");
}

async fn dashboard(hub: &Hub, caller: &Caller) {
    hub.analytics().summary(caller).await.expect("the query succeeds");
    hub.analytics().timeline(caller, Span::Month).await.expect("the query succeeds");
}

async fn median(ask: impl AsyncFn()) -> f64 {
    let mut times = Vec::with_capacity(TIMES);
    // The first queries warm the caches.
    for number in 0..TIMES + 20 {
        let asked = Instant::now();
        ask().await;
        if number >= 20 {
            times.push(asked.elapsed().as_secs_f64() * 1e6);
        }
    }
    crate::median(times)
}
