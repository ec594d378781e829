//! Attachments: files that are uploaded, sent along, fetched by those who may.

use futures_util::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::attachments::ContentHash;
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::files::{arriving, blobs, form, png, with_form};
use crate::support::server::{TestServer, problem};
use crate::support::traces::breaks_off;
use crate::support::wait::soon;

#[both_engines]
async fn a_file_is_read_by_its_uploader_and_by_those_who_see_its_message(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let content = png(30, 20, 1);
    let file = test.upload(&ann, "chart.png", &content).await;
    let hash = ContentHash::of(&content).to_string();
    let expected = json!({
        "hash": hash, "filename": "chart.png", "size": content.len(), "mime_type": "image/png", "is_image": true,
    });
    assert_eq!(file, expected);
    assert_eq!(test.look(&ann, &format!("/api/attachments/{hash}/meta")).await, expected);
    assert_eq!(test.fetch(&ann, &hash, "").await.bytes().await.unwrap(), content);
    for stranger in [&bob, &eve] {
        for more in ["", "/meta", "/thumbnail"] {
            problem(test.fetch(stranger, &hash, more).await, 404, "not_found").await;
        }
    }
    let sent = test.say(&ann, json!({ "to": "bob", "body": "look", "attachments": [hash] })).await;
    assert_eq!(sent["attachments"], json!([expected]));
    assert_eq!(test.look(&bob, &format!("/api/messages/{}", sent["id"])).await["attachments"], json!([expected]));
    assert_eq!(test.look(&bob, "/api/messages").await["messages"][0]["attachments"], json!([expected]));
    assert_eq!(test.fetch(&bob, &hash, "").await.bytes().await.unwrap(), content);
    problem(test.fetch(&eve, &hash, "").await, 404, "not_found").await;
    // Whoever sees it can pass it on, under the name that they know.
    test.say(&bob, json!({ "channel": "general", "body": "all", "attachments": [hash] })).await;
    assert_eq!(test.look(&eve, &format!("/api/attachments/{hash}/meta")).await["filename"], "chart.png");
    test.stop().await;
}

#[both_engines]
async fn a_file_that_cannot_be_read_to_its_end_breaks_off(test: TestServer) {
    let ann = test.person("ann").await;
    // More than the buffers between the server and a reader that does not read can hold.
    let content = "a line of text\n".repeat(2 << 20);
    let file = test.upload(&ann, "long.txt", content.as_bytes()).await;
    let mut body = test.fetch(&ann, file["hash"].as_str().unwrap(), "").await.bytes_stream();
    soon("the beginning", body.next()).await.unwrap().unwrap();
    let blob = tokio::fs::OpenOptions::new().write(true).open(&blobs(&test.hub)[0]).await.unwrap();
    blob.set_len(100_000).await.unwrap();
    assert!(breaks_off(&mut body).await, "it looks complete");
    test.stop().await;
}

#[both_engines]
async fn the_same_content_is_to_each_what_they_call_it(test: TestServer) {
    let (ann, eve) = (test.person("ann").await, test.person("eve").await);
    test.person("bob").await;
    let content = b"name,colour\nsky,blue\n";
    let first = test.upload(&ann, "colours.csv", content).await;
    // Nothing that the second one is told differs from what they would be told of a new content.
    let second = test.upload(&eve, "notes.md", content).await;
    let hash = first["hash"].as_str().unwrap();
    assert_eq!((&first["mime_type"], &second["mime_type"]), (&json!("text/csv"), &json!("text/markdown")));
    assert_eq!(test.look(&eve, &format!("/api/attachments/{hash}/meta")).await, second);
    assert_eq!(test.look(&ann, &format!("/api/attachments/{hash}/meta")).await, first);
    let served = test.fetch(&eve, hash, "").await;
    assert!(served.headers()["content-type"].to_str().unwrap().starts_with("text/markdown"), "{served:?}");
    for (person, file) in [(&ann, &first), (&eve, &second)] {
        let sent = test.say(person, json!({ "to": "bob", "body": "look", "attachments": [hash] })).await;
        assert_eq!(sent["attachments"], json!([file]));
        assert_eq!(test.look(person, &format!("/api/messages/{}", sent["id"])).await["attachments"], json!([file]));
    }
    test.stop().await;
}

