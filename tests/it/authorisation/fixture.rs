//! A fresh owner with everything that the table asks about, and the requests of everybody.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use svc_core::Page;
use svc_core::clock::Clock;
use svc_core::goals::NewProposal;
use svc_core::ids::GoalId;
use svc_core::secret_requests::NewSecretRequest;

use super::table::{Asker, Needs};
use crate::support::people::{PASSWORD, Person};
use crate::support::push::Browser;
use crate::support::server::TestServer;
use crate::support::{files, oauth};

/// A fresh owner with everything that the table asks about.
pub(super) struct Fixture {
    pub(super) owner: Person,
    agent: String,
    agent_key: String,
    key_id: i64,
    session_id: i64,
    grant_id: i64,
    message_id: i64,
    conversation_id: i64,
    dead_letter_id: i64,
    task_id: i64,
    scheduled_id: i64,
    template_id: i64,
    webhook_id: i64,
    push_subscription_id: i64,
    delivery_id: i64,
    run_id: i64,
    handler_id: i64,
    loop_id: i64,
    goal: Waiting,
    article: String,
    room: String,
    helper: String,
    file_hash: String,
    ended: Person,
    expired: Person,
    keys: Vec<(Asker, String)>,
    other: Person,
    other_agent_key: String,
    admin_key: String,
}

/// A goal with everything that can wait for its owner.
struct Waiting {
    goal_id: i64,
    task_id: i64,
    proposal: i64,
    secret_request_id: i64,
}

