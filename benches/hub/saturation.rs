//! Reads while the writer is saturated.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use futures_util::future::join_all;
use svc_core::conversations::TimelineFilter;
use svc_core::{Caller, Hub, HubConfig};
use tempfile::TempDir;

use crate::send::{Talk, channel};

/// Reads in each state.
const READS: usize = 3_000;
/// Messages that exist before.
const BEFORE: usize = 10_000;
const SENDERS: usize = 64;
/// The channels of the messages whose numbers are not divisible by four.
const TALKED_IN: [usize; 6] = [1, 2, 3, 5, 6, 7];

/// p99 of reads of a channel's newest page in microseconds: idle, and saturated.
pub(crate) async fn p99s() -> (f64, f64) {
    let data = TempDir::new().expect("a temporary directory");
    let mut config = HubConfig::at(data.path());
    // Messages are sent for as long as the reads take.
    config.quota_messages = None;
    let hub = Hub::open(config).await.expect("a new hub opens");
    let talk = Arc::new(Talk::prepare(&hub).await);
    join_all((0..SENDERS).map(|first| {
        let talk = talk.clone();
        tokio::spawn(async move {
            for number in (first..BEFORE).step_by(SENDERS) {
                talk.send(number).await;
            }
        })
    }))
    .await;
    let reader = Caller::root();
    let idle = slowest_hundredth(&hub, &reader).await;
    let (stop, next) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(BEFORE)));
    let senders: Vec<_> = (0..SENDERS)
        .map(|_| {
            let (talk, stop, next) = (talk.clone(), stop.clone(), next.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    talk.send(next.fetch_add(1, Ordering::Relaxed)).await;
                }
            })
        })
        .collect();
    let saturated = slowest_hundredth(&hub, &reader).await;
    stop.store(true, Ordering::Relaxed);
    join_all(senders).await;
    hub.close().await;
    (idle, saturated)
}

async fn slowest_hundredth(hub: &Hub, reader: &Caller) -> f64 {
    let mut times = Vec::with_capacity(READS);
    for number in 0..READS {
        let asked = Instant::now();
        let room = channel(TALKED_IN[number % TALKED_IN.len()]);
        let page = hub.messages().channel_timeline(reader, &room, TimelineFilter::default()).await;
        assert!(!page.expect("the query succeeds").messages.is_empty());
        times.push(asked.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times[READS * 99 / 100]
}
