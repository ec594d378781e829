//! Attachments that nobody needs any more, and what must never be lost with them: races, failures, crashes.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use svc_core::attachments::{Collected, ContentHash};
use svc_core::messages::NewMessage;
use svc_core::{Caller, Hub, HubConfig, Result, limits};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::blobs::TestBlobs;
use crate::support::child::TestChild;
use crate::support::files::{BOUNDARY, age, arriving, blob, blobs, files_in, form, read, upload, with_form};
use crate::support::hub::TestHub;
use crate::support::oauth::login;
use crate::support::server::TestServer;
use crate::support::wait::{soon, until};

const DAY: Duration = limits::ATTACHMENT_UNUSED;
const A_MOMENT: Duration = Duration::from_secs(1);

async fn attach(hub: &Hub, caller: &Caller, hash: &ContentHash) -> Result<()> {
    let mut message = NewMessage::in_channel("general", "look");
    message.attachments = Some(vec![hash.to_string()]);
    hub.messages().send(caller, message).await.map(drop)
}

/// Every row has its blob, every blob has its row, and nothing is on its way.
async fn assert_sound(test: &TestHub) {
    let rows: Vec<(String,)> = test
        .hub
        .db()
        .read((), |tx, ()| Box::pin(tx.query("SELECT hash FROM attachments ORDER BY hash").fetch_all()))
        .await
        .unwrap();
    let mut kept: Vec<_> =
        blobs(&test.hub).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    kept.sort();
    assert_eq!(rows.into_iter().map(|(hash,)| hash).collect::<Vec<_>>(), kept);
    assert_eq!(test.number("SELECT count(*) FROM attachment_moves").await, 0);
    assert_eq!(arriving(&test.hub).len(), 0);
}

#[both_engines]
async fn a_file_goes_a_day_after_it_was_last_wanted(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let unused = upload(&test.hub, &ann, "unused").await.unwrap();
    let linked = upload(&test.hub, &ann, "linked").await.unwrap();
    let again = upload(&test.hub, &ann, "again").await.unwrap();
    attach(&test.hub, &ann, &linked).await.unwrap();
    test.clock.advance(DAY);
    test.run_worker("attachment_sweep").await;
    assert_eq!(blobs(&test.hub).len(), 3, "not before its time");
    upload(&test.hub, &ann, "again").await.unwrap();
    test.clock.advance(A_MOMENT);
    test.run_worker("attachment_sweep").await;
    assert_eq!(read(&test.hub, &ann, &unused).await.unwrap_err().code(), "not_found");
    assert_eq!(read(&test.hub, &ann, &linked).await.unwrap(), "linked");
    assert_eq!(read(&test.hub, &ann, &again).await.unwrap(), "again");
    assert_sound(&test).await;
    // A message that is gone needs nothing any more.
    test.execute("DELETE FROM messages").await;
    test.clock.advance(DAY * 2);
    let collected = test.hub.attachments().gc(&Caller::root()).await.unwrap();
    assert_eq!(collected, Collected { removed: 2, bytes: 11 });
    assert_eq!(blobs(&test.hub).len(), 0);
    assert_sound(&test).await;
    // And what was removed can come back.
    assert_eq!(upload(&test.hub, &ann, "unused").await.unwrap(), unused);
    assert_eq!(read(&test.hub, &ann, &unused).await.unwrap(), "unused");
}

#[both_engines]
async fn everybody_collects_their_own(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let (bob, _) = login(&test.hub, "bob").await;
    upload(&test.hub, &ann, "of ann").await.unwrap();
    upload(&test.hub, &bob, "of bob").await.unwrap();
    for caller in [&ann, &bob] {
        upload(&test.hub, caller, "of both").await.unwrap();
    }
    let gc = async |caller: &Caller| test.hub.attachments().gc(caller).await.unwrap().removed;
    assert_eq!((gc(&ann).await, gc(&Caller::root()).await), (0, 0));
    test.clock.advance(DAY + A_MOMENT);
    assert_eq!((gc(&ann).await, gc(&ann).await), (1, 0));
    assert_eq!(gc(&Caller::root()).await, 2);
    assert_sound(&test).await;
}

