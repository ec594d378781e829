//! Backups of a whole hub, through the command line: made while it works, restored on either engine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::backups::{NewBackup, kept_tables, left_out_tables};
use svc_core::db::{Engine, Tx};
use svc_core::messages::NewMessage;
use svc_core::users::NewUser;
use svc_core::{Caller, Result};
use svc_test_macros::both_engines;

use crate::support::admin::{svc_admin, svc_admin_with};
use crate::support::backup::{EmptyPlace, assert_same_tables, other, tables};
use crate::support::child::program;
use crate::support::files::{form, png, with_form};
use crate::support::hub::TestHub;
use crate::support::people::{PASSWORD, Person};
use crate::support::server::TestServer;

/// Fills a hub with something of most kinds; returns the hash of a file.
async fn fill(server: &TestServer) -> String {
    let ann = server.person("ann").await;
    let bob = server.person("bob").await;
    let key = server.create_agent(&ann, "scribe").await;
    let file = server.upload(&ann, "große Zahlen.csv", b"a,b\n1,2\n").await;
    let hash = file["hash"].as_str().unwrap().to_owned();
    let first = server.say(&ann, json!({ "channel": "general", "body": "Der Zeppelin landet \u{1f600}" })).await;
    let with_file = json!({ "channel": "general", "body": "numbers for @bob", "attachments": [hash] });
    server.say(&ann, with_file).await;
    server.say(&ann, json!({ "to": "bob", "subject": "Tea", "body": "earl grey?", "metadata": { "z": 1, "a": [true, null, 0.5] } })).await;
    let task = server.say(&bob, json!({ "to": "scribe", "body": "write this down" })).await;
    server.say_with(&key, json!({ "to": "bob", "body": "done", "reply_to": task["id"] })).await;
    server.react(&bob, &first, "approve").await;
    let emoji = format!("/api/messages/{}/emoji/%F0%9F%8E%89", first["id"]);
    server.did(&bob, Method::PUT, &emoji, json!({})).await;
    server.did(&bob, Method::PATCH, "/api/profile", json!({ "status": { "text": "On the airship" } })).await;
    let face = with_form(server.request_as(&bob, Method::PUT, "/api/profile/avatar"), form("face.png", &png(9, 9, 1)));
    assert_eq!(face.send().await.unwrap().status(), 200);
    server.article(&ann, "airships", "Airships float; see [[balloons]].").await;
    server.rewrite(&ann, "airships", "Airships float, balloons too; see [[balloons]].").await;
    svc_admin_with(server, &["secrets", "set", "TOKEN", "--scope", "user:ann"], "hunter2").await.worked();
    hash
}

async fn backed_up(server: &TestServer, folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let archive = folder.join(name);
    let path = archive.to_str().unwrap().to_owned();
    let arguments = [&["backup", "create", path.as_str(), "--output", "json"], more].concat();
    let written = svc_admin(server, &arguments).await.json();
    assert!(written["rows"].as_u64().unwrap() > 0, "{written}");
    archive
}

async fn unread(server: &TestServer, who: &Person) -> Value {
    server.look(who, "/api/notifications/unread").await
}

