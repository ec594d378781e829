//! Source of the figures in README: ratios measured in one run on one machine.
//!
//! `make bench` runs it. It prints a table and writes JSON and SVG plots to `target/bench/`.

mod backup;
mod bare;
mod bearer;
#[expect(dead_code, clippy::unwrap_used, reason = "it is shared with the tests, which use more of it")]
#[path = "../../tests/it/support/clock.rs"]
mod clock;
mod digests;
mod fill;
mod goals;
mod lists;
mod logins;
mod machines;
mod node;
mod nodes;
#[expect(dead_code, clippy::unwrap_used, reason = "it is shared with the tests, which use more of it")]
#[path = "../../tests/it/support/postgres.rs"]
mod postgres;
mod report;
mod rest;
mod runs;
mod saturation;
mod search;
mod send;
mod sse;
mod terminal;
mod traces;
mod waiting;
mod webhooks;
mod wiki;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use report::{Bar, Report, Row};
use rest::Door;
use send::Talk;
use svc_core::harness::{LAUNCHER_ARGUMENT, launcher_main};
use svc_core::{Hub, HubConfig};
use tempfile::TempDir;

/// Enough for some seconds of sending.
const MESSAGES: usize = 60_000;
/// A single sender waits for the disk with every message.
const MESSAGES_ALONE: usize = 6_000;
/// Each figure is the median of this many interleaved rounds, so that all see the same machine.
const ROUNDS: usize = 5;

/// A store of a busy hub after years, and one of the first weeks.
const LARGE: i64 = 1_000_000;
const SMALL: i64 = 10_000;

/// Names of the measurements, for running one alone.
const CHAPTERS: [&str; 16] = [
    "sends",
    "bearer",
    "machines",
    "logins",
    "large",
    "saturation",
    "live",
    "waiting",
    "traces",
    "webhooks",
    "runs",
    "goals",
    "wiki",
    "terminal",
    "nodes",
    "backup",
];

/// Messages per second.
struct Rate {
    per_second: f64,
    batch: f64,
}

