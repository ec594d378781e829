//! Kill -9 while articles, goals and push messages are written: what was acknowledged is there once, and what belongs
//! together is there together.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use reqwest::{Client, Method};
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::child::TestChild;
use crate::support::crash::{kill, let_leases_end};
use crate::support::hub::TestHub;
use crate::support::people::{PASSWORD, agent_of_admin, key_of_a_person};
use crate::support::push::Browser;
use crate::support::receiver::{Receiver, Reply};
use crate::support::wait::until;

const WORKERS: usize = 8;

/// The number of kills; `make crash ROUNDS=20` for more. An owner has at most 1000 goals, and each worker begins one in
/// each round.
fn rounds() -> usize {
    let asked = std::env::var("SVC_CRASH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    asked.map_or(3, |rounds: usize| rounds.min(100))
}

/// The changes that were acknowledged before the server died.
#[derive(Debug, Default)]
struct Acknowledged {
    /// Articles by slug, with their newest revision.
    articles: BTreeMap<String, i64>,
    /// Goals by title, and whether their tasks were proposed.
    goals: BTreeMap<String, bool>,
    /// Messages to somebody with a phone.
    messages: Vec<i64>,
    /// A goal whose creation was not answered.
    unanswered: Option<String>,
}

impl Acknowledged {
    fn count(&self) -> usize {
        self.articles.len() + self.goals.len() + self.messages.len()
    }
}

/// An agent that writes until the server is gone.
struct Load {
    client: Client,
    base: String,
    key: String,
    number: usize,
    counted: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Load {
    async fn run(self, round: usize, unanswered: Option<String>) -> Acknowledged {
        let mut done = Acknowledged { unanswered, ..Acknowledged::default() };
        if self.repeat(&mut done).await.is_none() {
            return done;
        }
        for step in 0_usize.. {
            if self.stop.load(Ordering::Relaxed) || self.one(round, step, &mut done).await.is_none() {
                break;
            }
            self.counted.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    /// Creates the goal again that was not answered, with the same key, so that there is one.
    async fn repeat(&self, done: &mut Acknowledged) -> Option<()> {
        if let Some(title) = done.unanswered.clone() {
            self.create_goal(&title).await?;
            done.unanswered = None;
            done.goals.insert(title, false);
        }
        Some(())
    }

    /// `None` once the server does not answer any more.
    async fn one(&self, round: usize, step: usize, done: &mut Acknowledged) -> Option<()> {
        let number = self.number;
        match step % 4 {
            0 => {
                let slug = format!("note-{number}-{round}-{step}");
                let new = json!({ "slug": slug, "title": slug, "body": "See [[hub]]." });
                self.send(Method::POST, "/api/wiki/articles", "", &new).await?;
                done.articles.insert(slug, 1);
            }
            1 => {
                let (slug, base) = done.articles.last_key_value().map(|(slug, base)| (slug.clone(), *base))?;
                let body = format!("This is revision {}. See [[hub]] and [[wanted]].", base + 1);
                let save = json!({ "base_revision": base, "body": body });
                self.send(Method::PUT, &format!("/api/wiki/articles/{slug}"), "", &save).await?;
                done.articles.insert(slug, base + 1);
            }
            2 => {
                let title = format!("Goal {number} of round {round}");
                if !done.goals.contains_key(&title) {
                    done.unanswered = Some(title.clone());
                    let goal = self.create_goal(&title).await?;
                    done.unanswered = None;
                    done.goals.insert(title.clone(), false);
                    let tree = json!({ "tree": [{ "title": "Build" }, { "title": "Test", "depends_on": ["Build"] }] });
                    self.send(Method::POST, &format!("/api/goals/{goal}/tasks"), "", &tree).await?;
                    done.goals.insert(title, true);
                }
            }
            _ => {
                let message = json!({ "to": "ann", "body": format!("For you: {number} {round} {step}") });
                let sent = self.send(Method::POST, "/api/messages", "", &message).await?;
                done.messages.push(sent["id"].as_i64()?);
            }
        }
        Some(())
    }

    /// Creates a goal, once for each title; returns its id.
    async fn create_goal(&self, title: &str) -> Option<i64> {
        let once = title.replace(' ', "-");
        self.send(Method::POST, "/api/goals", &once, &json!({ "title": title })).await?["id"].as_i64()
    }

    async fn send(&self, method: Method, path: &str, once: &str, body: &Value) -> Option<Value> {
        let mut request = self.client.request(method, format!("{}{path}", self.base)).bearer_auth(&self.key);
        if !once.is_empty() {
            request = request.header("Idempotency-Key", once);
        }
        let answer = request.json(body).send().await.ok()?;
        let status = answer.status();
        let body: Value = answer.json().await.ok()?;
        assert!(status.is_success(), "{path}: {status} {body}");
        Some(body)
    }
}

async fn start(test: &TestHub) -> (TestChild, String) {
    let networks = ["--allow-http-webhooks", "--allow-private-networks", "127.0.0.0/8"];
    TestChild::server_on(&test.config, "admin", &networks).await
}

/// Logs in, and subscribes a phone whose messages go to this receiver.
async fn subscribe(client: &Client, base: &str, receiver: &Receiver) {
    let login = json!({ "username": "ann", "password": PASSWORD });
    let login = client.post(format!("{base}/auth/login")).header("Origin", base).json(&login);
    let answer = login.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let subscription = Browser::new(&receiver.url).json();
    let request = client.post(format!("{base}/api/push/subscriptions")).header("Cookie", cookie);
    let answer = request.header("Origin", base).json(&subscription).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
}

/// The number that a statement finds for a text.
async fn of(test: &TestHub, statement: &'static str, given: &str) -> i64 {
    let found = test
        .hub
        .db()
        .read(given.to_owned(), move |tx, given| Box::pin(tx.query(statement).bind(given.as_str()).fetch_value()));
    found.await.unwrap()
}

const MESSAGES: &str = "SELECT count(*) FROM messages WHERE body LIKE 'For you: %'";

/// Statements that count what must not be there.
const FAULTS: [(&str, &str); 7] = [
    (
        "articles without one of their revisions",
        "SELECT count(*)
           FROM wiki_articles a
          WHERE a.revision <> (SELECT count(*) FROM wiki_revisions r WHERE r.article_id = a.id)",
    ),
    ("articles that are not counted", "SELECT (SELECT count(*) FROM wiki_articles) - (SELECT article_count FROM wiki)"),
    (
        "links that are not counted",
        "SELECT count(*)
           FROM wiki_slugs s
          WHERE s.link_count <> (SELECT count(*) FROM wiki_links l WHERE l.slug = s.slug)",
    ),
    ("goals that are there twice", "SELECT count(*) - count(DISTINCT title) FROM goals"),
    ("goals without a channel", "SELECT count(*) FROM goals WHERE channel_id IS NULL"),
    (
        "goals with some of their tasks",
        "SELECT count(*)
           FROM goals g
          WHERE (SELECT count(*) FROM goal_tasks t WHERE t.goal_id = g.id) NOT IN (0, 2)",
    ),
    (
        "push messages that were queued twice",
        "SELECT count(*) - count(DISTINCT CAST(payload AS TEXT)) FROM queue_items WHERE queue = 'push'",
    ),
];

async fn check(test: &TestHub, done: &Acknowledged) {
    for (slug, revision) in &done.articles {
        let newest = "SELECT CAST(coalesce(max(revision), 0) AS BIGINT) FROM wiki_articles WHERE slug = $1";
        let newest = of(test, newest, slug).await;
        assert!((*revision..=revision + 1).contains(&newest), "{slug} is at {newest}, and {revision} was acknowledged");
    }
    for (title, has_tasks) in &done.goals {
        assert_eq!(of(test, "SELECT count(*) FROM goals WHERE title = $1", title).await, 1, "{title}");
        let tasks = "SELECT count(*) FROM goal_tasks t JOIN goals g ON g.id = t.goal_id WHERE g.title = $1";
        assert!(!has_tasks || of(test, tasks, title).await == 2, "the tasks of {title} are lost");
    }
    for id in &done.messages {
        let found = "SELECT count(*) FROM messages WHERE CAST(id AS TEXT) = $1";
        assert_eq!(of(test, found, &id.to_string()).await, 1, "message {id} is lost");
    }
    for (what, statement) in FAULTS {
        assert_eq!(test.number(statement).await, 0, "{what}");
    }
}

#[both_engines]
async fn knowledge_and_push_messages_survive_kill_9(test: TestHub) {
    let receiver = Receiver::start().await;
    receiver.always(Reply::Status(201, ""));
    key_of_a_person(&test.hub, "ann").await;
    let mut keys = Vec::new();
    for number in 0..WORKERS {
        keys.push(agent_of_admin(&test.hub, &format!("writer-{number}")).await);
    }
    #[expect(clippy::disallowed_methods, reason = "the test talks to its own server on the loopback interface")]
    let client = Client::new();
    let mut unanswered: Vec<Option<String>> = vec![None; WORKERS];
    let mut survived = 0;
    for round in 0..rounds() {
        let (server, base) = start(&test).await;
        if round == 0 {
            subscribe(&client, &base, &receiver).await;
        }
        let (counted, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let workers: Vec<_> = keys
            .iter()
            .zip(&mut unanswered)
            .enumerate()
            .map(|(number, (key, unanswered))| {
                let (client, base, key) = (client.clone(), base.clone(), key.clone());
                let load = Load { client, base, key, number, counted: counted.clone(), stop: stop.clone() };
                tokio::spawn(load.run(round, unanswered.take()))
            })
            .collect();
        // Another moment each time, in the middle of what is under way.
        let enough = 40 + round * 37 % 101;
        until("the load is under way", async || (counted.load(Ordering::Relaxed) >= enough).then_some(())).await;
        kill(&test, server).await;
        stop.store(true, Ordering::Relaxed);
        for (number, worker) in workers.into_iter().enumerate() {
            let done = worker.await.unwrap();
            check(&test, &done).await;
            survived += done.count();
            unanswered[number] = done.unanswered;
        }
        let_leases_end(&test, "push_reader").await;
    }
    assert!(survived > 10 * rounds(), "{survived}");
    // The phone is told of every message, whether its sender got an answer or not.
    let (server, _) = start(&test).await;
    let sent = "SELECT count(*) FROM queue_items WHERE queue = 'push' AND status = 'done'";
    until("all push messages to be sent", async || {
        (test.number(sent).await == test.number(MESSAGES).await).then_some(())
    })
    .await;
    assert_eq!(test.number("SELECT count(*) FROM queue_items WHERE queue = 'push'").await, test.number(MESSAGES).await);
    kill(&test, server).await;
    println!("{}: {survived} acknowledged changes survived", test.hub.db().engine());
}
