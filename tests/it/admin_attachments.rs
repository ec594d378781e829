//! `svc-admin attachments`, against the server as it is shipped.

use std::time::Duration;

use serde_json::json;
use svc_core::attachments::ContentHash;
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::files::{arriving, blob, blobs, png};
use crate::support::server::TestServer;

#[both_engines]
async fn files_are_listed_and_collected(server: TestServer) {
    let nothing = svc_admin(&server, &["attachments", "list"]).await;
    assert!(nothing.stderr.contains("No attachments yet"), "{nothing:?}");
    let ann = server.person("ann").await;
    let file = server.upload(&ann, "notes.md", b"# Notes").await;
    let linked = server.upload(&ann, "linked.md", b"# Linked").await;
    server.say(&ann, json!({ "channel": "general", "body": "b", "attachments": [linked["hash"]] })).await;
    let listed = svc_admin(&server, &["attachments", "list", "--output", "json"]).await.json();
    assert_eq!((&listed["total"], &listed["bytes"]), (&json!(2), &json!(15)));
    let messages: Vec<_> =
        listed["attachments"].as_array().unwrap().iter().map(|file| file["messages"].as_u64().unwrap()).collect();
    assert_eq!(messages.iter().sum::<u64>(), 1);
    let table = svc_admin(&server, &["attachments", "list"]).await.worked();
    for words in ["notes.md", "ann", "text/markdown", "7 bytes", file["hash"].as_str().unwrap()] {
        assert!(table.contains(words), "{words} is not in {table}");
    }
    assert!(svc_admin(&server, &["attachments", "gc"]).await.worked().contains("No unreferenced attachments"));
    server.clock.advance(limits::ATTACHMENT_UNUSED + Duration::from_secs(1));
    assert_eq!(svc_admin(&server, &["attachments", "gc"]).await.worked(), "Removed 1 file, 7 bytes.\n");
    let again = svc_admin(&server, &["attachments", "gc", "--output", "json"]).await.json();
    assert_eq!(again, json!({ "removed": 0, "bytes": 0 }));
    assert_eq!(blobs(&server.hub).len(), 1);
    server.stop().await;
}

#[both_engines]
async fn an_archive_brings_files_back_elsewhere(server: TestServer) {
    let ann = server.person("ann").await;
    let key = server.create_agent(&ann, "scribe").await;
    let picture = png(40, 40, 5);
    // Larger than a piece, so that it goes over the socket in several.
    let large: Vec<u8> = (0..200_000_u32).flat_map(|number| format!("{number},").into_bytes()).collect();
    server.upload(&ann, "picture.png", &picture).await;
    server.upload_with(&key, "large.csv", &large).await;
    server.upload(&ann, "große Zahlen.csv", &large).await;
    let folder = tempfile::TempDir::new().unwrap();
    let archive = folder.path().join("files.tar.gz");
    let path = archive.to_str().unwrap();
    let written = svc_admin(&server, &["attachments", "backup", path, "--output", "json"]).await.json();
    assert_eq!(
        (&written["attachments"], &written["bytes"], &written["missing"]),
        (&json!(2), &json!(picture.len() + large.len()), &json!(0))
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");

    let there = svc_admin(&server, &["attachments", "restore", path]).await.worked();
    assert_eq!(there, "Nothing was missing: 2 files of the archive were there.\n");
    // Its rows are there and a blob is lost, as after a restore of the store alone.
    tokio::fs::remove_file(blob(&server.hub, &ContentHash::of(&large))).await.unwrap();
    let repaired = svc_admin(&server, &["attachments", "restore", path]).await.worked();
    assert!(repaired.starts_with("Restored 1 file") && repaired.contains("1 file were there already"), "{repaired}");
    server.stop().await;

    let other = TestServer::sqlite().await;
    let ann = other.person("ann").await;
    let restored = svc_admin(&other, &["attachments", "restore", path, "--output", "json"]).await.json();
    assert_eq!((&restored["stored"], &restored["present"]), (&json!(2), &json!(0)));
    let hash = ContentHash::of(&large).to_string();
    assert_eq!(other.fetch(&ann, &hash, "").await.bytes().await.unwrap(), large);
    let meta = other.look(&ann, &format!("/api/attachments/{hash}/meta")).await;
    assert_eq!((&meta["filename"], &meta["mime_type"]), (&json!("große Zahlen.csv"), &json!("text/csv")));
    assert_eq!(other.fetch(&ann, ContentHash::of(&picture).as_str(), "/thumbnail").await.status(), 200);
    assert_eq!((arriving(&other.hub).len(), blobs(&other.hub).len()), (0, 2));
    other.stop().await;
}