#[both_engines]
async fn a_backup_moves_a_hub_to_the_other_engine_and_back(server: TestServer) {
    let hash = fill(&server).await;
    let folder = tempfile::TempDir::new().unwrap();
    let passphrase = folder.path().join("passphrase.txt");
    tokio::fs::write(&passphrase, "seven horses on a hill\n").await.unwrap();
    let passphrase = passphrase.to_str().unwrap();
    let before = unread(&server, &server.log_in("bob").await).await;
    let with_key = ["--with-key", "--passphrase-file", passphrase];
    let archive = backed_up(&server, folder.path(), "first.tar.zst", &with_key).await;
    let verified = svc_admin(&server, &["backup", "verify", archive.to_str().unwrap()]).await.worked();
    assert!(verified.contains("Every byte") && verified.contains("with the key"), "{verified}");
    let engine = server.hub.db().engine();
    server.stop().await;

    let Some(elsewhere) = EmptyPlace::of(other(engine)).await else { return };
    let told = elsewhere.restore(&archive, &["--passphrase-file", passphrase]).await.worked();
    assert!(told.contains("Restored into") && told.contains("and 1 files"), "{told}");
    let again = elsewhere.backed_up(folder.path(), "second.tar.zst").await;
    assert_same_tables(&archive, &again);
    let moved = elsewhere.serve().await;

    // Passwords, counts, words, files, secrets and numbers of rows are those of before.
    let (ann, bob) = (moved.log_in("ann").await, moved.log_in("bob").await);
    assert_eq!(unread(&moved, &bob).await, before);
    let found = moved.look(&bob, "/api/messages/search?q=zeppelin").await;
    assert_eq!(found["messages"].as_array().unwrap().len(), 1, "{found}");
    let articles = moved.look(&ann, "/api/wiki/articles?q=balloons").await;
    assert!(articles.to_string().contains("airships"), "{articles}");
    assert_eq!(moved.fetch(&bob, &hash, "").await.bytes().await.unwrap(), "a,b\n1,2\n");
    let scribe = moved.hub.agents().get(&moved.caller(&ann).await, "scribe").await.unwrap();
    let opened = moved.hub.secrets().for_run(scribe.id).await.unwrap();
    assert_eq!(opened["TOKEN"].reveal(), "hunter2");
    let highest = moved.number("SELECT max(id) FROM messages").await;
    let next = moved.say(&ann, json!({ "channel": "general", "body": "after the move" })).await;
    assert!(next["id"].as_i64().unwrap() > highest);
    moved.stop().await;

    let back = EmptyPlace::of(engine).await.unwrap();
    back.restore(&again, &[]).await.worked();
    let third = back.backed_up(folder.path(), "third.tar.zst").await;
    assert_same_tables(&archive, &third);
    let home = back.serve().await;
    let ann = home.log_in("ann").await;
    let found = home.look(&ann, "/api/messages/search?q=zeppelin").await;
    assert_eq!(found["messages"].as_array().unwrap().len(), 1, "{found}");
    home.stop().await;
}

#[both_engines]
async fn a_backup_under_load_is_one_state(test: TestHub) {
    let root = Caller::root();
    test.hub.users().create(&root, NewUser::named("ann").unwrap()).await.unwrap();
    let running = Arc::new(AtomicBool::new(true));
    let mut senders = Vec::new();
    for number in 0..4 {
        let (hub, running, root) = (test.hub.clone(), running.clone(), root.clone());
        senders.push(tokio::spawn(async move {
            let (mut sent, mut longest) = (0_u64, Duration::ZERO);
            while running.load(Ordering::Relaxed) {
                let started = Instant::now();
                let body = format!("{number} {sent} {}", "lorem ipsum ".repeat(200));
                hub.messages().send(&root, NewMessage::in_channel("general", &body)).await.unwrap();
                longest = longest.max(started.elapsed());
                sent += 1;
            }
            (sent, longest)
        }));
    }
    let folder = tempfile::TempDir::new().unwrap();
    let archive = folder.path().join("busy.tar.zst");
    for _ in 0..3 {
        let out = Box::new(std::fs::File::create(&archive).unwrap());
        let new = NewBackup::without_key();
        test.hub.backups().create(&root, new, out, Arc::new(|_| {})).await.unwrap();
    }
    running.store(false, Ordering::Relaxed);
    let mut all = 0;
    for sender in senders {
        let (sent, longest) = sender.await.unwrap();
        assert!(longest < Duration::from_secs(30), "a send took {longest:?}");
        all += sent;
    }
    let rows = tables(&archive);
    let place = EmptyPlace::of(test.hub.db().engine()).await.unwrap();
    place.restore(&archive, &[]).await.worked();
    let (messages, events) = (rows["messages"].len(), rows["events"].len());
    assert!(messages > 0 && messages as u64 <= all, "{messages} of {all}");
    assert!(events >= messages, "every message has its event");
    // The count of the conversation is written with each message.
    let general: Vec<_> = rows["conversations"].iter().filter(|row| row.contains("\"channel_id\":1")).collect();
    assert!(general.iter().any(|row| row.contains(&format!("\"message_count\":{messages}"))), "{general:?}");
    test.hub.close().await;
}