#[both_engines]
async fn an_agents_file_is_its_owners_too_and_not_the_other_way_round(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "scribe").await;
    let agents = test.upload_with(&key, "notes.md", b"# From the agent").await;
    let own = test.upload(&ann, "own.md", b"# From its owner").await;
    let hash = |file: &Value| file["hash"].as_str().unwrap().to_owned();
    assert_eq!(test.fetch(&ann, &hash(&agents), "").await.text().await.unwrap(), "# From the agent");
    problem(test.fetch(&bob, &hash(&agents), "").await, 404, "not_found").await;
    let path = format!("/api/attachments/{}", hash(&own));
    problem(test.request_with(&key, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    test.say(&ann, json!({ "to": "bob", "body": "b", "attachments": [hash(&agents)] })).await;
    assert_eq!(test.fetch(&bob, &hash(&agents), "").await.status(), 200);
    // A limited key sees what its channels show, besides its owner's own files.
    let limited = json!({ "name": "k", "permissions": ["read"], "allowed_channels": ["other"] });
    let channel = json!({ "channel": "general", "body": "b", "attachments": [hash(&own)] });
    test.say(&ann, channel).await;
    test.hub
        .db()
        .write((), |tx, ()| {
            Box::pin(async move {
                tx.query(
                    "INSERT INTO channels (name, description, public, owner_id, created_at)
                  SELECT 'other', '', TRUE, min(id), 0 FROM users",
                )
                .execute()
                .await
            })
        })
        .await
        .unwrap();
    let (_, limited) = test.create_key(&bob, limited).await;
    assert_eq!(test.fetch(&bob, &hash(&own), "").await.status(), 200);
    for file in [&own, &agents] {
        let path = format!("/api/attachments/{}", hash(file));
        problem(test.request_with(&limited, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    }
    test.stop().await;
}

#[both_engines]
async fn only_files_that_one_has_can_be_attached(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let hash = test.upload(&ann, "a.txt", b"mine").await["hash"].as_str().unwrap().to_owned();
    let unknown = ContentHash::of(b"nothing").to_string();
    let many: Vec<_> =
        (0..=limits::ATTACHMENTS_PER_MESSAGE).map(|n| ContentHash::of(&n.to_be_bytes()).to_string()).collect();
    for (person, attachments, field) in [
        (&bob, json!([hash]), "attachments[0]"),
        (&ann, json!([hash, unknown]), "attachments[1]"),
        (&ann, json!([hash, hash]), "attachments[1]"),
        (&ann, json!(["../../etc/passwd"]), "attachments[0]"),
        (&ann, json!(many), "attachments"),
    ] {
        let to = if person.username == "ann" { "bob" } else { "ann" };
        let message = json!({ "to": to, "body": "b", "attachments": attachments });
        let answer = test.request_as(person, Method::POST, "/api/messages").json(&message).send().await.unwrap();
        assert_eq!(problem(answer, 400, "validation_failed").await["errors"][0]["field"], field);
    }
    assert_eq!(test.look(&bob, "/api/messages").await["messages"], json!([]));
    test.stop().await;
}

#[both_engines]
async fn the_same_content_is_stored_once_whoever_sends_it(test: TestServer) {
    let mut people = Vec::new();
    for number in 0..12 {
        people.push(test.person(&format!("person_{number}")).await);
    }
    let content = vec![b'x'; 300_000];
    let uploads = people.iter().enumerate().map(|(number, person)| {
        let (test, content) = (&test, &content);
        async move { test.upload(person, &format!("{number}.txt"), content).await }
    });
    let answers = futures_util::future::join_all(uploads).await;
    assert!(answers.iter().all(|answer| answer["hash"] == answers[0]["hash"]));
    assert_eq!((blobs(&test.hub).len(), arriving(&test.hub).len()), (1, 0));
    for (number, person) in people.iter().enumerate() {
        let meta = test.look(person, &format!("/api/attachments/{}/meta", answers[0]["hash"].as_str().unwrap())).await;
        assert_eq!(meta["filename"], format!("{number}.txt"), "everybody keeps their own name for it");
    }
    let again = test.upload(&people[0], "renamed.txt", &content).await;
    assert_eq!((&again["hash"], &again["filename"]), (&answers[0]["hash"], &json!("renamed.txt")));
    test.stop().await;
}

#[both_engines]
async fn types_are_told_by_bytes_then_names(test: TestServer) {
    let ann = test.person("ann").await;
    let picture = png(2, 2, 9);
    for (name, content, mime_type) in [
        ("wrong.txt", &picture[..], "image/png"),
        ("wrong.png", b"plain words", "text/plain"),
        ("polyglot.html", b"GIF89a/*<script>alert(1)</script>*/", "image/gif"),
        ("page.png", b"<!doctype html><script>alert(1)</script>", "text/html"),
        ("drawing.txt", b"<svg onload='alert(1)'/>", "image/svg+xml"),
        ("data.json", b"{}", "application/json"),
        ("script.js", b"alert(1)", "text/plain"),
    ] {
        assert_eq!(test.upload(&ann, name, content).await["mime_type"], mime_type, "{name}");
    }
    let before = blobs(&test.hub).len();
    for (name, content) in [
        ("picture.png", &b"MZ\x90\0\x03"[..]),
        ("notes.txt", b"nul \0 inside"),
        ("notes.txt", b"caf\xe9"),
        ("a.zip", b"PK\x03\x04\0\0"),
    ] {
        problem(test.try_upload(&ann, name, content).await, 415, "type_not_allowed").await;
    }
    assert_eq!((blobs(&test.hub).len(), arriving(&test.hub).len()), (before, 0));
    test.stop().await;
}

#[both_engines]
async fn hostile_names_are_made_harmless(test: TestServer) {
    let ann = test.person("ann").await;
    for (number, (sent, kept)) in [
        ("../../etc/passwd", "passwd".to_owned()),
        ("..", "file".to_owned()),
        ("say \"hi\".txt", "say \"hi\".txt".to_owned()),
        ("say %22hi%22.txt", "say \"hi\".txt".to_owned()),
        ("invoice\u{202e}fdp.txt", "invoicefdp.txt".to_owned()),
        ("naïve ☃.txt", "naïve ☃.txt".to_owned()),
        (&format!("{}.md", "x".repeat(300)), format!("{}.md", "x".repeat(252))),
    ]
    .into_iter()
    .enumerate()
    {
        let file = test.upload(&ann, sent, format!("content {number}").as_bytes()).await;
        assert_eq!(file["filename"], kept, "{sent}");
        let answer = test.fetch(&ann, file["hash"].as_str().unwrap(), "").await;
        let disposition = answer.headers()["content-disposition"].to_str().unwrap();
        assert!(
            disposition.starts_with("inline; filename=\"") && disposition.matches('"').count() == 2,
            "{disposition}"
        );
        assert_eq!(disposition.contains("filename*=UTF-8''"), kept.contains(['"', '☃']), "{disposition}");
    }
    test.stop().await;
}

#[both_engines]
async fn a_part_can_be_fetched_and_what_one_has_is_not_sent_again(test: TestServer) {
    let ann = test.person("ann").await;
    let content: Vec<u8> = (0..200_000_u32).flat_map(|n| format!("{n}\n").into_bytes()).collect();
    let file = test.upload(&ann, "numbers.log", &content).await;
    let path = format!("/api/attachments/{}", file["hash"].as_str().unwrap());
    let tag = format!("\"{}\"", file["hash"].as_str().unwrap());
    let get = |name: &'static str, value: String| test.request_as(&ann, Method::GET, &path).header(name, value).send();
    let size = content.len();
    for (range, start, end) in [
        ("bytes=0-0".to_owned(), 0, 1),
        ("bytes=1000-1999".to_owned(), 1000, 2000),
        (format!("bytes={}-", size - 5), size - 5, size),
        ("bytes=-70000".to_owned(), size - 70_000, size),
    ] {
        let answer = get("Range", range.clone()).await.unwrap();
        assert_eq!(answer.status(), 206, "{range}");
        assert_eq!(answer.headers()["content-range"], format!("bytes {start}-{}/{size}", end - 1));
        assert_eq!(answer.headers()["content-length"], (end - start).to_string());
        assert_eq!(answer.bytes().await.unwrap(), &content[start..end], "{range}");
    }
    let nowhere = get("Range", format!("bytes={size}-")).await.unwrap();
    assert_eq!(nowhere.headers()["content-range"], format!("bytes */{size}"));
    problem(nowhere, 416, "range_not_satisfiable").await;
    // Several ranges and other units are answered with the whole.
    for range in ["bytes=0-1,3-4", "lines=1-2"] {
        assert_eq!(get("Range", range.into()).await.unwrap().bytes().await.unwrap(), content);
    }
    let stale = test.request_as(&ann, Method::GET, &path).header("Range", "bytes=0-1").header("If-Range", "\"other\"");
    assert_eq!(stale.send().await.unwrap().status(), 200);
    let same = test.request_as(&ann, Method::GET, &path).header("Range", "bytes=0-1").header("If-Range", &tag);
    assert_eq!(same.send().await.unwrap().status(), 206);

    let whole = test.request_as(&ann, Method::GET, &path).header("Accept-Encoding", "gzip").send().await.unwrap();
    let headers = whole.headers();
    assert_eq!(
        (headers["etag"].to_str().unwrap(), headers["accept-ranges"].to_str().unwrap()),
        (tag.as_str(), "bytes")
    );
    assert_eq!(headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert!(
        headers["cache-control"].to_str().unwrap().contains("private") && !headers.contains_key("content-encoding")
    );
    assert_eq!(whole.bytes().await.unwrap(), content);
    for tags in [tag.clone(), format!("W/{tag}"), format!("\"a\", {tag}"), "*".to_owned()] {
        let had = get("If-None-Match", tags).await.unwrap();
        assert_eq!((had.status().as_u16(), had.headers()["etag"].to_str().unwrap()), (304, tag.as_str()));
    }
    assert_eq!(get("If-None-Match", "\"other\"".into()).await.unwrap().status(), 200);
    let head = test.request_as(&ann, Method::HEAD, &path).send().await.unwrap();
    assert_eq!(
        (head.status().as_u16(), head.headers()["content-length"].to_str().unwrap()),
        (200, size.to_string().as_str())
    );
    assert!(head.bytes().await.unwrap().is_empty());
    test.stop().await;
}

#[both_engines]
async fn what_could_run_in_a_browser_is_saved_and_sandboxed(test: TestServer) {
    let ann = test.person("ann").await;
    for (name, content, shown) in [
        ("a.html", &b"<html><script>alert(1)</script>"[..], false),
        ("a.svg", b"<svg onload='alert(1)'/>", false),
        ("a.xml", b"<?xml version='1.0'?><a/>", false),
        ("a.json", b"{}", false),
        ("a.pdf", b"%PDF-1.7\n", true),
        ("a.md", b"# hi", true),
    ] {
        let file = test.upload(&ann, name, content).await;
        let answer = test.fetch(&ann, file["hash"].as_str().unwrap(), "").await;
        let headers = answer.headers();
        let disposition = headers["content-disposition"].to_str().unwrap();
        assert_eq!(disposition, format!("{}; filename=\"{name}\"", if shown { "inline" } else { "attachment" }));
        assert_eq!(headers["content-security-policy"].to_str().unwrap().contains("sandbox"), !shown, "{name}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
    test.stop().await;
}

#[both_engines]
async fn pictures_have_small_pictures(test: TestServer) {
    let ann = test.person("ann").await;
    let file = test.upload(&ann, "large.png", &png(1500, 900, 7)).await;
    let hash = file["hash"].as_str().unwrap();
    let small = test.fetch(&ann, hash, "/thumbnail").await;
    assert_eq!((small.status().as_u16(), small.headers()["content-type"].to_str().unwrap()), (200, "image/jpeg"));
    let tag = small.headers()["etag"].clone();
    let picture = image::load_from_memory(&small.bytes().await.unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (512, 307));
    let path = format!("/api/attachments/{hash}/thumbnail");
    let again = test.request_as(&ann, Method::GET, &path).header("If-None-Match", tag).send().await.unwrap();
    assert_eq!(again.status(), 304);
    // A few bytes that say they are 60000 by 60000.
    let mut bomb = png(1, 1, 0);
    bomb[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let crc = crc32fast::hash(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&crc.to_be_bytes());
    for (name, content, code) in [
        ("bomb.png", &bomb[..], "picture_too_large"),
        ("broken.png", &png(9, 9, 2)[..40], "no_thumbnail"),
        ("a.txt", b"words", "no_thumbnail"),
    ] {
        let file = test.upload(&ann, name, content).await;
        problem(test.fetch(&ann, file["hash"].as_str().unwrap(), "/thumbnail").await, 404, code).await;
    }
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_or_empty_is_refused_and_leaves_nothing() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let most = usize::try_from(limits::ATTACHMENT_MAX).unwrap();
    let too_large = vec![b'a'; most + 1];
    problem(test.try_upload(&ann, "a.txt", &too_large).await, 413, "too_large").await;
    // Not announced, so that it is found out on the way.
    let pieces = form("a.txt", &too_large)
        .chunks(1 << 20)
        .map(|piece| Ok::<_, std::io::Error>(piece.to_vec()))
        .collect::<Vec<_>>();
    let body = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    let request = with_form(test.request_as(&ann, Method::POST, "/api/attachments"), body);
    problem(request.send().await.unwrap(), 413, "too_large").await;
    // Announced as larger than any form around a file.
    problem(test.try_upload(&ann, "a.txt", &vec![b'a'; most + (1 << 20)]).await, 413, "body_too_large").await;
    let empty = problem(test.try_upload(&ann, "a.txt", b"").await, 400, "validation_failed").await;
    assert_eq!(empty["errors"][0]["field"], "file");
    assert_eq!((arriving(&test.hub).len(), blobs(&test.hub).len()), (0, 0));
    let largest = test.upload(&ann, "a.txt", &too_large[1..]).await;
    assert_eq!(largest["size"], most);
    assert_eq!((arriving(&test.hub).len(), blobs(&test.hub).len()), (0, 1));
    // Only this path takes so much.
    let elsewhere = test.request_as(&ann, Method::POST, "/api/messages").body(vec![b' '; limits::JSON_BODY_MAX + 1]);
    problem(elsewhere.send().await.unwrap(), 413, "body_too_large").await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_form_with_a_file_is_refused() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let post = || test.request_as(&ann, Method::POST, "/api/attachments");
    problem(post().json(&json!({})).send().await.unwrap(), 415, "unsupported_media_type").await;
    problem(post().send().await.unwrap(), 415, "unsupported_media_type").await;
    let field = "--boundary-of-the-tests\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--boundary-of-the-tests--\r\n";
    let missing = problem(with_form(post(), field).send().await.unwrap(), 400, "validation_failed").await;
    assert_eq!(missing["errors"][0]["field"], "file");
    for body in ["", "no form", "--boundary-of-the-tests\r\n"] {
        problem(with_form(post(), body).send().await.unwrap(), 400, "validation_failed").await;
    }
    let whole = form("a.txt", b"some words");
    let cut = whole[..whole.len() - 20].to_vec();
    problem(with_form(post(), cut).send().await.unwrap(), 400, "upload_broken_off").await;
    let keyed = with_form(post(), whole.clone()).header("Idempotency-Key", "once");
    assert_eq!(keyed.send().await.unwrap().status(), 201);
    let odd = with_form(post(), whole).header("Idempotency-Key", "x".repeat(300));
    problem(odd.send().await.unwrap(), 400, "validation_failed").await;
    for hash in ["x", "..%2F..%2Fetc%2Fpasswd", &ContentHash::of(b"none").to_string()] {
        problem(test.fetch(&ann, hash, "").await, 404, "not_found").await;
    }
    assert_eq!((arriving(&test.hub).len(), blobs(&test.hub).len()), (0, 1));
    test.stop().await;
}
