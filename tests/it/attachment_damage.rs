//! Files that are lost or damaged where they are kept: never wrong bytes, and a way back.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::Ordering;

use object_store::{ObjectStoreExt, PutPayload};
use serde_json::json;
use svc_core::Caller;
use svc_core::attachments::ContentHash;
use svc_test_macros::both_engines;

use crate::support::blobs::TestBlobs;
use crate::support::files::{blob, png, read, read_part, upload};
use crate::support::hub::TestHub;
use crate::support::oauth::login;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

/// What becomes of a file.
#[derive(Debug, Clone, Copy)]
enum Harm {
    /// One bit is another, and the file has the time that it had.
    Flipped,
    Shorter,
    Longer,
    Lost,
}

const HARMS: [Harm; 4] = [Harm::Flipped, Harm::Shorter, Harm::Longer, Harm::Lost];

async fn harm(file: &Path, harm: Harm) {
    let mut content = tokio::fs::read(file).await.unwrap();
    let modified = tokio::fs::metadata(file).await.unwrap().modified().unwrap();
    match harm {
        Harm::Flipped => *content.last_mut().unwrap() ^= 1,
        Harm::Shorter => content.truncate(content.len() / 2),
        Harm::Longer => content.push(0),
        Harm::Lost => return tokio::fs::remove_file(file).await.unwrap(),
    }
    let changed = tokio::fs::metadata(file).await.unwrap().ctime_nsec();
    tokio::fs::write(file, content).await.unwrap();
    // The system notes changes by a clock that ticks every few milliseconds.
    until("the change is noted", async || {
        std::fs::File::options().write(true).open(file).unwrap().set_modified(modified).unwrap();
        (tokio::fs::metadata(file).await.unwrap().ctime_nsec() != changed).then_some(())
    })
    .await;
}

async fn metric(server: &TestServer, name: &str) -> Option<String> {
    let text = server.get("/metrics").await.text().await.unwrap();
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned))
}

#[both_engines]
async fn a_damaged_file_is_an_error_of_its_own_until_it_comes_again(server: TestServer) {
    let ann = server.person("ann").await;
    let sound = server.upload(&ann, "sound.txt", b"as it was").await["hash"].as_str().unwrap().to_owned();
    let content = png(300, 200, 7);
    let hash = server.upload(&ann, "picture.png", &content).await["hash"].as_str().unwrap().to_owned();
    let file = blob(&server.hub, &hash.parse().unwrap());
    for harmed in HARMS {
        // Looked at before, so that only the change gives it away.
        assert_eq!(server.fetch(&ann, &hash, "").await.bytes().await.unwrap(), content, "{harmed:?}");
        harm(&file, harmed).await;
        problem(server.fetch(&ann, &hash, "").await, 500, "attachment_damaged").await;
        let part = server.request_as(&ann, reqwest::Method::GET, &format!("/api/attachments/{hash}"));
        let part = part.header("Range", "bytes=2-5").send().await.unwrap();
        problem(part, 500, "attachment_damaged").await;
        problem(server.fetch(&ann, &hash, "/thumbnail").await, 500, "attachment_damaged").await;
        assert_eq!(server.fetch(&ann, &sound, "").await.bytes().await.unwrap(), "as it was");
        let ready = server.get("/readyz").await;
        assert_eq!(ready.status(), 200);
        let ready: serde_json::Value = ready.json().await.unwrap();
        assert_eq!((&ready["status"], &ready["files"]["damaged"]), (&json!("degraded"), &json!(1)), "{ready}");
        assert_eq!(metric(&server, "attachments_damaged").await.as_deref(), Some("1"));
        // The same content again makes it whole.
        server.upload(&ann, "again.png", &content).await;
        assert_eq!(server.fetch(&ann, &hash, "").await.bytes().await.unwrap(), content, "{harmed:?}");
        assert_eq!(metric(&server, "attachments_damaged").await.as_deref(), Some("0"));
    }
    assert_eq!(server.get_json("/readyz").await["status"], "ready");
    server.stop().await;
}

