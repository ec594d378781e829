//! Backups that are refused, each in one sentence, with nothing left behind.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::admin::svc_admin;
use crate::support::backup::{EmptyPlace, entries, run, seal, write_entries};
use crate::support::server::TestServer;

/// A backup with a file and the key, and its folder with the passphrase.
async fn archive(server: &TestServer) -> (TempDir, PathBuf) {
    let ann = server.person("ann").await;
    let file = server.upload(&ann, "notes.md", b"# Notes\nwith some text").await;
    server.say(&ann, json!({ "channel": "general", "body": "hello", "attachments": [file["hash"]] })).await;
    let folder = TempDir::new().unwrap();
    tokio::fs::write(folder.path().join("passphrase"), "a long enough passphrase").await.unwrap();
    let passphrase = folder.path().join("passphrase");
    let path = folder.path().join("hub.tar.zst");
    let arguments = ["backup", "create", path.to_str().unwrap(), "--with-key", "--passphrase-file"];
    svc_admin(server, &[&arguments[..], &[passphrase.to_str().unwrap()]].concat()).await.worked();
    (folder, path)
}

async fn verify(path: &Path) -> crate::support::child::Ran {
    run(vec!["backup".into(), "verify".into(), path.display().to_string()]).await
}

/// It is refused with these words by a check and by a restore, and nothing is left.
async fn assert_refused(place: &EmptyPlace, path: &Path, words: &str) {
    verify(path).await.refused(1, words);
    place.restore(path, &["--without-key"]).await.refused(1, words);
    assert!(place.is_untouched(), "something was left");
}

#[both_engines]
async fn a_damaged_archive_is_refused(server: TestServer) {
    let (folder, path) = archive(&server).await;
    let place = EmptyPlace::of(server.hub.db().engine()).await.unwrap();
    let whole = tokio::fs::read(&path).await.unwrap();
    let bad = folder.path().join("bad.tar.zst");
    // A changed byte at many places, and an archive that is cut at many places.
    let steps = whole.len() / 12;
    for at in (0..whole.len()).step_by(steps.max(1)) {
        let mut changed = whole.clone();
        changed[at] ^= 0x20;
        tokio::fs::write(&bad, &changed).await.unwrap();
        let ran = verify(&bad).await;
        assert_eq!(ran.code, 1, "the byte at {at} of {}: {ran:?}", whole.len());
        tokio::fs::write(&bad, &whole[..at]).await.unwrap();
        assert_eq!(verify(&bad).await.code, 1, "cut at {at}");
    }
    let mut longer = whole.clone();
    longer.push(0);
    tokio::fs::write(&bad, &longer).await.unwrap();
    assert_refused(&place, &bad, "its end").await;
    tokio::fs::write(&bad, &whole[..whole.len() / 2]).await.unwrap();
    assert_refused(&place, &bad, "is cut off").await;
    tokio::fs::write(&bad, b"not an archive at all").await.unwrap();
    assert_refused(&place, &bad, "This is not a backup of svc").await;
    server.stop().await;
}

#[both_engines]
async fn an_archive_with_other_content_is_refused_by_entry(server: TestServer) {
    let (folder, path) = archive(&server).await;
    let place = EmptyPlace::of(server.hub.db().engine()).await.unwrap();
    let bad = folder.path().join("bad.tar.zst");
    let good = entries(&path);
    write_entries(&bad, &good);
    verify(&bad).await.worked();
    let position = |prefix: &str| good.iter().position(|(name, _)| name.starts_with(prefix)).unwrap();

    let mut changed = good.clone();
    let row = &mut changed[position("tables/messages/")].1;
    let at = row.windows(5).position(|window| window == b"hello").unwrap();
    row[at..at + 5].copy_from_slice(b"hullo");
    write_entries(&bad, &changed);
    assert_refused(&place, &bad, "tables/messages does not match its checksum").await;

    let mut changed = good.clone();
    changed[position("files/")].1[0] ^= 1;
    write_entries(&bad, &changed);
    assert_refused(&place, &bad, "does not match its hash").await;

    let mut changed = good.clone();
    changed.remove(position("files/"));
    write_entries(&bad, &changed);
    assert_refused(&place, &bad, "has other files than the manifest").await;

    for name in ["../evil", "/etc/passwd", "files/../../evil", "tables/messages/../x", "tables/nothing/000001.jsonl"] {
        let mut changed = good.clone();
        changed.insert(1, (name.to_owned(), b"x".to_vec()));
        write_entries(&bad, &changed);
        assert_refused(&place, &bad, "is not part of a backup").await;
    }
    server.stop().await;
}