/// The names of all tables.
async fn names(tx: &mut Tx) -> Result<Vec<(String,)>> {
    let text = match tx.engine() {
        Engine::Sqlite => {
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\'"
        }
        Engine::Postgres => "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()",
    };
    tx.query(text).fetch_all().await
}

#[both_engines]
async fn every_table_is_kept_or_left_out_for_a_reason(test: TestHub) {
    let found = test.hub.db().read((), |tx, ()| Box::pin(names(tx))).await.unwrap();
    let found: BTreeSet<_> = found.iter().map(|(name,)| name.as_str()).collect();
    let kept: BTreeSet<_> = kept_tables().iter().copied().collect();
    assert_eq!(kept.len(), kept_tables().len(), "a table stands twice");
    for table in &found {
        let left_out = left_out_tables().iter().any(|(name, _)| name == table);
        assert!(kept.contains(table) != left_out, "{table} must be in one of the lists of store/backup/tables.rs");
    }
    for table in kept {
        assert!(found.contains(table), "{table} is not in the schema");
    }
    test.hub.close().await;
}

#[both_engines]
async fn a_backup_without_the_key_says_what_is_missing(server: TestServer) {
    fill(&server).await;
    let folder = tempfile::TempDir::new().unwrap();
    let archive = backed_up(&server, folder.path(), "plain.tar.zst", &[]).await;
    let engine = server.hub.db().engine();
    let data = server.stop().await;
    let place = EmptyPlace::of(engine).await.unwrap();
    let restored = place.restore(&archive, &[]).await;
    assert!(restored.stderr.contains("Secrets cannot be read until the key"), "{restored:?}");
    restored.worked();
    // The key is put in its place by hand.
    tokio::fs::copy(data.path().join("secret.key"), place.data().join("secret.key")).await.unwrap();
    let there = place.serve().await;
    let ann = there.log_in("ann").await;
    let scribe = there.hub.agents().get(&there.caller(&ann).await, "scribe").await.unwrap();
    assert_eq!(there.hub.secrets().for_run(scribe.id).await.unwrap().len(), 1);
    assert_eq!(there.try_log_in("ann", PASSWORD).await.status(), 200);
    there.did(&ann, Method::POST, "/api/messages", json!({ "to": "bob", "body": "still here" })).await;
    there.stop().await;
}

#[both_engines]
async fn the_drill_works_as_written(server: TestServer) {
    fill(&server).await;
    let text = tokio::fs::read_to_string(crate::tidy::root().join("docs/backup.md")).await.unwrap();
    let (_, drill) = text.split_once("## Drill").unwrap();
    let lines: Vec<_> =
        drill.split("```").nth(1).unwrap().lines().filter(|line| line.starts_with("svc-admin")).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    let folder = tempfile::TempDir::new().unwrap();
    let place = |word: &str| match word.strip_prefix("drill") {
        Some(rest) => folder.path().join(format!("drill{rest}")).display().to_string(),
        None => word.to_owned(),
    };
    for line in lines {
        let words: Vec<_> = line.split(' ').skip(1).map(place).collect();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let told = svc_admin(&server, &words).await.worked();
        assert!(!line.contains("db check") || told.contains("sound"), "{told}");
    }
    server.stop().await;
}

#[both_engines]
async fn an_archive_goes_to_standard_output(server: TestServer) {
    let socket = server.admin_socket().display().to_string();
    let run = move || program("svc-admin", &["--socket", &socket, "backup", "create", "-"]).output().unwrap();
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("Wrote standard output"), "{told}");
    // The harness of the tests prints before the program does.
    let before = b"role_of_a_child_process ... ";
    let at = output.stdout.windows(before.len()).position(|window| window == before).unwrap() + before.len();
    let folder = tempfile::TempDir::new().unwrap();
    let archive = folder.path().join("piped.tar.zst");
    tokio::fs::write(&archive, &output.stdout[at..]).await.unwrap();
    svc_admin(&server, &["backup", "verify", archive.to_str().unwrap()]).await.worked();
    server.stop().await;
}