#[both_engines]
async fn a_blob_that_never_got_its_row_is_removed_unless_somebody_is_about_to_write_it(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let kept = upload(&test.hub, &ann, "kept").await.unwrap();
    let places = [b"left 1", b"left 2", b"left 3"].map(|content| blob(&test.hub, &ContentHash::of(content)));
    let draft = places[0].with_extension("#1");
    let draft = draft.with_file_name(format!("{}#1", ContentHash::of(b"left 1")));
    for place in places.iter().chain([&draft]) {
        tokio::fs::create_dir_all(place.parent().unwrap()).await.unwrap();
        tokio::fs::write(place, b"left x").await.unwrap();
    }
    for old in [&places[0], &places[2], &draft, &blob(&test.hub, &kept)] {
        age(old);
    }
    let moving = (ContentHash::of(b"left 3"), test.clock.clone());
    test.hub
        .db()
        .write(moving, |tx, (hash, _)| {
            Box::pin(async move {
                let until = tx.now().plus(limits::BLOB_MOVE);
                tx.query(
                    "INSERT INTO attachment_moves (hash, direction, holder, expires_at) VALUES ($1, 'in', 'other', $2)",
                )
                .bind(hash.as_str())
                .bind(until)
                .execute()
                .await
            })
        })
        .await
        .unwrap();
    test.run_worker("attachment_sweep").await;
    let there = |place: &Path| place.exists();
    assert!(!there(&places[0]) && !there(&draft), "old and nobody's");
    assert!(there(&places[1]), "too young");
    assert!(there(&places[2]), "somebody is storing it");
    assert!(there(&blob(&test.hub, &kept)));
    // Whoever was storing it has died.
    test.clock.advance(limits::BLOB_MOVE);
    assert_eq!(test.hub.attachments().gc(&Caller::root()).await.unwrap().removed, 1);
    assert!(!there(&places[2]) && there(&places[1]));
    assert_eq!(test.number("SELECT count(*) FROM attachment_moves").await, 0);
}

#[both_engines]
async fn an_upload_waits_for_a_removal_and_not_for_an_upload(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let register = async |content: &str, direction: &'static str, lasts: Duration| {
        let unit = (ContentHash::of(content.as_bytes()), direction, lasts);
        test.hub.db().write(unit, |tx, (hash, direction, lasts)| Box::pin(async move {
            let until = tx.now().plus(*lasts);
            tx.query("INSERT INTO attachment_moves (hash, direction, holder, expires_at) VALUES ($1, $2, 'dead', $3)")
                .bind(hash.as_str()).bind(*direction).bind(until).execute().await
        })).await.unwrap();
    };
    // A process died while it stored the same content: the clock stands still, and nobody waits for it.
    register("stored", "in", limits::BLOB_MOVE).await;
    let hash = soon("the upload", upload(&test.hub, &ann, "stored")).await.unwrap();
    assert_eq!(read(&test.hub, &ann, &hash).await.unwrap(), "stored");
    // One died while it removed it: that takes a moment, and then it is believed to be dead.
    register("removed", "out", limits::BLOB_REMOVAL).await;
    let (hub, caller) = (test.hub.clone(), ann.clone());
    let uploading = tokio::spawn(async move { upload(&hub, &caller, "removed").await });
    until("the file has arrived", async || (arriving(&test.hub).len() == 1).then_some(())).await;
    assert!(!uploading.is_finished());
    test.clock.advance(limits::BLOB_REMOVAL);
    let hash = uploading.await.unwrap().unwrap();
    assert_eq!(read(&test.hub, &ann, &hash).await.unwrap(), "removed");
    assert_sound(&test).await;
}