impl Fixture {
    #[expect(clippy::too_many_lines, reason = "it makes one of everything that can be asked for")]
    pub(super) async fn new(test: &TestServer, number: usize, admin: bool) -> Self {
        let name = format!("owner_{number}");
        let owner = if admin { test.admin(&name).await } else { test.person(&name).await };
        let agent = format!("agent-{number}");
        let agent_key = test.create_agent(&owner, &agent).await;
        let doomed = test.create_agent(&owner, &format!("doomed-{number}")).await;
        let path = format!("/api/agents/doomed-{number}");
        assert_eq!(test.request_as(&owner, Method::DELETE, &path).send().await.unwrap().status(), 204);
        let key = async |body: Value| test.create_key(&owner, body).await;
        let (revoked_id, revoked) = key(json!({ "name": "revoked", "permissions": ["admin"] })).await;
        let path = format!("/api/keys/{revoked_id}");
        assert_eq!(test.request_as(&owner, Method::DELETE, &path).send().await.unwrap().status(), 204);
        let end = test.clock.now().plus(Duration::from_secs(1));
        let (_, expired_key) = key(json!({ "name": "expired", "permissions": ["admin"], "expires_at": end })).await;
        let (_, read_only) = key(json!({ "name": "reader", "permissions": ["read"] })).await;
        let limited = json!({ "name": "limited", "permissions": ["admin"], "allowed_channels": ["general"] });
        let (_, limited) = key(limited).await;
        let (key_id, _) = key(json!({ "name": "target", "permissions": ["read"] })).await;
        let (_, admin_key) = key(json!({ "name": "right", "permissions": ["admin"] })).await;
        test.clock.advance(Duration::from_secs(1));
        let ended = test.log_in(&name).await;
        assert_eq!(test.request_as(&ended, Method::POST, "/auth/logout").send().await.unwrap().status(), 204);
        let expired = test.log_in(&name).await;
        let session = async |person: &Person| {
            let sessions = test.request_as(person, Method::GET, "/auth/sessions").send().await.unwrap();
            let sessions: Value = sessions.json().await.unwrap();
            let current = sessions["sessions"].as_array().unwrap().iter().find(|session| session["current"] == true);
            current.unwrap()["id"].as_i64().unwrap()
        };
        let expired_id = session(&expired).await;
        test.execute(format!("UPDATE sessions SET expires_at = 0 WHERE id = {expired_id}")).await;
        let session_id = session(&test.log_in(&name).await).await;
        let caller = test.hub.auth().session(owner.cookie.split_once('=').unwrap().1).await.unwrap();
        let client = oauth::public_client(&test.hub).await;
        let for_mcp = oauth::tokens(&test.hub, &caller, &client, &agent).await.access_token.reveal().to_owned();
        let grant_id = test.hub.oauth().grants(&caller, Page::default()).await.unwrap().grants[0].id.0;
        // By the owner's agent to the owner: both see it, and the owner is the one who is asked.
        let message = test.say_with(&agent_key, json!({ "to": name, "body": "Have a look." })).await;
        let message_id = message["id"].as_i64().unwrap();
        let conversation_id = message["conversation_id"].as_i64().unwrap();
        let failed = test.say_with(&agent_key, json!({ "to": name, "body": "And this." })).await;
        let fail = test.request_as(&owner, Method::POST, &format!("/api/messages/{}/fail", failed["id"]));
        assert_eq!(fail.json(&json!({ "reason": "no time" })).send().await.unwrap().status(), 200);
        let dead_letters = test.look(&owner, "/api/dead-letters").await;
        let dead_letter_id = dead_letters["dead_letters"][0]["id"].as_i64().unwrap();
        let (room, helper) = (format!("room-{number}"), format!("helper-{number}"));
        test.create_agent(&owner, &helper).await;
        let made = json!({ "name": room, "public": false, "members": [agent, helper] });
        let made = test.request_as(&owner, Method::POST, "/api/channels").json(&made).send().await.unwrap();
        assert_eq!(made.status(), 201);
        let task = json!({ "title": "A task", "body": "Do it.", "channel": room });
        let task = test.request_with(&agent_key, Method::POST, "/api/tasks").json(&task).send().await.unwrap();
        assert_eq!(task.status(), 201);
        let task_id = task.json::<Value>().await.unwrap()["id"].as_i64().unwrap();
        let scheduled = json!({ "channel": "general", "body": "Later.", "send_at": "2026-06-01T00:00:00Z" });
        let scheduled = test.request_with(&agent_key, Method::POST, "/api/scheduled-messages").json(&scheduled);
        let scheduled = scheduled.send().await.unwrap().json::<Value>().await.unwrap();
        let scheduled_id = scheduled["id"].as_i64().unwrap();
        let template = json!({ "name": "A template", "body": "Hello." });
        let template = test.did(&owner, Method::POST, "/api/message-templates", template).await;
        let template_id = template["id"].as_i64().unwrap();
        let (webhook_id, delivery_id) = webhook(test, &agent_key).await;
        let run_id = run(test, &agent).await;
        let handler_id = handler(test, &agent_key, run_id).await;
        let loop_id = found_loop(test, &agent, conversation_id).await;
        let goal = goal(test, &agent_key, number).await;
        // The owner sees the files of their agent.
        let shade = u8::try_from(number % 256).unwrap();
        let file = test.upload_with(&agent_key, "picture.png", &files::png(3, 3, shade)).await;
        let file_hash = file["hash"].as_str().unwrap().to_owned();
        let browser = Browser::new("http://127.0.0.1:1024/push/".to_owned() + &name);
        let browser = test.try_subscribe(&owner, browser.json()).await.json::<Value>().await.unwrap();
        let push_subscription_id = browser["id"].as_i64().unwrap();
        let other = test.person(&format!("other_{number}")).await;
        let other_agent_key = test.create_agent(&other, &format!("other-{number}")).await;
        let keys = vec![
            (Asker::RevokedKey, revoked),
            (Asker::ExpiredKey, expired_key),
            (Asker::DeletedAgentsKey, doomed),
            (Asker::TokenForMcp, for_mcp),
            (Asker::ReadOnlyKey, read_only),
            (Asker::ChannelLimitedKey, limited),
        ];
        Self {
            article: article(test, &agent_key, number).await,
            owner,
            agent,
            agent_key,
            key_id,
            session_id,
            grant_id,
            message_id,
            conversation_id,
            dead_letter_id,
            task_id,
            scheduled_id,
            template_id,
            webhook_id,
            push_subscription_id,
            delivery_id,
            run_id,
            handler_id,
            loop_id,
            goal,
            room,
            helper,
            file_hash,
            ended,
            expired,
            keys,
            other,
            other_agent_key,
            admin_key,
        }
    }

