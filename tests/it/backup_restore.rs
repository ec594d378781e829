//! Restores that do not go the usual way: killed in the middle, of an older schema, from a pipe.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::Method;
use serde_json::json;
use svc_core::attachments::ContentHash;
use svc_core::db::Engine;
use svc_test_macros::both_engines;
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::support::admin::svc_admin;
use crate::support::backup::{EmptyPlace, assert_same_tables, entries, of_schema, run, tables, write_entries};
use crate::support::child::{TestChild, program};
use crate::support::server::TestServer;
use crate::support::wait::{soon, until};

/// A backup with the key, in a folder of its own.
struct Made {
    folder: TempDir,
    archive: PathBuf,
    /// The path of the passphrase.
    passphrase: String,
}

impl Made {
    async fn of(server: &TestServer) -> Self {
        let folder = TempDir::new().unwrap();
        let passphrase = folder.path().join("passphrase");
        tokio::fs::write(&passphrase, "a long enough passphrase").await.unwrap();
        let passphrase = passphrase.display().to_string();
        let archive = folder.path().join("hub.tar.zst");
        let arguments = ["backup", "create", archive.to_str().unwrap(), "--with-key", "--passphrase-file", &passphrase];
        svc_admin(server, &arguments).await.worked();
        Self { folder, archive, passphrase }
    }

    /// The arguments that open the key.
    fn opening(&self) -> [&str; 2] {
        ["--passphrase-file", &self.passphrase]
    }
}

/// Writes to a named pipe as somebody reads it; the pipe ends when the result is dropped.
async fn feed(pipe: &Path, bytes: Vec<u8>) -> File {
    let (done, written) = oneshot::channel();
    let pipe = pipe.to_owned();
    // A thread of its own, because it waits for ever if nobody reads.
    std::thread::spawn(move || {
        let mut out = File::options().write(true).open(&pipe).unwrap();
        out.write_all(&bytes).unwrap();
        done.send(out).ok();
    });
    soon("somebody reads the pipe", written).await.unwrap()
}

#[both_engines]
async fn a_restore_that_was_killed_is_repeated(server: TestServer) {
    let ann = server.person("ann").await;
    // Much more than a pipe holds.
    let noise: String = (0..16_384_u32).map(|number| ContentHash::of(&number.to_le_bytes()).to_string()).collect();
    let file = server.upload(&ann, "noise.txt", noise.as_bytes()).await;
    let hash = file["hash"].as_str().unwrap().to_owned();
    server.say(&ann, json!({ "channel": "general", "body": "listen", "attachments": [hash] })).await;
    let made = Made::of(&server).await;
    let place = EmptyPlace::of(server.hub.db().engine()).await.unwrap();
    server.stop().await;

    let pipe = made.folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let arguments = place.restore_arguments(&pipe, &made.opening());
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let restoring = TestChild::spawn(program("svc-admin", &arguments));
    // All of it is checked first. Then it is read again, and half of it comes.
    let whole = tokio::fs::read(&made.archive).await.unwrap();
    drop(feed(&pipe, whole.clone()).await);
    let marker = place.data().join("restore.incomplete");
    until("the restore has begun", async || marker.exists().then_some(())).await;
    let held = feed(&pipe, whole[..whole.len() / 2].to_vec()).await;
    tokio::task::spawn_blocking(move || restoring.kill()).await.unwrap();
    drop(held);
    assert!(marker.exists() && !place.data().join("svc.db").exists(), "there is no store before the end");

    place.restore(&made.archive, &made.opening()).await.worked();
    assert!(!marker.exists() && !place.data().join("svc.db.restoring").exists());
    let again = place.backed_up(made.folder.path(), "again.tar.zst").await;
    assert_same_tables(&made.archive, &again);
    let restored = place.serve().await;
    let ann = restored.log_in("ann").await;
    assert_eq!(restored.fetch(&ann, &hash, "").await.text().await.unwrap(), noise);
    restored.stop().await;
}

#[both_engines]
async fn an_archive_of_an_older_schema_is_migrated(server: TestServer) {
    let (ann, bob) = (server.person("ann").await, server.person("bob").await);
    // Of a member: what somebody else has read of a channel is in a table of a later schema.
    server.did(&bob, Method::POST, "/api/channels/general/join", json!({})).await;
    server.say(&ann, json!({ "channel": "general", "body": "Der Zeppelin landet, @bob" })).await;
    server.say(&ann, json!({ "to": "bob", "body": "earl grey?" })).await;
    let unread = server.look(&bob, "/api/notifications/unread").await;
    let newest = server.number("SELECT max(version) FROM schema_migrations").await;
    let made = Made::of(&server).await;
    let engine = server.hub.db().engine();
    server.stop().await;
    let now = entries(&made.archive);
    // Before push messages, and before backups were written down.
    for schema in [25, 27] {
        let older = made.folder.path().join(format!("{schema}.tar.zst"));
        write_entries(&older, &of_schema(&now, schema));
        run(vec!["backup".into(), "verify".into(), older.display().to_string()]).await.worked();
        let place = EmptyPlace::of(engine).await.unwrap();
        place.restore(&older, &made.opening()).await.worked();
        let again = place.backed_up(made.folder.path(), "again.tar.zst").await;
        // Compared in the columns of the older schema.
        let compared = made.folder.path().join("compared.tar.zst");
        write_entries(&compared, &of_schema(&entries(&again), schema));
        let (before, after, kept) = (tables(&older), tables(&again), tables(&compared));
        for (table, rows) in &before {
            assert_eq!(rows, &kept[table], "the rows of {table} differ, from schema {schema}");
        }
        assert_eq!(before.contains_key("push_subscriptions"), schema > 25);
        assert!(after.contains_key("push_subscriptions"));
        let restored = place.serve().await;
        assert_eq!(restored.number("SELECT max(version) FROM schema_migrations").await, newest);
        let (ann, bob) = (restored.log_in("ann").await, restored.log_in("bob").await);
        assert_eq!(restored.look(&bob, "/api/notifications/unread").await, unread);
        let found = restored.look(&bob, "/api/messages/search?q=zeppelin").await;
        assert_eq!(found["messages"].as_array().unwrap().len(), 1, "{found}");
        restored.say(&ann, json!({ "to": "bob", "body": "after the move" })).await;
        restored.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_is_checked_from_a_pipe_and_restored_from_a_file() {
    let server = TestServer::sqlite().await;
    let made = Made::of(&server).await;
    server.stop().await;
    let whole = tokio::fs::read(&made.archive).await.unwrap();
    let verify = async |bytes: Vec<u8>| {
        let run = move || TestChild::run_with("svc-admin", &["backup", "verify", "-"], &bytes);
        tokio::task::spawn_blocking(run).await.unwrap()
    };
    let told = verify(whole.clone()).await.worked();
    assert!(told.contains("Every byte is as it was written in standard input"), "{told}");
    verify(whole[..whole.len() - 1].to_vec()).await.refused(1, "The backup is damaged");
    verify(Vec::new()).await.refused(1, "backup");
    let place = EmptyPlace::of(Engine::Sqlite).await.unwrap();
    place.restore(Path::new("-"), &made.opening()).await.refused(1, "write standard input to a file first");
    place.restore(Path::new("s3://backups/hub.tar.zst"), &made.opening()).await.refused(1, "fetch it from the bucket");
    assert!(place.is_untouched());
}
