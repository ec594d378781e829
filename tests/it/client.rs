//! The client crate against the server.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::json;
use svc_client::model::channels::NewChannel;
use svc_client::model::conversations::ConversationKind;
use svc_client::model::messages::{ClaimRequest, MessageStatus, NewMessage};
use svc_client::model::notifications::Mark;
use svc_client::model::profiles::{NewStatus, ProfileChange};
use svc_client::model::reactions::ReactionKind;
use svc_client::model::saved::SaveMessage;
use svc_client::model::scheduled::{NewScheduledMessage, ScheduledMessageUpdate, ScheduledStatus};
use svc_client::model::tasks::{NewBid, NewTask, TaskClosing, TaskStatus};
use svc_client::model::templates::{MessageTemplateUpdate, NewMessageTemplate};
use svc_client::{Client, EventsFrom, ServerEvents};
use svc_test_macros::both_engines;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

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

    let plans = NewChannel { members: Some(vec!["scout".into()]), ..NewChannel::named("plans") };
    let room = ann.create_channel(&plans, Some("room-1")).await.unwrap();
    assert_eq!(ann.create_channel(&plans, Some("room-1")).await.unwrap().id, room.id);
    assert!(scout.channels(&[("q", "plans")]).await.unwrap().channels.iter().any(|channel| channel.name == "plans"));
    assert_eq!(scout.members("plans", &[]).await.unwrap().members.len(), 2);
    let said = ann.send(&NewMessage::in_channel("plans", "Let us draw."), None).await.unwrap();
    scout.react(said.id, ReactionKind::Approve).await.unwrap();
    assert_eq!(ann.message(said.id).await.unwrap().reactions.len(), 1);
    assert!(scout.add_emoji(said.id, "🎉").await.unwrap().emoji[0].mine);
    assert_eq!(ann.message(said.id).await.unwrap().emoji[0].names, ["scout"]);
    assert!(scout.remove_emoji(said.id, "🎉").await.unwrap().emoji.is_empty());
    assert_eq!(scout.channel_messages("plans", &[("limit", "5")]).await.unwrap().messages[0].body, "Let us draw.");

    assert_eq!(ann.pin(said.id).await.unwrap().message.id, said.id);
    assert_eq!(scout.pins(&[("channel", "plans")]).await.unwrap().pins.len(), 1);
    ann.unpin(said.id).await.unwrap();
    assert!(scout.pins(&[("channel", "plans")]).await.unwrap().pins.is_empty());

    let note = SaveMessage { note: Some("Monday".into()) };
    assert_eq!(ann.save(said.id, &note).await.unwrap().note, note.note);
    assert_eq!(ann.saved(&[]).await.unwrap().saved[0].message.id, said.id);
    ann.unsave(said.id).await.unwrap();
    assert!(ann.saved(&[]).await.unwrap().saved.is_empty());

    // The clock of the test stands at the beginning of 2026.
    let at = "2026-02-01T00:00:00Z".parse().unwrap();
    let later = NewScheduledMessage::at(at, NewMessage::in_channel("plans", "Draw more."));
    let waiting = ann.schedule(&later, Some("later-1")).await.unwrap();
    assert_eq!(ann.schedule(&later, Some("later-1")).await.unwrap(), waiting);
    let change = ScheduledMessageUpdate { body: Some("Draw less.".into()), send_at: None };
    assert_eq!(ann.reschedule(waiting.id, &change).await.unwrap().body, "Draw less.");
    assert_eq!(ann.scheduled_messages(&[("status", "waiting")]).await.unwrap().scheduled.len(), 1);
    assert_eq!(ann.send_scheduled(waiting.id, None).await.unwrap().body, "Draw less.");
    assert_eq!(ann.scheduled_message(waiting.id).await.unwrap().status, ScheduledStatus::Sent);
    let waiting = ann.schedule(&later, None).await.unwrap();
    ann.unschedule(waiting.id).await.unwrap();

    let new = NewMessageTemplate { name: "Thanks".into(), body: "Thank you!".into() };
    let template = ann.create_message_template(&new, Some("template-1")).await.unwrap();
    let change = MessageTemplateUpdate { body: Some("Many thanks!".into()), name: None };
    assert_eq!(ann.update_message_template(template.id, &change).await.unwrap().body, "Many thanks!");
    assert_eq!(ann.message_templates().await.unwrap().templates.len(), 1);
    ann.delete_message_template(template.id).await.unwrap();

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
async fn a_program_reads_profiles_and_changes_its_own(test: TestServer) {
    let ann = test.person("ann").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["read"] })).await;
    let scout = test.create_agent(&ann, "scout").await;
    let (ann, scout) = (test.program(&key), test.program(&scout));
    let status = NewStatus { text: Some("Drawing".into()), emoji: Some("🎨".into()), until: None };
    let change = ProfileChange { status: Some(status), presence: None };
    let own = scout.update_profile(&change).await.unwrap();
    assert_eq!(own.status.unwrap().emoji.as_deref(), Some("🎨"));
    let found = ann.directory(&[("query", "sco"), ("kind", "agent")]).await.unwrap();
    assert_eq!((found.profiles.len(), found.next_cursor), (1, None));
    let read = ann.profile("scout").await.unwrap();
    assert_eq!((read.owner.as_deref(), read.status.unwrap().text.as_str()), (Some("ann"), "Drawing"));
}