    fn path(&self, path: &str) -> String {
        let id = match path {
            "/auth/sessions/{id}" => self.session_id,
            "/auth/grants/{id}" => self.grant_id,
            "/api/conversations/{id}" => self.conversation_id,
            path if path.starts_with("/api/messages/") => self.message_id,
            path if path.starts_with("/api/dead-letters/") => self.dead_letter_id,
            path if path.starts_with("/api/tasks/") => self.task_id,
            path if path.starts_with("/api/scheduled-messages/") => self.scheduled_id,
            path if path.starts_with("/api/message-templates/") => self.template_id,
            path if path.starts_with("/api/webhooks/") => self.webhook_id,
            path if path.starts_with("/api/push/") => self.push_subscription_id,
            path if path.starts_with("/api/deliveries/") => self.delivery_id,
            path if path.starts_with("/api/runs/") || path.starts_with("/api/k8s/runs/") => self.run_id,
            path if path.starts_with("/api/k8s/handlers/") => self.handler_id,
            path if path.starts_with("/api/loops/") => self.loop_id,
            path if path.starts_with("/api/goals/") => self.goal.goal_id,
            path if path.starts_with("/api/secret-requests/") => self.goal.secret_request_id,
            _ => self.key_id,
        };
        let query = match path {
            "/api/messages/{id}/reactions" => "?reaction=approve",
            "/api/messages/by-state" => "?state=proposed",
            "/api/pins" => "?channel=general",
            "/api/admin/oauth-clients" => "?client_id=client_of_nobody",
            _ => "",
        };
        let name = match path {
            "/api/skills/{name}" => "task-auction",
            path if path.starts_with("/api/channels/") => &self.room,
            path if path.starts_with("/api/admin/users/") => &self.other.username,
            _ => &self.agent,
        };
        let path = format!("{path}{query}").replace("{agent}", &self.agent).replace("{handle}", &self.helper);
        let path = path.replace("{slug}", &self.article).replace("{task}", &self.goal.task_id.to_string());
        let path = path.replace("{emoji}", "%F0%9F%8E%89");
        let path = path.replace("{number}", &self.goal.proposal.to_string());
        path.replace("{name}", name).replace("{hash}", &self.file_hash).replace("{id}", &id.to_string())
    }

    pub(super) fn request(
        &self,
        test: &TestServer,
        asker: Asker,
        needs: Needs,
        method: Method,
        path: &str,
    ) -> RequestBuilder {
        let path = self.path(path);
        match asker {
            Asker::Anonymous => test.request(method, &path),
            Asker::EndedSession => test.request_as(&self.ended, method, &path),
            Asker::ExpiredSession => test.request_as(&self.expired, method, &path),
            Asker::ForeignOrigin => {
                let cookie = test.request(method, &path).header("Cookie", &self.owner.cookie);
                cookie.header("Origin", "https://evil.example").header("Sec-Fetch-Site", "cross-site")
            }
            Asker::OtherOwner => test.request_as(&self.other, method, &path),
            Asker::OtherAgent => test.request_with(&self.other_agent_key, method, &path),
            Asker::OwnAgent => test.request_with(&self.agent_key, method, &path),
            Asker::Right if needs == Needs::Bearer => test.request_with(&self.admin_key, method, &path),
            Asker::Right => test.request_as(&self.owner, method, &path),
            keyed => {
                let key = self.keys.iter().find(|(asker, _)| *asker == keyed).map(|(_, key)| key).unwrap();
                test.request_with(key, method, &path)
            }
        }
    }
}

/// A webhook of an agent with a delivery that has not ended and is not attempted. Nobody listens there.
async fn webhook(test: &TestServer, key: &str) -> (i64, i64) {
    let new = json!({ "url": "http://127.0.0.1:1024/hook", "events": ["goal.changed"] });
    let made = test.request_with(key, Method::POST, "/api/webhooks").json(&new).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let webhook = made.json::<Value>().await.unwrap()["webhook"]["id"].as_i64().unwrap();
    let delivered = test.hub.db().write(webhook, |tx, webhook| {
        let now = tx.now();
        let query = tx.query(
            "INSERT INTO webhook_deliveries
                (webhook_id, event, depth, status, item_id, attempts, created_at, updated_at)
             VALUES ($1, 'goal.changed', 0, 'open', 0, 1, $2, $2)",
        );
        Box::pin(query.bind(*webhook).bind(now).insert("id"))
    });
    (webhook, delivered.await.unwrap())
}

/// A run of an agent that has failed.
async fn run(test: &TestServer, agent: &str) -> i64 {
    let stored = test.hub.db().write(agent.to_owned(), |tx, agent| {
        let now = tx.now();
        let query = tx.query(
            "INSERT INTO reactive_runs
                (agent_id, owner_id, status, cause, depth, message_count, created_at, updated_at, started_at, ended_at)
             SELECT a.id, a.owner_id, 'failed', 'request', 0, 0, CAST($2 AS BIGINT), CAST($2 AS BIGINT), CAST($2 AS BIGINT),
                    CAST($2 AS BIGINT)
               FROM agents a
               JOIN participants p ON p.id = a.id
              WHERE p.handle = $1",
        );
        Box::pin(query.bind(agent.clone()).bind(now).insert("id"))
    });
    stored.await.unwrap()
}

