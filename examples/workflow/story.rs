//! The steps of the example: one proposal is proposed, approved, claimed by two agents at once,
//! done and published; another one stalls; live streams receive the events meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use svc_core::auth::Password;
use svc_core::clock::Clock;
use svc_core::users::{NewUser, Role};
use svc_core::{Caller, Hub, HubConfig, Timestamp};
use svc_http::{Server, ServerConfig};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const PASSWORD: &str = "correct horse battery";

/// A clock that the example sets.
#[derive(Debug)]
struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// A server that can be stopped and started again on the same store.
struct TestServer {
    hub: Hub,
    base: String,
    client: Client,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<svc_core::Result<()>>,
}

impl TestServer {
    async fn start(hub: &HubConfig, clock: Arc<TestClock>) -> Self {
        let mut config = ServerConfig::at(hub.clone()).assemble_hub(move |builder| builder.clock(clock));
        config.listen = "127.0.0.1:0".into();
        config.admin_socket = Some(hub.data.join("admin.sock"));
        let server = Server::bind(config).await.expect("the server starts");
        let (stop, stopped) = oneshot::channel::<()>();
        let (hub, base) = (server.hub().clone(), format!("http://{}", server.address()));
        let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));
        #[expect(clippy::disallowed_methods, reason = "it talks to its own server on the loopback interface")]
        let client = Client::new();
        Self { hub, base, client, stop, serving }
    }

    async fn stop(self) {
        self.stop.send(()).expect("the server runs");
        self.serving.await.expect("the server ends").expect("the server ends well");
    }

    /// Sends a request as a participant; returns the status and the body.
    async fn send(&self, who: &Participant, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let mut request = who.sign(self.client.request(method.clone(), format!("{}{path}", self.base)), &self.base);
        if method != Method::GET {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("the server answers");
        (answer.status(), answer.json().await.unwrap_or_default())
    }

    /// Sends a request that must succeed; returns the body.
    async fn request(&self, who: &Participant, method: Method, path: &str, body: Value) -> Value {
        let (status, body) = self.send(who, method, path, body).await;
        assert!(status.is_success(), "{path} as {}: {status} {body}", who.name);
        body
    }

    async fn human(&self, name: &str) -> Participant {
        let new = NewUser {
            username: name.parse().expect("it is a name"),
            display_name: None,
            role: Role::User,
            password: Some(Password::parse("password", PASSWORD).expect("it is long enough")),
        };
        self.hub.users().create(&Caller::root(), new).await.expect("the name is free");
        let login = self.client.post(format!("{}/auth/login", self.base));
        let answer = login.json(&json!({ "username": name, "password": PASSWORD })).send().await.expect("it answers");
        let cookie = answer.headers()["set-cookie"].to_str().expect("it is text");
        let credential = Credential::Cookie(cookie.split(';').next().unwrap_or_default().into());
        Participant { name: name.into(), credential }
    }

    async fn agent(&self, owner: &Participant, name: &str) -> Participant {
        let made = self.request(owner, Method::POST, "/api/agents", json!({ "name": name })).await;
        let credential = Credential::Key(made["key"].as_str().expect("it has a key").into());
        Participant { name: name.into(), credential }
    }

    async fn react(&self, who: &Participant, message: &Value, reaction: &str) -> (StatusCode, Value) {
        let path = format!("/api/messages/{}/reactions", message["id"]);
        self.send(who, Method::POST, &path, json!({ "reaction": reaction })).await
    }

    async fn trust(&self, who: &Participant, agent: &str) -> f64 {
        let trust = self.request(who, Method::GET, &format!("/api/trust/{agent}"), Value::Null).await;
        trust["scores"][0]["score"].as_f64().expect("somebody has judged it")
    }

    /// Runs the reminder worker once.
    async fn run_reminders(&self) {
        let workers = self.hub.workers();
        let stalemate = workers.iter().find(|worker| worker.name() == "stalemate").expect("it is listed");
        stalemate.run_once().await.expect("it does its round");
    }

    /// Opens a live stream after an event.
    async fn listen(&self, who: &Participant, after: Option<u64>) -> Stream {
        let mut request = who.sign(self.client.get(format!("{}/api/events", self.base)), &self.base);
        if let Some(after) = after {
            request = request.header("Last-Event-ID", after.to_string());
        }
        let answer = request.send().await.expect("the server answers");
        assert_eq!(answer.status(), 200);
        let mut stream = Stream { answer, rest: String::new() };
        assert_eq!(stream.next().await.name, "hello");
        stream
    }
}

