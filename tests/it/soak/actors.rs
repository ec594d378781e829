//! The people and agents of a soak, each at a steady pace.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::crash_runs::{AGENTS, Fleet};
use crate::support::hub::TestHub;
use crate::support::load::client;
use crate::support::mcp_http::{NEWEST, message};
use crate::support::people::{PASSWORD, agent_of_admin, key_of_a_person};
use crate::support::push::Browser;
use crate::support::receiver::Receiver;
use crate::support::webhooks::{node, register};

const HOOKED: usize = 8;
const WORKERS: usize = 64 - HOOKED - AGENTS;
const PEOPLE: usize = 8;

/// The pauses of an agent and of a person between two actions.
const AGENT_PACE: Duration = Duration::from_secs(4);
const PERSON_PACE: Duration = Duration::from_millis(500);

/// Everybody who lives on the hub: agents that work, agents with webhooks, agents that are run, people.
pub(super) struct Town {
    workers: Vec<String>,
    people: Vec<String>,
    receiver: Receiver,
    _fleet: Fleet,
}

impl Town {
    pub(super) async fn prepare(test: &TestHub) -> Self {
        let receiver = Receiver::start().await;
        let fleet = Fleet::prepare(test, "soak").await;
        let hub = node(test).await;
        for number in 0..HOOKED {
            register(&hub, &format!("hooked-{number}"), &receiver).await;
        }
        let (mut workers, mut people) = (Vec::new(), Vec::new());
        for number in 0..WORKERS {
            workers.push(agent_of_admin(&hub, &format!("worker-{number}")).await);
        }
        for number in 0..PEOPLE {
            people.push(key_of_a_person(&hub, &format!("person_{number}")).await);
        }
        hub.close().await;
        Self { workers, people, receiver, _fleet: fleet }
    }
}

/// They act until they are stopped.
pub(super) struct Actors {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
    streams: Vec<JoinHandle<()>>,
}

struct Shared {
    client: Client,
    base: String,
    town: Arc<Town>,
    times: Mutex<Vec<Duration>>,
    errors: Mutex<Vec<String>>,
    stop: AtomicBool,
}

impl Actors {
    pub(super) async fn start(town: Arc<Town>, base: &str) -> Self {
        let shared = Arc::new(Shared {
            client: client(),
            base: base.to_owned(),
            town,
            times: Mutex::default(),
            errors: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        for person in 0..PEOPLE {
            shared.subscribe(person).await;
        }
        let workers = (0..WORKERS).map(|worker| tokio::spawn(shared.clone().work(worker)));
        let people = (0..PEOPLE).map(|person| tokio::spawn(shared.clone().live(person)));
        let streams = (0..PEOPLE).map(|person| tokio::spawn(shared.clone().listen(person)));
        Self { tasks: workers.chain(people).collect(), streams: streams.collect(), shared }
    }

    /// The durations of the requests since the last call.
    pub(super) fn drain(&self) -> Vec<Duration> {
        std::mem::take(&mut self.shared.times.lock().unwrap())
    }

    /// Ends them all; returns what went wrong.
    pub(super) async fn stop(self) -> Vec<String> {
        self.shared.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.unwrap();
        }
        for stream in self.streams {
            stream.abort();
        }
        std::mem::take(&mut self.shared.errors.lock().unwrap())
    }
}

impl Shared {
    /// An agent: it talks in a channel, writes to a person, and works off what it was given, over REST and over MCP.
    async fn work(self: Arc<Self>, worker: usize) {
        let key = self.town.workers[worker].clone();
        let mut pace = paced(AGENT_PACE, worker, WORKERS);
        for step in worker.. {
            pace.tick().await;
            if self.is_stopped() {
                return;
            }
            match step % 4 {
                0 => {
                    let body = format!("Step {step} of worker {worker} is done.");
                    self.post(&key, "/api/messages", &json!({ "channel": "general", "body": body })).await;
                }
                1 => {
                    let to = format!("person_{}", worker % PEOPLE);
                    let arguments = json!({ "to": to, "body": format!("Step {step} needs a decision.") });
                    self.tool(&key, "send_message", arguments).await;
                }
                2 => {
                    let claimed = self.post(&key, "/api/messages/claim", &json!({ "limit": 5 })).await;
                    for task in claimed["messages"].as_array().into_iter().flatten() {
                        let done = json!({ "claim_token": task["claim_token"] });
                        self.post(&key, &format!("/api/messages/{}/done", task["id"]), &done).await;
                    }
                }
                _ => {
                    self.tool(&key, "read_inbox", json!({})).await;
                }
            }
        }
    }