/// A handler of an agent, with a run that was a Job of it.
async fn handler(test: &TestServer, key: &str, run: i64) -> i64 {
    let new = json!({ "image": "registry.example.org/agent:1", "events": ["goal.changed"] });
    let made = test.request_with(key, Method::POST, "/api/k8s/handlers").json(&new).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let handler = made.json::<Value>().await.unwrap()["id"].as_i64().unwrap();
    test.execute(format!(
        "INSERT INTO cluster_jobs (run_id, agent_id, owner_id, handler_id, event, event_seq, body, is_retry, image)
         SELECT id, agent_id, owner_id, {handler}, 'goal.changed', 1, '{{}}', FALSE, 'registry.example.org/agent:1'
           FROM reactive_runs
          WHERE id = {run}"
    ))
    .await;
    handler
}

/// A goal that an agent coordinates, with a proposed task, a proposed agent and a request for a secret.
async fn goal(test: &TestServer, key: &str, number: usize) -> Waiting {
    let new = json!({ "title": "A goal", "slug": format!("goal-of-{number}") });
    let made = test.request_with(key, Method::POST, "/api/goals").json(&new).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let goal_id = made.json::<Value>().await.unwrap()["id"].as_i64().unwrap();
    let path = format!("/api/goals/{goal_id}/tasks");
    let tree = json!({ "tree": [{ "title": "A task" }] });
    let stored = test.request_with(key, Method::POST, &path).json(&tree).send().await.unwrap();
    assert_eq!(stored.status(), 200);
    let task_id = stored.json::<Value>().await.unwrap()["tasks"][0]["id"].as_i64().unwrap();
    let agent = test.hub.auth().bearer(key).await.unwrap();
    let (name, purpose) = (format!("proposed-{number}"), "Helps.".to_owned());
    let proposal = NewProposal { name, purpose, budget_usd: Some(1.0), ..NewProposal::default() };
    let proposal = test.hub.goals().propose_agent(&agent, GoalId(goal_id), proposal).await.unwrap().number;
    let asked = NewSecretRequest { name: "TOKEN".into(), reason: "To push.".into(), goal_id: None };
    let secret_request_id = test.hub.secret_requests().request(&agent, asked).await.unwrap().id.0;
    Waiting { goal_id, task_id, proposal, secret_request_id }
}

/// An article of the wiki.
async fn article(test: &TestServer, key: &str, number: usize) -> String {
    let slug = format!("article-{number}");
    let new = json!({ "title": "An article", "slug": slug, "body": "A text." });
    let made = test.request_with(key, Method::POST, "/api/wiki/articles").json(&new).send().await.unwrap();
    assert_eq!(made.status(), 201);
    slug
}

/// A loop that an agent is in.
async fn found_loop(test: &TestServer, agent: &str, conversation: i64) -> i64 {
    let found = test.hub.db().write((agent.to_owned(), conversation), |tx, (agent, conversation)| {
        let now = tx.now();
        let query = tx.query(
            "INSERT INTO loops (kind, agent_id, conversation_id, count, held_at, until)
             VALUES ('flood', (SELECT id FROM participants WHERE handle_key = $1), $2, 61, $3, $4)",
        );
        let query = query.bind(agent.as_str()).bind(*conversation).bind(now).bind(now.plus(Duration::from_hours(1)));
        Box::pin(query.insert("id"))
    });
    found.await.unwrap()
}

/// The request with a body that the route would take.
pub(super) fn with_body(request: RequestBuilder, path: &str, owner: &str, asker: Asker) -> RequestBuilder {
    if path == "/api/attachments" {
        return files::with_form(request, files::form("notes.txt", owner.as_bytes()));
    }
    if path.ends_with("/avatar") {
        return files::with_form(request, files::form("face.png", &files::png(4, 4, 7)));
    }
    request.json(&body(path, owner, asker))
}

