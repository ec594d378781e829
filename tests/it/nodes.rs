//! Processes on one PostgreSQL database: they keep files in one place, or the second is refused.

use std::sync::Arc;

use svc_core::{Error, Hub, HubConfig, limits};
use tempfile::TempDir;

use crate::support::clock::TestClock;
use crate::support::hub::{CHEAP_HASHES, TestHub};
use crate::support::pipe::Pipe;

async fn open(config: &HubConfig, clock: &Arc<TestClock>) -> Result<Hub, Error> {
    Hub::builder(config.clone()).clock(clock.clone()).open().await
}

/// The same database from another data directory.
fn elsewhere(test: &TestHub) -> (TempDir, HubConfig) {
    let data = TempDir::new().unwrap();
    let config = HubConfig { data: data.path().to_owned(), bcrypt_cost: CHEAP_HASHES, ..test.config.clone() };
    (data, config)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_with_files_of_its_own_is_refused_while_another_lives() {
    let Some(test) = TestHub::postgres().await else { return };
    let (data, other) = elsewhere(&test);
    let refused = open(&other, &test.clock).await.err().expect("two places of files are no hub");
    assert_eq!(refused.code(), "blobs_not_shared");
    let message = refused.message();
    assert!(message.contains(&data.path().join("blobs").display().to_string()), "{message}");
    assert!(message.contains("--blob-url"), "{message}");
    // The same directory is shared, and the refused one has left nothing behind.
    test.another().await.close().await;
    test.hub.close().await;
    let hub = open(&other, &test.clock).await.unwrap();
    hub.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_died_is_forgotten_in_time() {
    let Some(test) = TestHub::postgres().await else { return };
    let (_one, first) = elsewhere(&test);
    let (_two, second) = elsewhere(&test);
    test.hub.close().await;
    // Dropped without a word, as when its process is killed.
    drop(open(&first, &test.clock).await.unwrap());
    assert_eq!(open(&second, &test.clock).await.err().unwrap().code(), "blobs_not_shared");
    test.clock.advance(limits::NODE_LEASE);
    let hub = open(&second, &test.clock).await.unwrap();
    hub.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_nodes_that_start_at_once_one_place_wins() {
    let Some(test) = TestHub::postgres().await else { return };
    test.hub.close().await;
    let places: Vec<_> = (0..4).map(|_| elsewhere(&test)).collect();
    let starts = places.iter().map(|(_, config)| open(config, &test.clock));
    let opened: Vec<_> = futures_util::future::join_all(starts).await.into_iter().filter_map(Result::ok).collect();
    assert_eq!(opened.len(), 1);
    for hub in opened {
        hub.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_embedded_process_follows_the_same_rule() {
    let Some(test) = TestHub::postgres().await else { return };
    let (_data, other) = elsewhere(&test);
    let Some(svc_core::db::StoreUrl::Postgres(url)) = &test.config.store else { panic!("it is on PostgreSQL") };
    // It tells time by the machine's clock, so the hub's mark has to be of now.
    let now = Hub::open(test.config.clone()).await.unwrap();
    let data = other.data.display().to_string();
    let ended = Pipe::start("svca_no_key", &["--data", &data, "--database-url", url]).end().await;
    assert!(ended.stderr.contains("--blob-url"), "{}", ended.stderr);
    now.close().await;
}