#[both_engines]
async fn a_program_reads_searches_and_gives_work_back_through_the_client(test: TestServer) {
    let ann = test.person("ann").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["read", "write", "admin"] })).await;
    let scout = test.create_agent(&ann, "scout").await;
    let (ann, scout) = (test.program(&key), test.program(&scout));
    assert_eq!(ann.agents(&[]).await.unwrap().agents[0].name, "scout");
    ann.create_channel(&NewChannel::named("plans"), None).await.unwrap();
    assert!(scout.join("plans").await.unwrap().is_member);
    let question = ann.send(&NewMessage::in_channel("plans", "Which marble?"), None).await.unwrap();
    let reply = NewMessage { reply_to: Some(question.id), ..NewMessage::in_channel("plans", "The white one.") };
    scout.send(&reply, None).await.unwrap();
    let thread = ann.thread(question.id, &[]).await.unwrap();
    assert_eq!(thread.replies.iter().map(|reply| reply.body.as_str()).collect::<Vec<_>>(), ["The white one."]);
    assert_eq!(ann.search("marble", &[]).await.unwrap().messages.len(), 1);
    let unread = ann.unread().await.unwrap().into_iter().find(|unread| unread.name == "plans").unwrap();
    assert_eq!(unread.unread, 1);
    scout.send(&NewMessage::in_channel("plans", "Or this one, @ann?"), None).await.unwrap();
    let mentions = ann.mentions(&[("unread", "true")]).await.unwrap().mentions;
    assert_eq!((mentions.len(), mentions[0].from.as_str(), mentions[0].unread), (1, "scout", true));
    assert_eq!(ann.unread_totals().await.unwrap().total, 1);
    let mark = Mark { kind: ConversationKind::Channel, name: "plans".into(), last_message_id: None };
    ann.mark_read(&[mark]).await.unwrap();
    assert!(ann.unread().await.unwrap().iter().all(|unread| unread.name != "plans" || unread.unread == 0));
    scout.leave("plans").await.unwrap();
    assert!(!scout.channel("plans").await.unwrap().is_member);

    let sent = ann.send(&NewMessage::to("scout", "Cut it."), None).await.unwrap();
    assert_eq!(scout.inbox(&[]).await.unwrap().messages[0].id, sent.id);
    assert_eq!(scout.direct_messages("ann", &[]).await.unwrap().messages[0].id, sent.id);
    let first = scout.claim(ClaimRequest::default(), None).await.unwrap().messages.remove(0);
    scout.release(sent.id, &first.claim_token).await.unwrap();
    let second = scout.claim_one(sent.id, Some(60), None).await.unwrap();
    let failed = scout.fail(sent.id, Some(&second.claim_token), "The saw broke.").await.unwrap();
    assert_eq!(failed.status, MessageStatus::Failed);
    ann.post_task(&NewTask { title: "Sweep".into(), body: "Sweep it.".into(), ..NewTask::default() }, None)
        .await
        .unwrap();
    assert_eq!(scout.tasks(&[("status", "open")]).await.unwrap().tasks.len(), 1);
}

/// A proxy that answers its first connection with `503`, passes later ones on, and can cut those that are open.
struct UnreliableProxy {
    address: SocketAddr,
    cut: Arc<Notify>,
}

impl UnreliableProxy {
    async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, cut) = (listener.local_addr().unwrap(), Arc::new(Notify::new()));
        let cutting = cut.clone();
        tokio::spawn(async move {
            let (mut first, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            assert!(first.read(&mut request).await.unwrap() > 0);
            let answer = "HTTP/1.1 503 Unavailable\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            first.write_all(answer.as_bytes()).await.unwrap();
            drop(first);
            while let Ok((mut client, _)) = listener.accept().await {
                let cut = cutting.clone();
                tokio::spawn(async move {
                    let mut upstream = TcpStream::connect(server).await.unwrap();
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut upstream) => {}
                        () = cut.notified() => {}
                    }
                });
            }
        });
        Self { address, cut }
    }
}

/// The texts of the next messages of a stream.
async fn bodies(events: &mut ServerEvents, count: usize) -> Vec<String> {
    let mut bodies = Vec::new();
    while bodies.len() < count {
        let event = soon("an event", events.next()).await.unwrap().unwrap();
        assert_ne!(event.name, "reset");
        if event.name == "new_message" {
            bodies.push(event.data["preview"].as_str().unwrap().to_owned());
        }
    }
    bodies
}

#[both_engines]
async fn a_stream_survives_a_busy_hub_and_a_cut_connection(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let proxy = UnreliableProxy::before(test.address).await;
    let behind = Client::new(&format!("http://{}", proxy.address)).unwrap().with_key(&scout);
    // The proxy answers the first attempt with 503.
    assert_eq!(behind.whoami().await.unwrap().handle, "scout");
    let mut events = behind.events(EventsFrom::Now).await.unwrap();
    let hello = soon("hello", events.next()).await.unwrap().unwrap();
    assert_eq!(hello.name, "hello");
    let tell = async |body: &str| drop(test.say(&ann, json!({ "to": "scout", "body": body })).await);
    tell("one").await;
    assert_eq!(bodies(&mut events, 1).await, ["one"]);
    proxy.cut.notify_waiters();
    tell("two").await;
    tell("three").await;
    assert_eq!(bodies(&mut events, 2).await, ["two", "three"], "nothing is lost and nothing comes twice");
    let mut again = test.program(&scout).events(EventsFrom::After(hello.seq.unwrap())).await.unwrap();
    assert_eq!(bodies(&mut again, 3).await, ["one", "two", "three"]);
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