/// A body that the route would take.
#[expect(clippy::match_same_arms, reason = "each line is the body of another route")]
fn body(path: &str, owner: &str, asker: Asker) -> Value {
    let word = format!("{asker:?}").to_lowercase();
    match path {
        "/auth/login" => json!({ "username": owner, "password": PASSWORD }),
        "/auth/register" => json!({ "invite": "none", "username": "somebody", "password": PASSWORD }),
        "/auth/join" => json!({ "invite": "none", "username": "somebody", "password": PASSWORD }),
        "/auth/reset" => json!({ "reset": "none", "new_password": PASSWORD }),
        "/api/admin/users" => json!({ "username": format!("{word}_of_{owner}") }),
        "/api/admin/users/{name}" => json!({ "role": "user" }),
        "/auth/me" => json!({ "display_name": "New name" }),
        "/auth/confirm" => json!({ "password": PASSWORD }),
        "/auth/password" => json!({ "current_password": PASSWORD, "new_password": PASSWORD }),
        "/api/agents" => json!({ "name": format!("{word}-{}", owner.replace("owner_", "")) }),
        "/api/agents/{name}" => json!({ "display_name": "New name" }),
        "/api/profile" => json!({ "status": { "text": "At lunch" } }),
        "/api/keys" => json!({ "name": "new", "permissions": ["read"] }),
        "/api/messages/{id}/renew" | "/api/messages/{id}/release" => json!({ "claim_token": "nobodys" }),
        "/api/messages/{id}/reactions" => json!({ "reaction": "done" }),
        "/api/messages/{id}" => json!({ "body": "Have another look." }),
        "/api/channels" => json!({ "name": format!("{word}-{}", owner.replace("owner_", "")) }),
        "/api/channels/{name}" => json!({ "topic": "New topic" }),
        "/api/channels/{name}/settings" => json!({ "workflow_enabled": true }),
        "/api/channels/{name}/owner" => json!({ "owner": owner.replace("owner_", "agent-") }),
        "/api/channels/{name}/members" => json!({ "members": [owner.replace("owner_", "helper-")] }),
        "/api/push/subscriptions" => Browser::new(format!("http://127.0.0.1:1024/push/{asker:?}/{owner}")).json(),
        "/api/notifications/mark-read" => json!({ "kind": "dm", "name": owner.replace("owner_", "helper-") }),
        "/api/messages" => json!({ "channel": "general", "body": "Hello." }),
        "/api/scheduled-messages" => {
            json!({ "channel": "general", "body": "Later.", "send_at": "2026-06-01T00:00:00Z" })
        }
        "/api/scheduled-messages/{id}" => json!({ "body": "Much later." }),
        "/api/message-templates" => json!({ "name": word, "body": "Hello." }),
        "/api/tasks" => json!({ "title": "A task", "body": "Do it.", "channel": "general" }),
        "/api/webhooks" => {
            let other = matches!(asker, Asker::OtherOwner | Asker::OtherAgent);
            let agent = owner.replace("owner_", if other { "other-" } else { "agent-" });
            json!({ "agent": agent, "url": format!("https://1.1.1.1/{word}"), "events": ["*"] })
        }
        "/api/k8s/handlers" => {
            let other = matches!(asker, Asker::OtherOwner | Asker::OtherAgent);
            let agent = owner.replace("owner_", if other { "other-" } else { "agent-" });
            json!({ "agent": agent, "image": "registry.example.org/agent:1", "events": ["goal.changed"] })
        }
        "/api/goals" => json!({ "title": "Another goal", "slug": format!("{word}-{owner}") }),
        "/api/goals/{id}" => json!({ "title": "New title" }),
        "/api/goals/{id}/complete" => json!({ "status": "completed" }),
        "/api/goals/{id}/tasks" => json!({ "tree": [{ "title": "Another task" }] }),
        "/api/wiki/articles" => {
            json!({ "title": "Another article", "slug": format!("{word}-{}", owner.replace("owner_", "")) })
        }
        "/api/wiki/articles/{slug}" => json!({ "base_revision": 1, "body": format!("The text of {word}.") }),
        // The article of the first row.
        "/api/wiki/articles/{slug}/rename" => json!({ "slug": "article-0" }),
        "/api/secret-requests/{id}/provide" => json!({ "value": "hunter2" }),
        "/api/webhooks/{id}" => json!({ "events": ["goal.changed"] }),
        "/api/webhooks/{id}/recover" => json!({ "since": "2026-01-01T00:00:00Z" }),
        "/api/tasks/{id}/accept" => json!({ "bid_id": 0 }),
        _ => json!({}),
    }
}
