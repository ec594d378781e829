//! A server under steady load: 64 agents and 8 people with webhooks, runs, push messages and live streams. Its memory,
//! its descriptors, its write-ahead log and its latency are measured, drawn, and must not grow.
//!
//! A test run takes seconds and checks that all of it works. `make soak HOURS=1` takes as long as wanted, writes a table
//! and a picture for each engine to `target/soak`, and fails if something grows.

mod actors;
mod samples;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use svc_core::db::Engine;
use svc_test_macros::both_engines;

use self::actors::{Actors, Town};
use self::samples::{Sample, growth, picture, table};
use crate::support::child::TestChild;
use crate::support::hub::TestHub;
use crate::support::wait::until;

/// How long it takes, how often it is measured, and where the results go.
struct Extent {
    length: Duration,
    between: Duration,
    /// Nothing is kept by a short run, which says nothing about growth.
    kept_in: Option<PathBuf>,
}

fn extent() -> Extent {
    let asked = std::env::var("SVC_SOAK_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let kept_in = std::env::var_os("SVC_SOAK_OUT").map(PathBuf::from);
    match asked.map(Duration::from_secs) {
        Some(length) => Extent { length, between: (length / 360).max(Duration::from_secs(1)), kept_in },
        None => Extent { length: Duration::from_secs(5), between: Duration::from_millis(500), kept_in: None },
    }
}

async fn start(test: &TestHub) -> (TestChild, String) {
    let networks = ["--allow-http-webhooks", "--allow-private-networks", "127.0.0.0/8", "--webhook-rate", "0"];
    // Confined runs could not write the trail.
    let runs = ["--run-confinement", "off", "--max-runs", "4", "--quota-messages", "0"];
    TestChild::server_on(&test.config, "admin", &[&networks[..], &runs[..]].concat()).await
}

#[both_engines]
async fn nothing_grows_under_steady_load(test: TestHub) {
    let engine = test.hub.db().engine();
    let town = Town::prepare(&test).await;
    let (server, base) = start(&test).await;
    let extent = extent();
    let actors = Actors::start(Arc::new(town), &base).await;
    let wal = (engine == Engine::Sqlite).then(|| test.config.data.join("svc.db-wal"));

    let mut samples: Vec<Sample> = Vec::new();
    let mut pace = tokio::time::interval(extent.between);
    pace.tick().await;
    let beginning = tokio::time::Instant::now();
    while beginning.elapsed() < extent.length {
        pace.tick().await;
        samples.push(Sample::take(beginning.elapsed(), &server, wal.as_deref(), actors.drain()).await);
    }
    if extent.kept_in.is_none() {
        // A busy machine may need longer until everything has happened once.
        for (what, counted) in WORK {
            until(what, async || (test.number(counted).await > 0).then_some(())).await;
        }
    }
    let errors = actors.stop().await;
    assert_eq!(errors, Vec::<String>::new());
    for (what, counted) in WORK {
        let number = test.number(counted).await;
        println!("{engine}: {what}: {number}");
        assert!(number > 0, "{what}");
    }
    let drawn = picture(&format!("{engine}"), &samples);
    assert!(drawn.starts_with("<svg") && drawn.matches("<polyline").count() == 6, "{drawn}");
    if let Some(place) = extent.kept_in {
        tokio::fs::create_dir_all(&place).await.unwrap();
        let name = format!("{engine}").to_lowercase();
        tokio::fs::write(place.join(format!("{name}.csv")), table(&samples)).await.unwrap();
        tokio::fs::write(place.join(format!("{name}.svg")), drawn).await.unwrap();
        assert_eq!(growth(&samples), Vec::<String>::new());
    }
}

/// Everything that happens, with a statement that counts it.
const WORK: [(&str, &str); 5] = [
    ("messages", "SELECT count(*) FROM messages"),
    ("tasks that agents finished", "SELECT count(*) FROM messages WHERE status = 'done'"),
    ("deliveries of webhooks", "SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'"),
    ("runs", "SELECT count(*) FROM reactive_runs WHERE status = 'succeeded'"),
    ("push messages", "SELECT count(*) FROM push_subscriptions WHERE last_success_at IS NOT NULL"),
];