enum Credential {
    Cookie(String),
    Key(String),
}

/// A human or an agent.
struct Participant {
    name: String,
    credential: Credential,
}

impl Participant {
    fn sign(&self, request: reqwest::RequestBuilder, origin: &str) -> reqwest::RequestBuilder {
        match &self.credential {
            Credential::Cookie(cookie) => request.header("Cookie", cookie).header("Origin", origin),
            Credential::Key(key) => request.bearer_auth(key),
        }
    }
}

/// An event of a live stream.
#[derive(Debug, Clone, PartialEq)]
struct StreamEvent {
    id: u64,
    name: String,
    data: Value,
}

/// A live stream, read event by event.
struct Stream {
    answer: reqwest::Response,
    rest: String,
}

impl Stream {
    async fn next(&mut self) -> StreamEvent {
        tokio::time::timeout(Duration::from_secs(20), self.read()).await.expect("something happens soon")
    }

    async fn read(&mut self) -> StreamEvent {
        loop {
            if let Some((event, rest)) = self.rest.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let event = field("event:").map(|name| StreamEvent {
                    id: field("id:").and_then(|id| id.parse().ok()).unwrap_or_default(),
                    name: name.to_owned(),
                    data: field("data:").and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default(),
                });
                self.rest = rest.into();
                match event {
                    Some(event) => return event,
                    // A heartbeat.
                    None => continue,
                }
            }
            let bytes = self.answer.chunk().await.expect("the stream is read").expect("the stream goes on");
            self.rest.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    /// The next event with this name; others are skipped.
    async fn next_named(&mut self, name: &str) -> StreamEvent {
        loop {
            let event = self.next().await;
            if event.name == name {
                return event;
            }
        }
    }
}

/// Runs the steps on a new store and reports each.
pub(crate) async fn run(config: HubConfig, report: impl Fn(&str)) {
    let clock = Arc::new(TestClock(AtomicI64::new(1_767_225_600_000_000)));
    let server = TestServer::start(&config, clock.clone()).await;
    let (ann, bob, eve) = (server.human("ann").await, server.human("bob").await, server.human("eve").await);
    let writer = server.agent(&ann, "writer").await;
    let (editor, checker) = (server.agent(&bob, "editor").await, server.agent(&bob, "checker").await);
    let room = json!({ "name": "launch", "public": false, "members": ["bob", "writer", "editor", "checker"] });
    server.request(&ann, Method::POST, "/api/channels", room).await;
    let settings = json!({
        "workflow_enabled": true,
        "publish_threshold": 0.6,
        "stalemate_remind_after": "1h",
        "stalemate_escalate_after": "3h",
    });
    server.request(&ann, Method::PUT, "/api/channels/launch/settings", settings).await;
    report("ann opens the private workflow channel #launch with bob and three agents");

    let (mut bob_stream, mut eve_stream) = (server.listen(&bob, None).await, server.listen(&eve, None).await);
    let proposal = json!({ "channel": "launch", "body": "Let us publish the release notes. @editor, have a look?" });
    let proposal = server.request(&writer, Method::POST, "/api/messages", proposal).await;
    assert_eq!(proposal["workflow_state"], "proposed");
    let event = bob_stream.next_named("new_message").await;
    assert_eq!((&event.data["message_id"], &event.data["channel"]), (&proposal["id"], &json!("launch")));
    report("writer proposes; bob sees it live");

    let (status, approved) = server.react(&bob, &proposal, "approve").await;
    assert_eq!((status, &approved["workflow_state"]), (StatusCode::OK, &json!("approved")));
    let trust = server.trust(&bob, "writer").await;
    assert!((trust - 0.55).abs() < 1e-9, "{trust}");
    let event = bob_stream.next_named("workflow_state_changed").await;
    assert_eq!((&event.data["old_state"], &event.data["new_state"]), (&json!("proposed"), &json!("approved")));
    report("bob approves: writer's trust rises from 0.50 to 0.55");

    let claims =
        tokio::join!(server.react(&editor, &proposal, "in_progress"), server.react(&checker, &proposal, "in_progress"));
    let (winner, error) = match claims {
        ((StatusCode::OK, _), (StatusCode::CONFLICT, error)) => (&editor, error),
        ((StatusCode::CONFLICT, error), (StatusCode::OK, _)) => (&checker, error),
        other => panic!("one of them wins: {other:?}"),
    };
    assert_eq!(error["code"], "already_claimed");
    assert!(error["detail"].as_str().is_some_and(|detail| detail.contains(&winner.name)), "{error}");
    report(&format!("editor and checker claim it at once: {} has it, the other one gets an error", winner.name));

    let (_, finished) = server.react(winner, &proposal, "done").await;
    assert_eq!(finished["workflow_state"], "done");
    let (status, error) = server.react(&writer, &proposal, "published").await;
    assert_eq!((status, &error["code"]), (StatusCode::FORBIDDEN, &json!("trust_too_low")));
    report("it is done; writer may not publish yet: its trust is 0.55, the channel requires 0.60");
    let (status, _) = server.react(&ann, &proposal, "approve").await;
    assert_eq!(status, StatusCode::OK);
    let (status, published) = server.react(&writer, &proposal, "published").await;
    assert_eq!((status, &published["workflow_state"]), (StatusCode::OK, &json!("published")), "{published}");
    report("ann approves too, and writer publishes");

    // Bob closes his stream here; he misses the rest.
    let last = loop {
        let event = bob_stream.next_named("workflow_state_changed").await;
        if event.data["new_state"] == "published" {
            break event.id;
        }
    };
    drop(bob_stream);
    let stalled = json!({ "channel": "launch", "body": "And a blog post?" });
    let stalled = server.request(&writer, Method::POST, "/api/messages", stalled).await;
    for (hours, kind) in [(2, "reminder"), (2, "escalation")] {
        clock.0.fetch_add(hours * 3_600_000_000, Ordering::SeqCst);
        server.run_reminders().await;
        server.run_reminders().await;
        let inbox = server.request(&ann, Method::GET, "/api/messages?from=system", Value::Null).await;
        let newest = &inbox["messages"][0]["metadata"]["stalemate"];
        assert_eq!((&newest["message_id"], &newest["kind"]), (&stalled["id"], &json!(kind)), "{inbox}");
    }
    let inbox = server.request(&ann, Method::GET, "/api/messages?from=system", Value::Null).await;
    assert_eq!(inbox["messages"].as_array().map(Vec::len), Some(2), "each once: {inbox}");
    report("the second proposal stalls: ann gets one reminder and one escalation");

    let direct = json!({ "to": "eve", "body": "hello, eve" });
    let direct = server.request(&bob, Method::POST, "/api/messages", direct).await;
    let event = eve_stream.next_named("new_message").await;
    assert_eq!(event.data["message_id"], direct["id"], "eve has seen nothing before: {event:?}");
    report("eve, who is not in the channel, has received none of this: her first message is bob's hello");

    server.stop().await;
    let server = TestServer::start(&config, clock).await;
    let mut bob_stream = server.listen(&bob, Some(last)).await;
    let mut ids = vec![last];
    let mut messages = Vec::new();
    while messages.len() < 2 {
        let event = bob_stream.next().await;
        assert!(event.name != "reset", "{event:?}");
        if event.id > 0 && event.name != "unread_update" {
            assert!(event.id > ids[ids.len() - 1], "in order, none twice: {event:?}");
            ids.push(event.id);
        }
        if event.name == "new_message" {
            messages.push(event.data["message_id"].clone());
        }
    }
    assert_eq!(messages, [stalled["id"].clone(), direct["id"].clone()]);
    report("the server restarts; bob's stream resumes and misses nothing");
    drop((bob_stream, eve_stream));
    server.stop().await;
}