#[both_engines]
async fn a_bucket_is_watched_as_a_directory_is(test: TestHub) {
    let store = TestBlobs::new();
    let hub = test.builder().blobs(store.clone()).open().await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    // Larger than a piece.
    let content = "0123456789".repeat(600_000);
    let hash = upload(&hub, &ann, &content).await.unwrap();
    assert_eq!(read(&hub, &ann, &hash).await.unwrap(), content);
    let place = object_store::path::Path::from_iter([&hash.as_str()[..2], hash.as_str()]);
    for other in [content.replace("90", "91"), content[1..].to_owned(), String::new()] {
        store.objects.put(&place, PutPayload::from(other.into_bytes())).await.unwrap();
        for range in [0..content.len() as u64, 5..9] {
            let error = read_part(&hub, &ann, &hash, range).await.unwrap_err();
            assert_eq!(error.code(), "attachment_damaged");
        }
        assert_eq!(hub.readiness().await.files.unwrap().damaged, 1);
        upload(&hub, &ann, &content).await.unwrap();
        assert_eq!(read(&hub, &ann, &hash).await.unwrap(), content);
    }
    // Bytes that change where nothing tells so are noticed on their way.
    store.rots.store(true, Ordering::SeqCst);
    assert_eq!(read(&hub, &ann, &hash).await.unwrap_err().code(), "attachment_damaged");
    assert_eq!(hub.readiness().await.files.unwrap().damaged, 1);
    store.rots.store(false, Ordering::SeqCst);
    assert_eq!(hub.attachments().check(&Caller::root()).await.unwrap().damaged, 0);
    assert_eq!(hub.readiness().await.files.unwrap().damaged, 0);
    hub.close().await;
}

#[both_engines]
async fn a_store_of_files_that_is_not_there_is_told(server: TestServer) {
    assert_eq!(server.get_json("/readyz").await["files"], json!({ "ok": true, "damaged": 0, "unknown": 0 }));
    assert_eq!(metric(&server, "attachment_store_ok").await.as_deref(), Some("1"));
    let ann = server.person("ann").await;
    let file = server.upload(&ann, "a.txt", b"words").await;
    let hash = file["hash"].as_str().unwrap();
    let (mounted, away) = (server.hub.config().data.join("blobs"), server.hub.config().data.join("away"));
    tokio::fs::rename(&mounted, &away).await.unwrap();
    let told = until("it is noticed", async || {
        let ready = server.get_json("/readyz").await;
        (ready["status"] == "degraded").then_some(ready)
    });
    assert_eq!(told.await["files"]["code"], "file_store_unbound");
    assert_eq!(metric(&server, "attachment_store_ok").await.as_deref(), Some("0"));
    // No file is taken for lost meanwhile.
    problem(server.fetch(&ann, hash, "").await, 503, "file_store_unbound").await;
    tokio::fs::rename(&away, &mounted).await.unwrap();
    until("it is well again", async || (server.get_json("/readyz").await["status"] == "ready").then_some(())).await;
    assert_eq!(server.fetch(&ann, hash, "").await.text().await.unwrap(), "words");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_one_content_comes_to_a_hash() {
    let test = TestHub::sqlite().await;
    let (ann, _) = login(&test.hub, "ann").await;
    let [first, second] = ["the first", "the other"].map(|content| ContentHash::of(content.as_bytes()));
    upload(&test.hub, &ann, "the first").await.unwrap();
    upload(&test.hub, &ann, "the other").await.unwrap();
    // The two are swapped, which no size gives away.
    let (one, other) = (blob(&test.hub, &first), blob(&test.hub, &second));
    let away = test.config.data.join("away");
    for (from, to) in [(&one, &away), (&other, &one), (&away, &other)] {
        tokio::fs::rename(from, to).await.unwrap();
    }
    // Another process has nothing to go by but the files.
    let hub = svc_core::Hub::open(test.config.clone()).await.unwrap();
    for hash in [&first, &second] {
        assert_eq!(read(&hub, &ann, hash).await.unwrap_err().code(), "attachment_damaged");
    }
    assert_eq!(hub.attachments().check(&Caller::root()).await.unwrap().hashes.len(), 2);
    hub.close().await;
}