    /// A person: they read, search, and write to agents of each kind.
    async fn live(self: Arc<Self>, person: usize) {
        let key = self.town.people[person].clone();
        let mut pace = paced(PERSON_PACE, person, PEOPLE);
        for step in person.. {
            pace.tick().await;
            if self.is_stopped() {
                return;
            }
            let to = match step % 6 {
                0 => format!("scout-{}", step % AGENTS),
                1 => format!("hooked-{}", step % HOOKED),
                2 | 3 => format!("worker-{}", step % WORKERS),
                4 => {
                    self.get(&key, "/api/channels/general/messages?limit=50").await;
                    continue;
                }
                _ => {
                    self.get(&key, "/api/messages/search?q=decision").await;
                    continue;
                }
            };
            let body = format!("Please look at number {step}.");
            let sent = self.post(&key, "/api/messages", &json!({ "to": to, "body": body })).await;
            if step % 12 == 1 {
                let path = format!("/api/messages/{}/reactions", sent["id"]);
                self.post(&key, &path, &json!({ "reaction": "approve" })).await;
            }
        }
    }

    /// A live stream, as a page of the web UI has one.
    async fn listen(self: Arc<Self>, person: usize) {
        let request = self.client.get(format!("{}/api/events", self.base)).bearer_auth(&self.town.people[person]);
        let Ok(answer) = request.send().await else { return self.fail("a stream could not be opened".to_owned()) };
        let mut bytes = answer.bytes_stream();
        while let Some(Ok(_)) = bytes.next().await {}
        if !self.is_stopped() {
            self.fail(format!("the stream of person {person} ended"));
        }
    }

    /// A browser of a person, which wants push messages.
    async fn subscribe(&self, person: usize) {
        let server = svc_client::Client::new(&self.base).unwrap();
        let (session, _) = server.log_in(&format!("person_{person}"), PASSWORD).await.unwrap();
        let endpoint = format!("{}/push/{person}", self.town.receiver.url);
        let request = session.request(Method::POST, &["api", "push", "subscriptions"], &[]).unwrap();
        let answer = request.json(&Browser::new(endpoint).json()).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{:?}", answer.text().await);
    }

    async fn get(&self, key: &str, path: &str) -> Value {
        self.ask(path, self.client.get(format!("{}{path}", self.base)).bearer_auth(key)).await
    }

    async fn post(&self, key: &str, path: &str, body: &Value) -> Value {
        self.ask(path, self.client.post(format!("{}{path}", self.base)).bearer_auth(key).json(body)).await
    }

    /// Calls a tool over MCP.
    async fn tool(&self, key: &str, tool: &str, arguments: Value) {
        let body = message("tools/call", json!({ "name": tool, "arguments": arguments }));
        let request = self
            .client
            .post(format!("{}/mcp", self.base))
            .bearer_auth(key)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", NEWEST)
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool)
            .json(&body);
        let answer = self.ask(tool, request).await;
        if answer["result"]["isError"] == true {
            self.fail(format!("{tool}: {answer}"));
        }
    }

    async fn ask(&self, what: &str, request: RequestBuilder) -> Value {
        let begun = std::time::Instant::now();
        let (status, body) = match request.send().await {
            Ok(answer) => (answer.status(), answer.json::<Value>().await.unwrap_or_default()),
            Err(error) => {
                self.fail(format!("{what}: {error}"));
                return Value::Null;
            }
        };
        self.times.lock().unwrap().push(begun.elapsed());
        if !status.is_success() {
            self.fail(format!("{what}: {status} {body}"));
        }
        body
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes an error; of many, the first ones.
    fn fail(&self, text: String) {
        let mut errors = self.errors.lock().unwrap();
        if errors.len() < 20 {
            errors.push(text);
        }
    }
}

/// A steady pace. Those who share it begin one after another.
fn paced(pace: Duration, number: usize, of: usize) -> tokio::time::Interval {
    let offset = pace.mul_f64(f64::from(u32::try_from(number).unwrap()) / f64::from(u32::try_from(of).unwrap()));
    let mut pace = tokio::time::interval_at(tokio::time::Instant::now() + offset, pace);
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    pace
}