fn main() -> ExitCode {
    // Runs are started through this program.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == LAUNCHER_ARGUMENT) {
        return launcher_main();
    }
    if let Some(code) = terminal::ui() {
        return code;
    }
    // `cargo bench` passes flags of the standard harness; they are ignored.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    if is_named(sse::SERVER) {
        runtime.block_on(sse::serve());
        return ExitCode::SUCCESS;
    }
    if is_named(node::NODE) {
        runtime.block_on(node::serve());
        return ExitCode::SUCCESS;
    }
    let report = runtime.block_on(measure());
    report.print();
    if !CHAPTERS.into_iter().any(is_named) {
        report.write("target/bench").expect("target/bench can be written to");
    }
    if report.all_met() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_named(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

/// `cargo bench -p svc --bench hub -- large live` runs those alone; their figures are not stored.
fn is_wanted(chapter: &str) -> bool {
    is_named(chapter) || !CHAPTERS.into_iter().any(is_named)
}

async fn measure() -> Report {
    let mut report = Report { rows: Vec::new(), notes: Vec::new() };
    if is_wanted("sends") {
        sends(&mut report).await;
    }
    if is_wanted("bearer") {
        let (few, many) = bearer::times().await;
        report.rows.push(Row::micros("bearer check with 10,000 agents ÷ with 10", many, few, Bar::AtMost(1.2)));
    }
    if is_wanted("machines") {
        let (signed, unsigned) = machines::rates().await;
        let name = "reports that machines signed ÷ messages by key, over REST, 64 senders";
        report.rows.push(Row::new(name, signed, unsigned, Bar::AtLeast(0.50)));
    }
    if is_wanted("logins") {
        let (idle, flooded) = logins::readiness_p99().await;
        report.rows.push(Row::micros("/readyz p99 under a flood of logins ÷ idle", flooded, idle, Bar::AtMost(3.0)));
    }
    if is_wanted("large") {
        large(&mut report).await;
    }
    if is_wanted("saturation") {
        let (idle, saturated) = saturation::p99s().await;
        report.rows.push(Row::micros("read p99 with a saturated writer ÷ idle", saturated, idle, Bar::AtMost(3.0)));
    }
    if is_wanted("live") {
        live(&mut report).await;
    }
    if is_wanted("waiting") {
        let name = format!("CPU of {} agents that wait ÷ 2 % of a core", waiting::AGENTS);
        report.rows.push(Row::micros(
            &name,
            waiting::cpu_micros_per_second().await,
            waiting::ALLOWED,
            Bar::AtMost(1.0),
        ));
    }
    if is_wanted("traces") {
        let growth = traces::export_growth().await;
        let name = "memory growth, export of 1,000,000 traces ÷ 16 MiB";
        report.rows.push(Row::kibibytes(name, growth, traces::ALLOWED, Bar::AtMost(1.0)));
    }
    if is_wanted("webhooks") {
        webhooks::measure(&mut report).await;
    }
    if is_wanted("runs") {
        runs::measure(&mut report).await;
    }
    if is_wanted("goals") {
        let name = "a goal with 200 tasks among 1,000 goals, p50 ÷ 5 ms";
        report.rows.push(Row::micros(name, goals::p50_micros().await, goals::ALLOWED, Bar::AtMost(1.0)));
    }
    if is_wanted("wiki") {
        wiki::measure(&mut report).await;
    }
    if is_wanted("terminal") {
        terminal::measure(&mut report).await;
    }
    if is_wanted("nodes") {
        nodes::measure(&mut report).await;
    }
    if is_wanted("backup") {
        backup::measure(&mut report).await;
    }
    report
}

async fn sends(report: &mut Report) {
    let (mut bare, mut together, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    let (mut rest, mut mcp, mut one_by_one) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        eprintln!("round {round} of {ROUNDS}");
        let hub = through_the_hub(64, MESSAGES).await;
        bare.push(bare::rate(MESSAGES, hub.batch).await);
        one_by_one.push(bare::rate(MESSAGES_ALONE, 1.0).await);
        together.push(hub);
        alone.push(through_the_hub(1, MESSAGES_ALONE).await.per_second);
        rest.push(rest::rate(Door::Rest, 64, MESSAGES).await);
        mcp.push(rest::rate(Door::Mcp, 64, MESSAGES).await);
    }
    let batch = median(together.iter().map(|rate| rate.batch));
    let together = median(together.iter().map(|rate| rate.per_second));
    let (bare, alone, rest, mcp) = (median(bare), median(alone), median(rest), median(mcp));
    report.rows.extend([
        Row::new("durable sends, 64 senders ÷ bare loop in the same batches", together, bare, Bar::AtLeast(0.50)),
        Row::new("durable sends, 64 senders ÷ 1 sender", together, alone, Bar::AtLeast(8.0)),
        Row::new("sends over REST ÷ through the hub, 64 senders", rest, together, Bar::AtLeast(0.40)),
        Row::new("sends over MCP ÷ over REST, 64 senders", mcp, rest, Bar::AtLeast(0.60)),
    ]);
    report.notes.push(format!("64 senders shared a commit by {batch:.1} on average"));
    // The possible gain of shared commits on this disk.
    let gain = bare / median(one_by_one);
    report.notes.push(format!("the bare loop in batches of that size is {gain:.1} times as fast as one by one"));
}

/// Queries on a store with a million messages.
async fn large(report: &mut Report) {
    let (small, small_data) = filled(SMALL).await;
    let few = lists::p50s(&small.0, &small.1).await;
    small.0.close().await;
    drop(small_data);
    let started = Instant::now();
    let (large, data) = filled(LARGE).await;
    report.notes.push(format!("{LARGE} messages were filled in {:.0} s", started.elapsed().as_secs_f64()));
    let many = lists::p50s(&large.0, &large.1).await;
    for (name, (many, few)) in lists::NAMES.into_iter().zip(many.into_iter().zip(few)) {
        let name = format!("{name}, 1,000,000 messages ÷ 10,000, p50");
        report.rows.push(Row::micros(&name, many, few, Bar::AtMost(1.5)));
    }
    let (ours, bare) = search::p95(&large.0, &large.1.human, &data.path().join("svc.db")).await;
    let name = "search for two words in 1,000,000 messages, p95 ÷ bare full-text query";
    report.rows.push(Row::micros(name, ours, bare, Bar::AtMost(4.0)));
    large.0.close().await;
}

/// A hub with this many messages.
async fn filled(messages: i64) -> ((Hub, fill::Filled), TempDir) {
    let data = TempDir::new().expect("a temporary directory");
    let hub = Hub::open(HubConfig::at(data.path())).await.expect("a new hub opens");
    let filled = fill::fill(&hub, messages).await;
    ((hub, filled), data)
}

/// The rows of the live streams, each with its limit.
async fn live(report: &mut Report) {
    let crowd = sse::crowd().await;
    let name = format!("one message to {} live streams, last − first ÷ 250 ms", sse::CLIENTS);
    report.rows.extend([
        Row::micros(&name, crowd.spread, sse::SPREAD, Bar::AtMost(1.0)),
        Row::kibibytes("memory of a live stream ÷ 20 KiB", crowd.memory, sse::CLIENT_MEMORY, Bar::AtMost(1.0)),
    ]);
}

/// Sends through the hub from several tasks; the time includes the full-text index.
async fn through_the_hub(senders: usize, messages: usize) -> Rate {
    let data = TempDir::new().expect("a temporary directory");
    let hub = Hub::open(HubConfig::at(data.path())).await.expect("a new hub opens");
    let workers = hub.start_workers();
    let talk = Arc::new(Talk::prepare(&hub).await);
    let left = Arc::new(AtomicUsize::new(messages));
    let before = hub.db().write_stats();
    let started = Instant::now();
    let sending = (0..senders).map(|_| {
        let (talk, left) = (talk.clone(), left.clone());
        tokio::spawn(async move {
            while let Some(number) = take_one(&left) {
                talk.send(number).await;
            }
        })
    });
    for sent in join_all(sending).await {
        sent.expect("the task ends");
    }
    let after = hub.db().write_stats();
    talk.indexed().await;
    let elapsed = started.elapsed();
    workers.stop().await;
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
