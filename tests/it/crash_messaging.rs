//! Kill -9 under mixed load: sends, claims, reactions and uploads over HTTP. Everything that was
//! acknowledged is there, no message is without its event, and no blob is left without its row.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::{Client, StatusCode, multipart};
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::agents::{AgentSettings, NewAgent};
use svc_test_macros::both_engines;

use crate::support::child::TestChild;
use crate::support::hub::TestHub;
use crate::support::wait::until;

/// What was acknowledged before the server died.
#[derive(Debug, Default)]
struct Acknowledged {
    messages: Vec<i64>,
    claims: Vec<i64>,
    reactions: Vec<i64>,
    uploads: Vec<(String, String)>,
}

impl Acknowledged {
    fn count(&self) -> usize {
        self.messages.len() + self.claims.len() + self.reactions.len() + self.uploads.len()
    }

    fn absorb(&mut self, other: Self) {
        self.messages.extend(other.messages);
        self.claims.extend(other.claims);
        self.reactions.extend(other.reactions);
        self.uploads.extend(other.uploads);
    }
}

/// A worker that does a bit of everything until the server is gone.
struct Load {
    client: Client,
    base: String,
    keys: Arc<Vec<String>>,
    counted: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Load {
    async fn run(self, worker: usize, round: u64) -> Acknowledged {
        let mut done = Acknowledged::default();
        for step in 0_usize.. {
            if self.stop.load(Ordering::Relaxed) || self.one(worker, round, step, &mut done).await.is_none() {
                break;
            }
            self.counted.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    /// `None` once the server does not answer any more.
    async fn one(&self, worker: usize, round: u64, step: usize, done: &mut Acknowledged) -> Option<()> {
        let key = &self.keys[worker % self.keys.len()];
        match step % 4 {
            0 | 1 => {
                let to = (worker + 1) % self.keys.len();
                let body = format!("round {round} worker {worker} step {step}");
                let message = if step.is_multiple_of(4) {
                    json!({ "to": format!("talker-{to}"), "body": body })
                } else {
                    json!({ "channel": "general", "body": body })
                };
                let sent = self.post(key, "/api/messages", &message).await?;
                done.messages.push(sent["id"].as_i64()?);
            }
            2 => {
                let claimed = self.post(key, "/api/messages/claim", &json!({ "limit": 2 })).await?;
                done.claims.extend(claimed["messages"].as_array()?.iter().filter_map(|message| message["id"].as_i64()));
                if let Some(id) = done.messages.last().copied() {
                    self.post(key, &format!("/api/messages/{id}/reactions"), &json!({ "reaction": "approve" })).await?;
                    done.reactions.push(id);
                }
            }
            _ => {
                let content = format!("file of round {round} worker {worker} step {step}");
                let part = multipart::Part::text(content.clone()).file_name("note.txt");
                let form = multipart::Form::new().part("file", part);
                let request = self.client.post(format!("{}/api/attachments", self.base)).bearer_auth(key);
                let answer = request.multipart(form).send().await.ok()?;
                assert_eq!(answer.status(), StatusCode::CREATED);
                let stored: Value = answer.json().await.ok()?;
                done.uploads.push((stored["hash"].as_str()?.to_owned(), content));
            }
        }
        Some(())
    }

    async fn post(&self, key: &str, path: &str, body: &Value) -> Option<Value> {
        let request = self.client.post(format!("{}{path}", self.base)).bearer_auth(key);
        let answer = request.json(body).send().await.ok()?;
        let status = answer.status();
        let body: Value = answer.json().await.ok()?;
        assert!(status.is_success(), "{path}: {status} {body}");
        Some(body)
    }
}

async fn one_round(test: &TestHub, keys: &Arc<Vec<String>>, round: u64) -> Acknowledged {
    let (server, base) = TestChild::server_on(&test.config, "admin", &[]).await;
    #[expect(clippy::disallowed_methods, reason = "the test talks to its own server on the loopback interface")]
    let client = Client::new();
    let (counted, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let workers: Vec<_> = (0..12)
        .map(|worker| {
            let (client, base, keys) = (client.clone(), base.clone(), keys.clone());
            tokio::spawn(Load { client, base, keys, counted: counted.clone(), stop: stop.clone() }.run(worker, round))
        })
        .collect();
    // Another moment each time, in the middle of what is under way.
    let enough = 40 + usize::try_from(round * 37 % 101).unwrap();
    until("the load is under way", async || (counted.load(Ordering::Relaxed) >= enough).then_some(())).await;
    tokio::task::spawn_blocking(move || server.kill()).await.unwrap();
    stop.store(true, Ordering::Relaxed);
    let mut done = Acknowledged::default();
    for worker in workers {
        done.absorb(worker.await.unwrap());
    }
    done
}

async fn check(test: &TestHub, done: &Acknowledged) {
    for id in &done.messages {
        assert_eq!(one(test, "SELECT count(*) FROM messages WHERE id = $1", *id).await, 1, "message {id} is lost");
    }
    for id in &done.claims {
        let claimed = "SELECT count(*) FROM messages WHERE id = $1 AND status = 'processing' AND attempts = 1";
        assert_eq!(one(test, claimed, *id).await, 1, "the claim of {id} is lost");
    }
    for id in &done.reactions {
        assert_eq!(one(test, "SELECT count(*) FROM reactions WHERE message_id = $1", *id).await, 1, "reaction on {id}");
        assert_eq!(one(test, "SELECT reaction_count FROM messages WHERE id = $1", *id).await, 1);
    }
    for (hash, content) in &done.uploads {
        let stored = test.config.data.join("blobs");
        assert!(blobs(&stored).iter().any(|(name, text)| name.ends_with(hash.as_str()) && text == content), "{hash}");
    }
}

async fn one(test: &TestHub, statement: &'static str, id: i64) -> i64 {
    let found = test.hub.db().read(id, move |tx, id| Box::pin(tx.query(statement).bind(*id).fetch_value()));
    found.await.unwrap()
}

/// Every blob with its content.
#[expect(clippy::disallowed_methods, reason = "the test has nothing else to do")]
fn blobs(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.ends_with("blobs/trash") || path.ends_with("blobs/hub.json") {
            continue;
        }
        if path.is_dir() {
            found.extend(blobs(&path));
        } else {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.push((name, std::fs::read_to_string(&path).unwrap_or_default()));
        }
    }
    found
}

#[both_engines]
async fn nothing_acknowledged_is_lost_under_mixed_load(test: TestHub) {
    let mut keys = Vec::new();
    for number in 0..6 {
        let new = NewAgent {
            name: format!("talker-{number}").parse().unwrap(),
            owner: Some("admin".parse().unwrap()),
            settings: AgentSettings::default(),
        };
        keys.push(test.hub.agents().create(&Caller::root(), new).await.unwrap().key);
    }
    let keys = Arc::new(keys);
    let mut survived = 0;
    for round in 0..3 {
        let done = one_round(&test, &keys, round).await;
        assert!(done.count() > 20, "{done:?}");
        check(&test, &done).await;
        // One statement: PostgreSQL may still be ending what the server had sent.
        let difference = "SELECT (SELECT count(*) FROM messages)
                               - (SELECT count(*) FROM events WHERE kind = 'message.created')";
        assert_eq!(test.number(difference).await, 0, "no message without its event, no event without its message");
        survived += done.count();
    }
    // What was uploaded and never used goes a day later, and takes its blob along.
    test.clock.advance(Duration::from_hours(365 * 24));
    while test.run_worker("attachment_sweep").await == svc_core::workers::Progress::More {}
    let rows = test.number("SELECT count(*) FROM attachments").await;
    let blobs = i64::try_from(blobs(&test.config.data.join("blobs")).len()).unwrap();
    assert_eq!(blobs, rows, "a blob for every row and no other");
    println!("{survived} acknowledged changes survived");
}
