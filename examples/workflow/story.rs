//! The story of one proposal: proposed, approved, claimed by two at once, done, published; another one
//! that nobody takes up; and what each of them saw meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use svc_core::{Caller, Clock, Hub, HubConfig, NewUser, Password, Role, Timestamp};
use svc_http::{Server, ServerConfig};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const PASSWORD: &str = "correct horse battery";

/// A clock that the story moves.
#[derive(Debug)]
struct StoryClock(AtomicI64);

impl Clock for StoryClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// A server that can be stopped and started again on the same store.
struct Stage {
    hub: Hub,
    base: String,
    client: Client,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<svc_core::Result<()>>,
}

impl Stage {
    async fn start(hub: &HubConfig, clock: Arc<StoryClock>) -> Self {
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

    /// Asks as somebody; tells the status and the body.
    async fn ask(&self, who: &Person, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let mut request = who.sign(self.client.request(method.clone(), format!("{}{path}", self.base)), &self.base);
        if method != Method::GET {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("the server answers");
        (answer.status(), answer.json().await.unwrap_or_default())
    }

    /// The same for what has to succeed.
    async fn done(&self, who: &Person, method: Method, path: &str, body: Value) -> Value {
        let (status, body) = self.ask(who, method, path, body).await;
        assert!(status.is_success(), "{path} as {}: {status} {body}", who.name);
        body
    }

    async fn human(&self, name: &str) -> Person {
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
        Person { name: name.into(), proof: Proof::Cookie(cookie.split(';').next().unwrap_or_default().into()) }
    }

    async fn agent(&self, owner: &Person, name: &str) -> Person {
        let made = self.done(owner, Method::POST, "/api/agents", json!({ "name": name })).await;
        Person { name: name.into(), proof: Proof::Key(made["key"].as_str().expect("it has a key").into()) }
    }

    async fn react(&self, who: &Person, message: &Value, reaction: &str) -> (StatusCode, Value) {
        let path = format!("/api/messages/{}/reactions", message["id"]);
        self.ask(who, Method::POST, &path, json!({ "reaction": reaction })).await
    }

    async fn trust(&self, who: &Person, agent: &str) -> f64 {
        let trust = self.done(who, Method::GET, &format!("/api/trust/{agent}"), Value::Null).await;
        trust["scores"][0]["score"].as_f64().expect("somebody has judged it")
    }

    /// Lets the worker that reminds people do one round.
    async fn remind(&self) {
        let workers = self.hub.workers();
        let stalemate = workers.iter().find(|worker| worker.name() == "stalemate").expect("it is listed");
        stalemate.run_once().await.expect("it does its round");
    }

    /// Opens a live stream after an event.
    async fn listen(&self, who: &Person, after: Option<u64>) -> Stream {
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

enum Proof {
    Cookie(String),
    Key(String),
}

/// Somebody who takes part.
struct Person {
    name: String,
    proof: Proof,
}

impl Person {
    fn sign(&self, request: reqwest::RequestBuilder, origin: &str) -> reqwest::RequestBuilder {
        match &self.proof {
            Proof::Cookie(cookie) => request.header("Cookie", cookie).header("Origin", origin),
            Proof::Key(key) => request.bearer_auth(key),
        }
    }
}

/// One event of a live stream.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
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
    async fn next(&mut self) -> Seen {
        tokio::time::timeout(Duration::from_secs(20), self.read()).await.expect("something happens soon")
    }

    async fn read(&mut self) -> Seen {
        loop {
            if let Some((event, rest)) = self.rest.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let seen = field("event:").map(|name| Seen {
                    id: field("id:").and_then(|id| id.parse().ok()).unwrap_or_default(),
                    name: name.to_owned(),
                    data: field("data:").and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default(),
                });
                self.rest = rest.into();
                match seen {
                    Some(seen) => return seen,
                    // A sign of life.
                    None => continue,
                }
            }
            let bytes = self.answer.chunk().await.expect("the stream is read").expect("the stream goes on");
            self.rest.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    /// The next event with this name, past others.
    async fn next_named(&mut self, name: &str) -> Seen {
        loop {
            let seen = self.next().await;
            if seen.name == name {
                return seen;
            }
        }
    }
}

/// Tells the story on a fresh store, line by line.
pub(crate) async fn tell(config: HubConfig, say: impl Fn(&str)) {
    let clock = Arc::new(StoryClock(AtomicI64::new(1_767_225_600_000_000)));
    let stage = Stage::start(&config, clock.clone()).await;
    let (ann, bob, eve) = (stage.human("ann").await, stage.human("bob").await, stage.human("eve").await);
    let writer = stage.agent(&ann, "writer").await;
    let (editor, checker) = (stage.agent(&bob, "editor").await, stage.agent(&bob, "checker").await);
    let room = json!({ "name": "launch", "public": false, "members": ["bob", "writer", "editor", "checker"] });
    stage.done(&ann, Method::POST, "/api/channels", room).await;
    let settings = json!({
        "workflow_enabled": true,
        "publish_threshold": 0.6,
        "stalemate_remind_after": "1h",
        "stalemate_escalate_after": "3h",
    });
    stage.done(&ann, Method::PUT, "/api/channels/launch/settings", settings).await;
    say("ann opens the private workflow channel #launch with bob and three agents");

    let (mut bobs, mut eves) = (stage.listen(&bob, None).await, stage.listen(&eve, None).await);
    let proposal = json!({ "channel": "launch", "body": "Let us publish the release notes. @editor, have a look?" });
    let proposal = stage.done(&writer, Method::POST, "/api/messages", proposal).await;
    assert_eq!(proposal["workflow_state"], "proposed");
    let seen = bobs.next_named("new_message").await;
    assert_eq!((&seen.data["message_id"], &seen.data["channel"]), (&proposal["id"], &json!("launch")));
    say("writer proposes; bob sees it live");

    let (status, approved) = stage.react(&bob, &proposal, "approve").await;
    assert_eq!((status, &approved["workflow_state"]), (StatusCode::OK, &json!("approved")));
    let trust = stage.trust(&bob, "writer").await;
    assert!((trust - 0.55).abs() < 1e-9, "{trust}");
    let seen = bobs.next_named("workflow_state_changed").await;
    assert_eq!((&seen.data["old_state"], &seen.data["new_state"]), (&json!("proposed"), &json!("approved")));
    say("bob approves: writer's trust rises from 0.50 to 0.55");

    let claims =
        tokio::join!(stage.react(&editor, &proposal, "in_progress"), stage.react(&checker, &proposal, "in_progress"));
    let (holder, refusal) = match claims {
        ((StatusCode::OK, _), (StatusCode::CONFLICT, refusal)) => (&editor, refusal),
        ((StatusCode::CONFLICT, refusal), (StatusCode::OK, _)) => (&checker, refusal),
        other => panic!("one of them wins: {other:?}"),
    };
    assert_eq!(refusal["code"], "already_claimed");
    assert!(refusal["detail"].as_str().is_some_and(|detail| detail.contains(&holder.name)), "{refusal}");
    say(&format!("editor and checker claim it at once: {} has it, the other one is told so", holder.name));

    let (_, finished) = stage.react(holder, &proposal, "done").await;
    assert_eq!(finished["workflow_state"], "done");
    let (status, refusal) = stage.react(&writer, &proposal, "published").await;
    assert_eq!((status, &refusal["code"]), (StatusCode::FORBIDDEN, &json!("trust_too_low")));
    say("it is done; writer may not publish yet: its trust is 0.55, the channel asks for 0.60");
    let (status, _) = stage.react(&ann, &proposal, "approve").await;
    assert_eq!(status, StatusCode::OK);
    let (status, published) = stage.react(&writer, &proposal, "published").await;
    assert_eq!((status, &published["workflow_state"]), (StatusCode::OK, &json!("published")), "{published}");
    say("ann approves too, and writer publishes");

    // Bob leaves his stream where it stands; the rest happens without him.
    let last = loop {
        let seen = bobs.next_named("workflow_state_changed").await;
        if seen.data["new_state"] == "published" {
            break seen.id;
        }
    };
    drop(bobs);
    let forgotten = json!({ "channel": "launch", "body": "And a blog post?" });
    let forgotten = stage.done(&writer, Method::POST, "/api/messages", forgotten).await;
    for (hours, kind) in [(2, "reminder"), (2, "escalation")] {
        clock.0.fetch_add(hours * 3_600_000_000, Ordering::SeqCst);
        stage.remind().await;
        stage.remind().await;
        let inbox = stage.done(&ann, Method::GET, "/api/messages?from=system", Value::Null).await;
        let newest = &inbox["messages"][0]["metadata"]["stalemate"];
        assert_eq!((&newest["message_id"], &newest["kind"]), (&forgotten["id"], &json!(kind)), "{inbox}");
    }
    let inbox = stage.done(&ann, Method::GET, "/api/messages?from=system", Value::Null).await;
    assert_eq!(inbox["messages"].as_array().map(Vec::len), Some(2), "each once: {inbox}");
    say("nobody takes the second proposal up: ann is reminded once, and told once more that it is stuck");

    let direct = stage.done(&bob, Method::POST, "/api/messages", json!({ "to": "eve", "body": "hello, eve" })).await;
    let seen = eves.next_named("new_message").await;
    assert_eq!(seen.data["message_id"], direct["id"], "eve has seen nothing before: {seen:?}");
    say("eve, who is not in the channel, has seen nothing of all this: her first message is bob's hello");

    stage.stop().await;
    let stage = Stage::start(&config, clock).await;
    let mut bobs = stage.listen(&bob, Some(last)).await;
    let mut ids = vec![last];
    let mut messages = Vec::new();
    while messages.len() < 2 {
        let seen = bobs.next().await;
        assert!(seen.name != "reset", "{seen:?}");
        if seen.id > 0 && seen.name != "unread_update" {
            assert!(seen.id > ids[ids.len() - 1], "in order, none twice: {seen:?}");
            ids.push(seen.id);
        }
        if seen.name == "new_message" {
            messages.push(seen.data["message_id"].clone());
        }
    }
    assert_eq!(messages, [forgotten["id"].clone(), direct["id"].clone()]);
    say("the server restarts; bob's stream goes on where it stood and misses nothing");
    drop((bobs, eves));
    stage.stop().await;
}