/// Writes the entries with another header, and with checksums that fit it.
fn with_header(path: &Path, good: &[(String, Vec<u8>)], change: impl FnOnce(&mut Value)) {
    let mut entries = good.to_vec();
    let mut header: Value = serde_json::from_slice(&entries[0].1).unwrap();
    change(&mut header);
    entries[0].1 = serde_json::to_vec(&header).unwrap();
    seal(&mut entries, |_| ());
    write_entries(path, &entries);
}

#[both_engines]
async fn an_archive_of_a_newer_version_is_refused(server: TestServer) {
    let (folder, path) = archive(&server).await;
    let place = EmptyPlace::of(server.hub.db().engine()).await.unwrap();
    let bad = folder.path().join("newer.tar.zst");
    let good = entries(&path);
    with_header(&bad, &good, |header| header["schema"] = json!(9999));
    assert_refused(&place, &bad, "written by a newer version").await;
    with_header(&bad, &good, |header| header["format"] = json!(2));
    assert_refused(&place, &bad, "written by a newer version").await;
    // Columns that this program does not know are found before anything is written.
    with_header(&bad, &good, |header| header["tables"][1]["columns"][0]["name"] = json!("x; DROP TABLE users"));
    place.restore(&bad, &["--without-key"]).await.refused(1, "has other columns than this program knows");
    assert!(place.is_untouched());
    server.stop().await;
}

#[both_engines]
async fn a_store_with_content_is_not_overwritten(server: TestServer) {
    let (_folder, path) = archive(&server).await;
    let engine = server.hub.db().engine();
    let place = EmptyPlace::of(engine).await.unwrap();
    place.restore(&path, &["--without-key"]).await.worked();
    place.restore(&path, &["--without-key"]).await.refused(1, "is not empty");
    let there = place.serve().await;
    there.log_in("ann").await;
    there.stop().await;
    // Files without a store are not mixed with those of an archive either.
    let other = EmptyPlace::of(engine).await.unwrap();
    let hash = "a".repeat(64);
    let shelf = other.data().join("blobs/aa");
    tokio::fs::create_dir_all(&shelf).await.unwrap();
    tokio::fs::write(shelf.join(hash), b"of somebody else").await.unwrap();
    other.restore(&path, &["--without-key"]).await.refused(1, "is not empty");
    server.stop().await;
}

#[both_engines]
async fn a_wrong_passphrase_is_refused(server: TestServer) {
    let (folder, path) = archive(&server).await;
    let place = EmptyPlace::of(server.hub.db().engine()).await.unwrap();
    let wrong = folder.path().join("wrong");
    tokio::fs::write(&wrong, "another long passphrase").await.unwrap();
    let wrong = wrong.to_str().unwrap();
    place.restore(&path, &["--passphrase-file", wrong]).await.refused(1, "does not open the key");
    place.restore(&path, &[]).await.refused(1, "--passphrase-file, or --without-key");
    assert!(place.is_untouched());
    tokio::fs::write(folder.path().join("short"), "short").await.unwrap();
    let short = folder.path().join("short");
    let arguments = ["backup", "create", "x.tar.zst", "--with-key", "--passphrase-file", short.to_str().unwrap()];
    svc_admin(&server, &arguments).await.refused(1, "at least 12 characters");
    svc_admin(&server, &["backup", "create", "x.tar.zst", "--with-key"]).await.refused(2, "--passphrase-file");
    server.stop().await;
}
