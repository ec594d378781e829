//! Faults under a server with load: what was acknowledged is there once, what is refused is refused with the reason,
//! reading goes on, and the server recovers without a restart.
//!
//! `make faults` runs these together with the tests of full disks, clocks that jump, damaged stores and killed nodes.

use reqwest::StatusCode;
use serde_json::Value;
use svc_core::db::Engine;

use crate::support::child::TestChild;
use crate::support::faults::DiskFault;
use crate::support::hub::TestHub;
use crate::support::load::{Addresses, Load, assert_stored_once, client};
use crate::support::people::key_of_a_person;
use crate::support::postgres::{Cluster, shared_cluster};
use crate::support::wait::until;

const SENDERS: usize = 8;

/// A server with load.
struct Loaded {
    test: TestHub,
    server: TestChild,
    base: String,
    key: String,
    load: Load,
}

impl Loaded {
    async fn start(test: TestHub) -> Self {
        let key = key_of_a_person(&test.hub, "ann").await;
        key_of_a_person(&test.hub, "bob").await;
        let (server, base) = TestChild::server_on(&test.config, "admin", &[]).await;
        let load = Load::start(&Addresses::of([base.clone()]), &key, 0..SENDERS, |_, _| "bob".to_owned());
        load.more(50).await;
        Self { test, server, base, key, load }
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        let answer = client().get(format!("{}{path}", self.base)).bearer_auth(&self.key).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    /// Reading works.
    async fn assert_reads(&self) {
        for path in ["/api/messages?with=bob", "/api/channels", "/api/notifications/unread"] {
            let (status, body) = self.get(path).await;
            assert_eq!(status, StatusCode::OK, "{path}: {body}");
        }
    }

    /// The fault is gone: the server takes messages, says that it is ready, and has kept what it acknowledged.
    async fn assert_recovered(self) {
        self.load.more(50).await;
        until("it is ready", async || (self.get("/readyz").await.0 == StatusCode::OK).then_some(())).await;
        let refusals = self.load.refusals();
        let acknowledged = self.load.stop().await;
        assert_stored_once(&self.test, &acknowledged).await;
        let engine = self.test.hub.db().engine();
        println!("{engine}: {} messages were acknowledged; refused: {refusals:?}", acknowledged.len());
        drop(self.server);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_disk_delays_messages_and_nothing_else() {
    let loaded = Loaded::start(TestHub::sqlite().await).await;
    let Some(fault) = DiskFault::slow(&loaded.server, 200) else { return };
    loaded.load.more(2 * SENDERS).await;
    loaded.assert_reads().await;
    assert_eq!(loaded.get("/readyz").await.0, StatusCode::OK);
    loaded.load.more(2 * SENDERS).await;
    assert_eq!(loaded.load.refusals(), [].into(), "what is slow is not refused");
    drop(fault);
    loaded.assert_recovered().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_turns_read_only_is_read() {
    let loaded = Loaded::start(TestHub::sqlite().await).await;
    let Some(fault) = DiskFault::read_only(&loaded.server) else { return };
    loaded.load.refused_with("storage_unavailable").await;
    loaded.assert_reads().await;
    drop(fault);
    loaded.assert_recovered().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_that_the_disk_did_not_take() {
    let loaded = Loaded::start(TestHub::sqlite().await).await;
    let Some(fault) = DiskFault::broken(&loaded.server) else { return };
    loaded.load.refused_with("storage_unavailable").await;
    loaded.assert_reads().await;
    drop(fault);
    loaded.assert_recovered().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_crashes_and_comes_back() {
    if shared_cluster().is_none() {
        return;
    }
    // With the settings that a real one has: what it acknowledged survives its crash.
    let cluster = Cluster::start("").unwrap();
    let loaded = Loaded::start(TestHub::on_cluster(&cluster).await).await;
    assert_eq!(loaded.test.hub.db().engine(), Engine::Postgres);
    for _ in 0..2 {
        cluster.control("crash").unwrap();
        loaded.load.refused_with("storage_unavailable").await;
        assert_eq!(loaded.get("/readyz").await.0, StatusCode::SERVICE_UNAVAILABLE);
        cluster.control("start").unwrap();
        loaded.load.more(50).await;
    }
    loaded.assert_recovered().await;
}
