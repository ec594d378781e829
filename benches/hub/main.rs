//! What the figures in README come from: ratios measured in one run on one machine.
//!
//! `make bench` runs it. It prints a table and writes JSON and SVG plots under `target/bench/`.

mod bare;
mod bearer;
mod logins;
mod report;
mod rest;
mod send;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use report::{Bar, Report, Row};
use send::{BODY, Sender};
use svc_core::{Hub, HubConfig};
use tempfile::TempDir;

/// Enough for some seconds of sending.
const MESSAGES: usize = 60_000;
/// One sender waits for the disk with every message.
const MESSAGES_ALONE: usize = 6_000;
/// Each figure is the median of this many rounds, taken in turn so that all see the same machine.
const ROUNDS: usize = 5;

const LOGINS: &str = "/readyz p99 under a flood of logins ÷ idle";

/// Messages a second.
struct Rate {
    per_second: f64,
    batch: f64,
}

fn main() {
    // `cargo bench` passes flags meant for the standard harness; none of them matters here.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime can be made");
    let report = runtime.block_on(measure());
    report.print();
    if !is_alone("logins") {
        report.write("target/bench").expect("target/bench can be written to");
    }
    if !report.all_met() {
        std::process::exit(1);
    }
}

/// `cargo bench -p svc --bench hub -- logins` measures that alone; its figures are not kept.
fn is_alone(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

async fn measure() -> Report {
    if is_alone("logins") {
        let (idle, flooded) = logins::readiness_p99().await;
        let rows = vec![Row::micros(LOGINS, flooded, idle, Bar::AtMost(3.0))];
        return Report { rows, notes: Vec::new() };
    }
    let (mut bare, mut together, mut alone, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        eprintln!("round {round} of {ROUNDS}");
        let hub = through_the_hub(64, MESSAGES).await;
        bare.push(bare::rate(MESSAGES, hub.batch));
        together.push(hub);
        alone.push(through_the_hub(1, MESSAGES_ALONE).await.per_second);
        rest.push(rest::rate(64, MESSAGES).await);
    }
    let batch = median(together.iter().map(|rate| rate.batch));
    let together = median(together.iter().map(|rate| rate.per_second));
    let (bare, alone, rest) = (median(bare), median(alone), median(rest));
    let (few, many) = bearer::times().await;
    let (idle, flooded) = logins::readiness_p99().await;
    Report {
        rows: vec![
            Row::new("durable sends, 64 senders ÷ bare loop in the same batches", together, bare, Bar::AtLeast(0.50)),
            Row::new("durable sends, 64 senders ÷ 1 sender", together, alone, Bar::AtLeast(8.0)),
            Row::new("sends over REST ÷ through the hub, 64 senders", rest, together, Bar::AtLeast(0.40)),
            Row::micros("bearer check with 10,000 agents ÷ with 10", many, few, Bar::AtMost(1.2)),
            Row::micros(LOGINS, flooded, idle, Bar::AtMost(3.0)),
        ],
        notes: vec![format!("64 senders shared a commit by {batch:.1} on average")],
    }
}

/// Sends through the hub from several tasks; the time includes the full-text index catching up.
async fn through_the_hub(senders: usize, messages: usize) -> Rate {
    let data = TempDir::new().expect("a temporary directory can be made");
    let hub = Hub::open(HubConfig::at(data.path())).await.expect("a new hub opens");
    let sender = Arc::new(Sender::prepare(&hub).await);
    let left = Arc::new(AtomicUsize::new(messages));
    let before = hub.db().write_stats();
    let started = Instant::now();
    let indexing = tokio::spawn({
        let sender = sender.clone();
        async move { sender.index(messages).await }
    });
    let sending = (0..senders).map(|_| {
        let (sender, left) = (sender.clone(), left.clone());
        tokio::spawn(async move {
            while let Some(number) = take_one(&left) {
                sender.send(number, BODY.to_owned()).await;
            }
        })
    });
    for sent in join_all(sending).await {
        sent.expect("the sender ends");
    }
    let after = hub.db().write_stats();
    indexing.await.expect("the indexer ends");
    let elapsed = started.elapsed();
    hub.close().await;
    Rate {
        per_second: rate(messages, elapsed),
        batch: ratio(after.units - before.units, after.commits - before.commits),
    }
}

fn take_one(left: &AtomicUsize) -> Option<usize> {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok()
}

#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are far below 2^52")]
fn rate(count: usize, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are far below 2^52")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