#[both_engines]
async fn an_upload_that_hangs_does_not_keep_others_from_storing_the_same(test: TestHub) {
    let store = TestBlobs::new();
    let hub = test.builder().blobs(store.clone()).open().await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    store.hangs.store(true, Ordering::SeqCst);
    let (held, caller) = (hub.clone(), ann.clone());
    let uploading = tokio::spawn(async move { upload(&held, &caller, "the same").await });
    let begun = async || (test.number("SELECT count(*) FROM attachment_moves").await == 1).then_some(());
    until("the first one stores it", begun).await;
    // Its client goes away, and comes again.
    uploading.abort();
    store.hangs.store(false, Ordering::SeqCst);
    let hash = soon("the upload", upload(&hub, &ann, "the same")).await.unwrap();
    assert_eq!(read(&hub, &ann, &hash).await.unwrap(), "the same");
    assert_eq!(test.number("SELECT count(*) FROM attachment_moves").await, 0);
    hub.close().await;
}

#[both_engines]
async fn nothing_that_was_acknowledged_is_swept_away(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let (bob, _) = login(&test.hub, "bob").await;
    let other = test.another().await;
    for round in 0..6 {
        let contents: Vec<String> = (0..16).map(|number| format!("round {round} content {number}")).collect();
        for content in &contents {
            upload(&test.hub, &ann, content).await.unwrap();
        }
        test.clock.advance(DAY + A_MOMENT);
        // All at once: removing, uploading again, linking, through two hubs.
        let mut tasks = tokio::task::JoinSet::new();
        for hub in [&test.hub, &other, &test.hub] {
            let hub = hub.clone();
            tasks.spawn(async move {
                hub.attachments().gc(&Caller::root()).await.unwrap();
                None
            });
        }
        for (number, content) in contents.into_iter().enumerate() {
            let hub = if number % 3 == 0 { other.clone() } else { test.hub.clone() };
            let (ann, bob) = (ann.clone(), bob.clone());
            tasks.spawn(async move {
                if number % 2 == 0 {
                    return Some((upload(&hub, &bob, &content).await.unwrap(), bob));
                }
                let hash = ContentHash::of(content.as_bytes());
                match attach(&hub, &ann, &hash).await {
                    Ok(()) => Some((hash, bob)),
                    Err(error) => {
                        assert_eq!(error.fields()[0].field, "attachments[0]");
                        None
                    }
                }
            });
        }
        for (hash, reader) in tasks.join_all().await.into_iter().flatten() {
            assert!(read(&test.hub, &reader, &hash).await.unwrap().starts_with(&format!("round {round}")));
        }
        assert_sound(&test).await;
    }
    other.close().await;
}

#[both_engines]
async fn a_client_that_breaks_off_leaves_nothing(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "scribe").await;
    for sent in [0, 10, 100_000] {
        let mut stream = begin_upload(&test.address.to_string(), &key, sent);
        until("it arrives", async || (!arriving(&test.hub).is_empty()).then_some(())).await;
        stream.flush().unwrap();
        drop(stream);
        until("it is gone", async || arriving(&test.hub).is_empty().then_some(())).await;
    }
    assert_eq!(blobs(&test.hub).len(), 0);
    test.stop().await;
}

