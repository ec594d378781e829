//! Damaged files and damaged archives, as whoever runs the server sees them on the command line.

use serde_json::json;
use svc_core::attachments::ContentHash;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::files::{age, arriving, blob, blobs};
use crate::support::server::TestServer;

/// Changes one letter of a file.
async fn change(path: &std::path::Path, at: usize) {
    let mut content = tokio::fs::read(path).await.unwrap();
    content[at] ^= 0x55;
    tokio::fs::write(path, content).await.unwrap();
}

#[both_engines]
async fn damaged_files_are_named_left_out_and_repaired(server: TestServer) {
    let ann = server.person("ann").await;
    let mut hashes = Vec::new();
    for number in 0..4 {
        let content = format!("content {number}");
        server.upload(&ann, "a.txt", content.as_bytes()).await;
        hashes.push(ContentHash::of(content.as_bytes()));
    }
    let folder = tempfile::TempDir::new().unwrap();
    let (good, partial) = (folder.path().join("good.tar.gz"), folder.path().join("partial.tar.gz"));
    let (good, partial) = (good.to_str().unwrap(), partial.to_str().unwrap());
    svc_admin(&server, &["attachments", "backup", good]).await.worked();
    assert!(svc_admin(&server, &["db", "check"]).await.worked().contains("files: 4"));
    change(&blob(&server.hub, &hashes[1]), 3).await;
    tokio::fs::remove_file(blob(&server.hub, &hashes[2])).await.unwrap();

    let checked = svc_admin(&server, &["db", "check"]).await;
    assert_eq!(checked.code, 1, "{checked:?}");
    for (hash, told) in hashes.iter().zip([false, true, true, false]) {
        assert_eq!(checked.stdout.contains(hash.as_str()), told, "{checked:?}");
    }
    let status = svc_admin(&server, &["status"]).await.worked();
    assert!(status.contains("Lost or damaged: 2"), "{status}");
    let written = svc_admin(&server, &["attachments", "backup", partial]).await;
    assert_eq!(written.code, 1, "{written:?}");
    assert!(written.stdout.starts_with("Wrote 2 files"), "{written:?}");
    for hash in &hashes[1..3] {
        assert!(written.stderr.contains(hash.as_str()), "{written:?}");
    }
    let listed = svc_admin(&server, &["attachments", "backup", partial, "--output", "json"]).await;
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!((&listed["attachments"], listed["damaged"].as_array().unwrap().len()), (&json!(2), 2));

    // What is in the archive repairs nothing that is not in it, and the whole one repairs everything.
    assert!(svc_admin(&server, &["attachments", "restore", partial]).await.worked().starts_with("Nothing was missing"));
    let repaired = svc_admin(&server, &["attachments", "restore", good]).await.worked();
    assert!(repaired.starts_with("Restored 2 files"), "{repaired}");
    for (number, hash) in hashes.iter().enumerate() {
        let fetched = server.fetch(&ann, hash.as_str(), "").await.text().await.unwrap();
        assert_eq!(fetched, format!("content {number}"));
    }
    svc_admin(&server, &["db", "check"]).await.worked();
    server.stop().await;
}

#[both_engines]
async fn many_unknown_files_are_removed_when_it_is_meant(server: TestServer) {
    let ann = server.person("ann").await;
    for number in 0..3 {
        let content = format!("content {number}");
        server.upload(&ann, "a.txt", content.as_bytes()).await;
        age(&blob(&server.hub, &ContentHash::of(content.as_bytes())));
    }
    let deleted = server.hub.db().write((), |tx, ()| Box::pin(tx.query("DELETE FROM attachments").execute()));
    deleted.await.unwrap();
    svc_admin(&server, &["attachments", "gc"]).await.refused(1, "3 of 3 files are not known");
    assert_eq!(blobs(&server.hub).len(), 3);
    assert!(svc_admin(&server, &["status"]).await.worked().contains("Not known to the database"));
    let told = svc_admin(&server, &["attachments", "gc", "--force"]).await.worked();
    assert!(told.starts_with("Removed 3 files"), "{told}");
    assert_eq!(blobs(&server.hub).len(), 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_damaged_archive_all_that_is_good_is_restored() {
    let server = TestServer::sqlite().await;
    let ann = server.person("ann").await;
    let mut state = 1_u32;
    for _ in 0..3 {
        // Letters without a pattern, so that the three take about the same part of the archive.
        let content: String = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b' ' + u8::try_from((state >> 24) % 91).unwrap())
        })
        .take(20_000)
        .collect();
        server.upload(&ann, "a.txt", content.as_bytes()).await;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("files.tar.gz");
    svc_admin(&server, &["attachments", "backup", path.to_str().unwrap()]).await.worked();
    server.stop().await;
    let whole = tokio::fs::read(&path).await.unwrap();
    let damaged = folder.path().join("damaged.tar.gz");
    let shown = damaged.to_str().unwrap();

    // Of one that was cut, what came before the cut is taken.
    let other = TestServer::sqlite().await;
    other.person("ann").await;
    for (kept, restored) in [(whole.len() / 2, 1..=2), (whole.len() - 4, 3..=3)] {
        tokio::fs::write(&damaged, &whole[..kept]).await.unwrap();
        let ran = svc_admin(&other, &["attachments", "restore", shown, "--output", "json"]).await;
        assert_eq!(ran.code, 1, "{ran:?}");
        let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert!(told["broken"].is_string(), "{told}");
        assert!(restored.contains(&blobs(&other.hub).len()), "{told}");
    }
    let people = svc_admin(&other, &["attachments", "restore", shown]).await;
    assert!(people.code == 1 && people.stderr.contains("Not restored"), "{people:?}");
    other.stop().await;

    // What is none, or has nothing that is good, restores nothing.
    let other = TestServer::sqlite().await;
    for content in [&whole[..40], b"no archive", b""] {
        tokio::fs::write(&damaged, content).await.unwrap();
        let told = svc_admin(&other, &["attachments", "restore", shown]).await.refused(1, "damaged.tar.gz");
        assert!(told.contains("nothing was restored"), "{told}");
    }
    let missing = folder.path().join("missing.tar.gz");
    svc_admin(&other, &["attachments", "restore", missing.to_str().unwrap()]).await.refused(1, "cannot be read");
    let nowhere = folder.path().join("none").join("files.tar.gz");
    svc_admin(&other, &["attachments", "backup", nowhere.to_str().unwrap()]).await.refused(1, "cannot be written to");
    assert_eq!((arriving(&other.hub).len(), blobs(&other.hub).len()), (0, 0));
    other.stop().await;
}
