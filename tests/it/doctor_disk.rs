//! Samples of the disk, and the forecast that they make.

use std::time::Duration;

use serde_json::Value;
use svc_core::db::Engine;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::TestServer;

const HOUR: i64 = 3_600_000_000;
/// Eight days of samples.
const HOURS: i64 = 8 * 24;

/// The report, also when there is a problem.
async fn examined(server: &TestServer) -> Value {
    serde_json::from_str(&svc_admin(server, &["--output", "json", "doctor"]).await.stdout).unwrap()
}

fn finding(report: &Value) -> Value {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["check"] == "disk").unwrap().clone()
}

fn summary(report: &Value) -> String {
    finding(report)["summary"].as_str().unwrap().to_owned()
}

async fn metric(server: &TestServer, name: &str) -> i64 {
    let text = server.get("/metrics").await.text().await.unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
    value.unwrap_or_else(|| panic!("{name} is not in\n{text}"))
}

/// Makes samples of eight days in which the disk has lost this much a day, down to what is free now.
async fn fill(server: &TestServer, free: i64, per_day: i64) {
    let now = server.hub.clock().now().as_micros() / HOUR * HOUR;
    let rows: Vec<_> = (0..=HOURS)
        .map(|hour| format!("({}, {}, {}, 1000000, 0)", now - hour * HOUR, free + per_day / 24 * hour, 1_i64 << 50))
        .collect();
    let text = format!(
        "INSERT INTO disk_samples (taken_at, free_bytes, total_bytes, store_bytes, file_bytes) VALUES {}
         ON CONFLICT (taken_at) DO UPDATE SET free_bytes = excluded.free_bytes, total_bytes = excluded.total_bytes",
        rows.join(", ")
    );
    server.execute(text).await;
}

#[both_engines]
async fn a_sample_is_taken_every_hour_and_kept_for_a_month(server: TestServer) {
    let samples = async || server.number("SELECT count(*) FROM disk_samples").await;
    server.work("disk_sampling").await;
    server.work("disk_sampling").await;
    assert_eq!(samples().await, 1);
    server.clock.advance(Duration::from_mins(61));
    server.work("disk_sampling").await;
    assert_eq!(samples().await, 2);
    let sizes = server.number("SELECT count(*) FROM disk_samples WHERE store_bytes > 0 AND total_bytes > 0").await;
    assert_eq!(sizes, 2);

    // A forecast needs more than a day.
    let report = examined(&server).await;
    assert_eq!(report["disk"]["samples"].as_array().unwrap().len(), 2, "{report}");
    assert!(report["disk"]["growth_per_day"].is_null() && report["disk"]["full_at"].is_null(), "{report}");
    assert!(!summary(&report).contains("Full in"), "{report}");
    assert_eq!(metric(&server, "disk_full_timestamp_seconds").await, 0);

    server.clock.advance(Duration::from_hours(24 * 31));
    server.work("disk_sampling").await;
    assert_eq!(samples().await, 1);
    server.stop().await;
}

#[both_engines]
async fn a_disk_that_fills_is_told_before_it_is_full(server: TestServer) {
    server.work("disk_sampling").await;
    let free = examined(&server).await["free_disk_bytes"].as_i64().unwrap();
    // The growth that fills the disk in tenths of days, the same in every hour.
    let per_day = |tenths: i64| free * 10 / tenths / 24 * 24;

    fill(&server, free, per_day(95)).await;
    let report = examined(&server).await;
    let told = summary(&report);
    assert!(told.contains("Full in about 9 days (2026-01-10) at "), "{told}");
    assert!(["warning", "problem"].contains(&finding(&report)["state"].as_str().unwrap()), "{report}");
    assert!(finding(&report)["advice"].is_string(), "{report}");
    assert_eq!(report["disk"]["growth_per_day"], per_day(95), "{report}");
    let is_elsewhere = server.hub.db().engine() == Engine::Postgres;
    assert_eq!(told.contains("The disk of the database server cannot be seen from here."), is_elsewhere, "{told}");
    assert!(metric(&server, "disk_full_timestamp_seconds").await > 1_767_225_600);
    assert_eq!(metric(&server, "disk_growth_bytes_per_day").await, per_day(95));
    let admin = server.admin("root").await;
    let samples = server.look(&admin, "/api/admin/health").await["disk"]["samples"].as_array().unwrap().clone();
    assert_eq!(samples.len(), 33, "one of each quarter of a day");

    // There is little time left.
    fill(&server, free, per_day(15)).await;
    let report = examined(&server).await;
    assert!(summary(&report).contains("Full in about a day (2026-01-02) at "), "{report}");
    assert_eq!(finding(&report)["state"], "problem", "{report}");

    // Somebody has cleaned up, and nothing grows any more.
    fill(&server, free, 0).await;
    let report = examined(&server).await;
    assert!(!summary(&report).contains("Full in"), "{report}");
    assert_eq!(report["disk"]["growth_per_day"], 0, "{report}");
    server.stop().await;
}
