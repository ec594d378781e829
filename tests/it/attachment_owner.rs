//! Which hub a store of files belongs to, and a database that is not there beside what belongs to it.

use std::path::Path;

use object_store::ObjectStoreExt;
use svc_core::{Caller, Hub, HubConfig};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::blobs::TestBlobs;
use crate::support::child::TestChild;
use crate::support::files::{age, blobs, files_in, read, upload};
use crate::support::hub::{CHEAP_HASHES, TestHub};
use crate::support::oauth::login;

/// The id in the store of the files of a hub.
async fn owner_of(hub: &Hub) -> String {
    let text = tokio::fs::read_to_string(hub.config().data.join("blobs/hub.json")).await.unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap()["hub"].as_str().unwrap().to_owned()
}

#[both_engines]
async fn a_store_of_files_is_opened_by_its_own_hub_alone(test: TestHub) {
    let store = TestBlobs::new();
    let hub = test.builder().blobs(store.clone()).open().await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    let hash = upload(&hub, &ann, "words").await.unwrap();
    // Another node of the same hub.
    test.builder().blobs(store.clone()).open().await.unwrap().close().await;
    // Another hub.
    let other = TestHub::sqlite().await;
    let Err(error) = other.builder().blobs(store.clone()).open().await else { panic!("another hub opened it") };
    assert_eq!(error.code(), "file_store_of_another_hub");
    let (_, told) = error.message().split_once("--adopt-blobs ").expect("it says what to do");
    let owner = told.split(' ').next().unwrap().to_owned();
    assert_eq!(read(&hub, &ann, &hash).await.unwrap(), "words");
    // A wrong id adopts nothing, the right one does, and then the first hub keeps its hands off.
    let adopting = |id: &str| Hub::builder(HubConfig { adopt_blobs: Some(id.to_owned()), ..other.config.clone() });
    assert!(adopting("unbound").blobs(store.clone()).open().await.is_err());
    adopting(&owner).blobs(store.clone()).open().await.unwrap().close().await;
    let error = hub.attachments().gc(&Caller::root()).await.unwrap_err();
    assert_eq!(error.code(), "file_store_of_another_hub");
    assert_eq!(hub.readiness().await.files.unwrap().code.as_deref(), Some("file_store_of_another_hub"));
    assert!(test.builder().blobs(store).open().await.is_err());
    hub.close().await;
}

#[both_engines]
async fn files_of_before_are_bound_once(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let hash = upload(&test.hub, &ann, "words").await.unwrap();
    let before = owner_of(&test.hub).await;
    // As a version left it that knew no ids.
    tokio::fs::remove_file(test.config.data.join("blobs/hub.json")).await.unwrap();
    test.execute("DELETE FROM file_store").await;
    let upgraded = test.another().await;
    assert_ne!(owner_of(&upgraded).await, before);
    assert_eq!(read(&upgraded, &ann, &hash).await.unwrap(), "words");
    upgraded.close().await;
    // A new database does not get files of others without being told.
    let store = TestBlobs::new();
    let holder = test.builder().blobs(store.clone()).open().await.unwrap();
    upload(&holder, &ann, "in the bucket").await.unwrap();
    holder.close().await;
    store.objects.delete(&"hub.json".into()).await.unwrap();
    let elsewhere = TempDir::new().unwrap();
    let mut config = HubConfig { bcrypt_cost: CHEAP_HASHES, ..HubConfig::at(elsewhere.path()) };
    let opened = Hub::builder(config.clone()).blobs(store.clone()).open().await;
    assert_eq!(opened.err().expect("it is refused").code(), "file_store_not_empty");
    config.adopt_blobs = Some("unbound".into());
    Hub::builder(config).blobs(store).open().await.unwrap().close().await;
}

fn listing(data: &Path) -> Vec<String> {
    let mut found: Vec<_> = files_in(data).iter().map(|path| path.display().to_string()).collect();
    found.sort();
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_gone_is_no_reason_to_begin_anew() {
    let data = TempDir::new().unwrap();
    let config = HubConfig { bcrypt_cost: CHEAP_HASHES, ..HubConfig::at(data.path()) };
    let hub = Hub::open(config.clone()).await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    let mut hashes = Vec::new();
    for number in 0..6 {
        hashes.push(upload(&hub, &ann, &format!("file {number}")).await.unwrap());
    }
    for file in blobs(&hub) {
        age(&file);
    }
    hub.close().await;
    let directory = data.path().display().to_string();
    let arguments = ["--data", &directory, "--listen", "127.0.0.1:0"];
    let (store, kept) = (data.path().join("svc.db"), data.path().join("kept.db"));
    tokio::fs::rename(&store, &kept).await.unwrap();
    let before = listing(data.path());
    let (code, text) = TestChild::run("svc-http", &arguments);
    assert!(code == 1 && text.contains("svc.db is missing") && text.contains("--new-store"), "{code} {text}");
    assert_eq!(listing(data.path()), before, "nothing is made");
    // The files alone are a reason too, and an empty file is no database.
    let key = data.path().join("secret.key");
    let kept_key = tokio::fs::read(&key).await.unwrap();
    tokio::fs::remove_file(&key).await.unwrap();
    tokio::fs::write(&store, b"").await.unwrap();
    let (code, text) = TestChild::run("svc-http", &arguments);
    assert!(code == 1 && text.contains("svc.db is empty") && text.contains("blobs"), "{code} {text}");
    assert!(!key.exists() && tokio::fs::metadata(&store).await.unwrap().len() == 0);
    // Whoever means it begins anew, and even then no file is lost to the first sweep.
    tokio::fs::write(&key, kept_key).await.unwrap();
    let (server, _) = TestChild::server(&[&arguments[..], &["--new-store"]].concat());
    server.kill();
    let begun = Hub::open(config.clone()).await.unwrap();
    let error = begun.attachments().gc(&Caller::root()).await.unwrap_err();
    assert_eq!(error.code(), "files_unknown");
    assert_eq!(blobs(&begun).len(), 6);
    begun.close().await;
    // The database comes back, and with it everything.
    let owner = owner_of(&begun).await;
    for name in ["svc.db-wal", "svc.db-shm"] {
        tokio::fs::remove_file(data.path().join(name)).await.ok();
    }
    tokio::fs::rename(&kept, &store).await.unwrap();
    let Err(error) = Hub::open(config.clone()).await else { panic!("the files belong to the other one now") };
    assert_eq!(error.code(), "file_store_of_another_hub");
    let hub = Hub::open(HubConfig { adopt_blobs: Some(owner), ..config }).await.unwrap();
    for (number, hash) in hashes.iter().enumerate() {
        assert_eq!(read(&hub, &ann, hash).await.unwrap(), format!("file {number}"));
    }
    hub.close().await;
}

#[tokio::test]
async fn an_empty_directory_is_a_new_hub() {
    let data = TempDir::new().unwrap();
    // What a start leaves behind that was broken off before it had a database.
    tokio::fs::create_dir_all(data.path().join("blobs/ab")).await.unwrap();
    tokio::fs::create_dir_all(data.path().join("uploads")).await.unwrap();
    let config = HubConfig { bcrypt_cost: CHEAP_HASHES, ..HubConfig::at(data.path()) };
    Hub::open(config).await.unwrap().close().await;
}
