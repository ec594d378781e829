//! The client crate against the server.

use serde_json::json;
use svc_client::model::messages::{ClaimRequest, MessageStatus, NewMessage};
use svc_client::model::reactions::ReactionKind;
use svc_client::model::tasks::{NewBid, NewTask, TaskClosing, TaskStatus};
use svc_client::{Client, EventsFrom};
use svc_test_macros::both_engines;

use crate::support::server::TestServer;
use crate::support::wait::soon;

impl TestServer {
    /// A program that asks with this key.
    fn program(&self, key: &str) -> Client {
        Client::new(&format!("http://{}", self.address)).unwrap().with_key(key)
    }
}

#[both_engines]
async fn a_program_talks_works_and_listens_through_the_client(test: TestServer) {
    let ann = test.person("ann").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["read", "write", "admin"] })).await;
    let scout = test.create_agent(&ann, "scout").await;
    let (ann, scout) = (test.program(&key), test.program(&scout));
    assert_eq!(scout.whoami().await.unwrap().handle, "scout");
    let mut events = scout.events(EventsFrom::Now).await.unwrap();
    assert_eq!(soon("hello", events.next()).await.unwrap().unwrap().name, "hello");

    let room = ann.create_channel("plans", json!({ "members": ["scout"] }), Some("room-1")).await.unwrap();
    assert_eq!(ann.create_channel("plans", json!({ "members": ["scout"] }), Some("room-1")).await.unwrap().id, room.id);
    assert!(scout.channels(&[("q", "plans")]).await.unwrap().channels.iter().any(|channel| channel.name == "plans"));
    assert_eq!(scout.members("plans", &[]).await.unwrap().members.len(), 2);
    let said = ann.send(&NewMessage::in_channel("plans", "Let us draw."), None).await.unwrap();
    scout.react(said.id, ReactionKind::Approve).await.unwrap();
    assert_eq!(ann.message(said.id).await.unwrap().reactions.len(), 1);
    assert_eq!(scout.channel_messages("plans", &[("limit", "5")]).await.unwrap().messages[0].body, "Let us draw.");

    let sent = ann.send(&NewMessage::to("scout", "Draw it."), Some("send-1")).await.unwrap();
    assert_eq!(ann.send(&NewMessage::to("scout", "Draw it."), Some("send-1")).await.unwrap().id, sent.id);
    let claimed = scout.claim(ClaimRequest::default(), None).await.unwrap().messages.remove(0);
    assert_eq!(claimed.message.id, sent.id);
    scout.renew(sent.id, &claimed.claim_token, Some(60)).await.unwrap();
    let done = scout.done(sent.id, Some(&claimed.claim_token)).await.unwrap();
    assert_eq!(done.status, MessageStatus::Done);
    assert_eq!(ann.receipts(sent.id, &[]).await.unwrap().receipts.len(), 1);

    let task = ann
        .post_task(&NewTask { title: "Sweep".into(), body: "Sweep it.".into(), ..NewTask::default() }, None)
        .await
        .unwrap();
    scout.bid(task.id, &NewBid::default(), None).await.unwrap();
    assert_eq!(ann.task(task.id).await.unwrap().bids.len(), 1);
    let closing = TaskClosing { status: Some(svc_client::model::tasks::TaskEnding::Cancelled), summary: None };
    assert_eq!(ann.close_task(task.id, &closing).await.unwrap().status, TaskStatus::Cancelled);

    let mut names = Vec::new();
    while names.last().is_none_or(|name| name != "task_changed") {
        names.push(soon("an event", events.next()).await.unwrap().unwrap().name);
    }
    assert!(names.contains(&"new_message".to_owned()), "{names:?}");
}

#[both_engines]
async fn a_refusal_says_what_the_hub_said(test: TestServer) {
    let ann = test.person("ann").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["read", "write"] })).await;
    let hub = test.program(&key);
    assert_eq!(hub.channel("nowhere").await.unwrap_err().code(), Some("not_found"));
    let error = hub.send(&NewMessage::to("ann", ""), None).await.unwrap_err();
    assert_eq!(error.code(), Some("validation_failed"));
    assert!(error.to_string().contains("body"), "{error}");
    assert_eq!(test.program("svca_wrong").whoami().await.unwrap_err().code(), Some("invalid_token"));
    assert!(Client::new("http://127.0.0.1:9").unwrap().whoami().await.unwrap_err().code().is_none());
}
