//! Several processes on one store: they start together, see each other, and replace each other.

use futures_util::future::join_all;
use svc_core::HubConfig;
use svc_core::events::After;
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::child::TestChild;
use crate::support::hub::TestHub;
use crate::support::postgres::shared_cluster;
use crate::support::wait::soon;

/// Starts ten processes at once on an empty store; each must come up.
async fn ten_open_at_once(config: &HubConfig) {
    let children: Vec<_> = (0..10).map(|_| TestChild::start("open", config)).collect();
    let ends = children.into_iter().map(|child| tokio::task::spawn_blocking(move || child.wait()));
    for end in soon("ten processes", join_all(ends)).await {
        let (said, status) = end.unwrap();
        assert_eq!(said, ["opened"]);
        assert!(status.success());
    }
}

async fn migrations(config: HubConfig) -> i64 {
    let hub = svc_core::Hub::open(config).await.unwrap();
    let count = hub
        .db()
        .read((), |tx, ()| Box::pin(tx.query("SELECT count(*) FROM schema_migrations").fetch_value::<i64>()))
        .await
        .unwrap();
    hub.close().await;
    count
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_processes_at_once_migrate_an_empty_sqlite_file_once() {
    let data = TempDir::new().unwrap();
    let config = HubConfig::at(data.path());
    ten_open_at_once(&config).await;
    assert_eq!(migrations(config).await, i64::try_from(svc_core::db::migration_names().len()).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_processes_at_once_migrate_an_empty_postgres_database_once() {
    let Some(cluster) = shared_cluster() else { return };
    let data = TempDir::new().unwrap();
    let config = HubConfig::at(data.path()).with_store(&cluster.empty_database().await).unwrap();
    ten_open_at_once(&config).await;
    assert_eq!(migrations(config).await, i64::try_from(svc_core::db::migration_names().len()).unwrap());
}

#[both_engines]
async fn two_processes_see_each_others_events_in_order(test: TestHub) {
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    let children = [0, 1].map(|_| TestChild::start("append", &test.config));
    let ends = children.map(|child| tokio::task::spawn_blocking(move || child.wait().0));
    let mut seen = Vec::new();
    while seen.len() < 200 {
        seen.push(soon("an event", live.next()).await.unwrap().expect("the hub is open").seq);
    }
    assert!(seen.is_sorted());
    let mut said: Vec<svc_core::ids::EventSeq> = Vec::new();
    for end in ends {
        said.extend(end.await.unwrap().iter().map(|seq| svc_core::ids::EventSeq(seq.parse().unwrap())));
    }
    said.sort_unstable();
    assert_eq!(seen, said);
}

#[both_engines]
async fn a_killed_process_hands_its_work_to_another(test: TestHub) {
    let start = || {
        let config = test.config.clone();
        tokio::task::spawn_blocking(move || {
            let mut child = TestChild::start("work until killed", &config);
            assert_eq!(child.next().as_deref(), Some("started"));
            child
        })
    };
    let mut first = start().await.unwrap();
    let first = tokio::task::spawn_blocking(move || {
        assert_eq!(first.next().as_deref(), Some("round"));
        first
    });
    let first = soon("the first process is at work", first).await.unwrap();
    let mut second = start().await.unwrap();
    // Only now does the first one die, holding the lease.
    let rounds = tokio::task::spawn_blocking(move || first.kill());
    soon("the end of the first", rounds).await.unwrap();
    let taken_over = tokio::task::spawn_blocking(move || second.next());
    assert_eq!(soon("the second takes over", taken_over).await.unwrap().as_deref(), Some("round"));
    let workers =
        test.number("SELECT count(DISTINCT CAST(payload AS TEXT)) FROM events WHERE kind = 'clockwork.round'");
    assert_eq!(workers.await, 2);
}
