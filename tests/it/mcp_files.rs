//! Files over MCP: whose they are, and pictures that are too large for the room there is.

use reqwest::Method;
use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::server::TestServer;

/// What begins like a picture.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

#[both_engines]
async fn a_file_says_who_it_is_from(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let (alpha, beta) = (test.create_agent(&ann, "alpha").await, test.create_agent(&ann, "beta").await);
    let gamma = test.create_agent(&bob, "gamma").await;
    let file = test.tool(&alpha, "upload_attachment", json!({ "filename": "notes.txt", "text": "do this" })).await;
    let own = test.tool(&alpha, "download_attachment", json!({ "hash": file["hash"] })).await;
    assert_eq!((&own["from"], &own["owner"]), (&json!("alpha"), &json!("same")));
    for reader in ["beta", "gamma"] {
        test.tool(&alpha, "send_message", json!({ "to": reader, "body": "see", "attachments": [file["hash"]] })).await;
    }
    for (reader, owner) in [(&beta, "same"), (&gamma, "other")] {
        let read = test.tool(reader, "download_attachment", json!({ "hash": file["hash"] })).await;
        assert_eq!(read["text"], "do this");
        let message = test.tool(reader, "read_inbox", json!({})).await["messages"][0].clone();
        for field in ["from", "from_kind", "owner", "trust"] {
            assert_eq!(read[field], message[field], "{field} as messages say it: {read}");
        }
        assert_eq!((&read["from"], &read["owner"]), (&json!("alpha"), &json!(owner)));
    }
    // Whoever hands on a file is whom the next reader has it from.
    test.tool(&gamma, "send_message", json!({ "to": "bob", "body": "look", "attachments": [file["hash"]] })).await;
    let (_, bobs) = test.create_key(&bob, json!({ "name": "desk", "permissions": ["read"] })).await;
    let read = test.tool(&bobs, "download_attachment", json!({ "hash": file["hash"] })).await;
    assert_eq!(
        (&read["from"], &read["from_kind"]),
        (&json!("alpha"), &json!("agent")),
        "the first that his agent was sent"
    );
    test.stop().await;
}

#[both_engines]
async fn a_picture_that_does_not_fit_is_named_and_not_sent(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "alpha").await;
    let caller = test.hub.auth().bearer(&key).await.unwrap();
    let mut bytes = PNG.to_vec();
    bytes.resize(30_000, 7);
    let picture = test.hub.attachments().upload(&caller, "large.png", bytes.as_slice()).await.unwrap();
    let result = test.call_tool(&key, "download_attachment", json!({ "hash": picture.hash })).await;
    let told = &result["structuredContent"];
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "no picture: {told}");
    assert_eq!((&told["size"], &told["omitted"]), (&json!(30_000), &json!(30_000)));
    assert_eq!(told["path"], format!("/api/attachments/{}", picture.hash));
    let whole = test.request_with(&key, Method::GET, told["path"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(whole.bytes().await.unwrap().len(), 30_000, "where it can be had");
    let enough = json!({ "hash": picture.hash, "max_tokens": told["needs_tokens"] });
    let result = test.call_tool(&key, "download_attachment", enough).await;
    assert_eq!(result["content"][1]["type"], "image", "with the room that it asked for it is sent");

    bytes.resize(400_000, 7);
    let huge = test.hub.attachments().upload(&caller, "huge.png", bytes.as_slice()).await.unwrap();
    let told = test.tool(&key, "download_attachment", json!({ "hash": huge.hash, "max_tokens": 100_000 })).await;
    assert!(told.get("needs_tokens").is_none() && told["path"].is_string(), "nobody may ask for so much: {told}");
    test.stop().await;
}