/// Sends the head of a form and this much of its file, of more that is announced.
fn begin_upload(address: &str, key: &str, sent: usize) -> TcpStream {
    let mut stream = TcpStream::connect(address.trim_start_matches("http://")).unwrap();
    let whole = form("a.txt", &vec![b'a'; 1_000_000]);
    let head = whole.iter().position(|byte| *byte == b'a').unwrap().max(whole.len() - 1_000_100);
    let request = format!(
        "POST /api/attachments HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {}\r\n\r\n",
        whole.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream.write_all(&whole[..head + 200 + sent]).unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_during_an_upload_cleans_up_when_it_starts_again() {
    let data = TempDir::new().unwrap();
    let hub = Hub::open(HubConfig { bcrypt_cost: 4, ..HubConfig::at(data.path()) }).await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    let new = svc_core::agents::NewAgent {
        name: "scribe".parse().unwrap(),
        owner: None,
        settings: svc_core::agents::AgentSettings::default(),
    };
    let key = hub.agents().create(&ann, new).await.unwrap().key;
    hub.close().await;
    let (uploads, kept) = (data.path().join("uploads"), data.path().join("blobs"));
    let directory = data.path().display().to_string();
    let arguments = ["--data", &directory, "--listen", "127.0.0.1:0"];
    let (server, address) = TestChild::server(&arguments);
    let mut stream = begin_upload(&address, &key, 300_000);
    until("it arrives", async || (!files_in(&uploads).is_empty()).then_some(())).await;
    server.kill();
    drop(stream.read_to_end(&mut Vec::new()));
    assert_eq!(files_in(&uploads).len(), 1, "nobody was there to remove it");
    let (server, address) = TestChild::server(&arguments);
    // Only the name of the hub is there.
    assert_eq!((files_in(&uploads).len(), files_in(&kept).len()), (0, 1));
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let client = reqwest::Client::new();
    let request = client.request(Method::POST, format!("{address}/api/attachments")).bearer_auth(&key);
    let answer = with_form(request, form("a.txt", b"whole this time")).send().await.unwrap();
    assert_eq!(answer.status(), 201);
    let hash = answer.json::<Value>().await.unwrap()["hash"].as_str().unwrap().to_owned();
    // What was acknowledged is there after a kill.
    server.kill();
    let hub = Hub::open(HubConfig { bcrypt_cost: 4, ..HubConfig::at(data.path()) }).await.unwrap();
    let caller = hub.auth().bearer(&key).await.unwrap();
    assert_eq!(read(&hub, &caller, &hash.parse().unwrap()).await.unwrap(), "whole this time");
    hub.close().await;
}

#[both_engines]
async fn a_store_of_files_that_fails_for_a_while_loses_nothing(test: TestHub) {
    let store = TestBlobs::new();
    store.fails.store(true, Ordering::SeqCst);
    let hub = test.builder().blobs(store.clone()).open().await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    assert_eq!(upload(&hub, &ann, "words").await.unwrap_err().code(), "blob_store_unavailable");
    assert_eq!(test.number("SELECT count(*) FROM attachments").await, 0);
    assert_eq!(test.number("SELECT count(*) FROM attachment_moves").await, 0);
    assert_eq!(arriving(&hub).len(), 0);
    store.fails.store(false, Ordering::SeqCst);
    let hash = upload(&hub, &ann, "words").await.unwrap();
    assert_eq!(read(&hub, &ann, &hash).await.unwrap(), "words");
    // Larger than a part, so that it is sent in several.
    let large = "0123456789".repeat(1_200_000);
    let many = upload(&hub, &ann, &large).await.unwrap();
    assert_eq!(read(&hub, &ann, &many).await.unwrap(), large);
    test.clock.advance(DAY + A_MOMENT);
    store.fails.store(true, Ordering::SeqCst);
    assert!(hub.attachments().gc(&Caller::root()).await.is_err());
    store.fails.store(false, Ordering::SeqCst);
    // The removal that was begun may still be on its way, so its file has to wait for its time.
    test.clock.advance(limits::BLOB_MOVE);
    hub.attachments().gc(&Caller::root()).await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM attachments").await, 0);
    assert_eq!(upload(&hub, &ann, "words").await.unwrap(), hash);
    assert_eq!(read(&hub, &ann, &hash).await.unwrap(), "words");
    hub.close().await;
}

#[tokio::test]
async fn a_bad_address_of_a_bucket_is_told_at_the_start() {
    for url in ["files", "http://files", "s3://", "s3://Not A Bucket"] {
        let data = TempDir::new().unwrap();
        let config = HubConfig { blob_url: Some(url.into()), ..HubConfig::at(data.path()) };
        let Err(error) = Hub::open(config).await else { panic!("{url} is a bucket") };
        assert_eq!(error.fields()[0].field, "blob_url", "{url}");
    }
    let data = TempDir::new().unwrap();
    let directory = data.path().display().to_string();
    let (code, text) = TestChild::run("svc-http", &["--data", &directory, "--blob-url", "ftp://files"]);
    assert!(code == 2 && text.contains("--blob-url must be s3://BUCKET"), "{code} {text}");
}
