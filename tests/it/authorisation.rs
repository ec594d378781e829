//! The authorisation table: every documented route, asked by everybody who could ask.
//!
//! A route that is not in the table fails the test, so that none can be forgotten; so does a row
//! whose route is gone.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use svc_core::{Clock, Page};

use crate::support::oauth;
use crate::support::people::{PASSWORD, Person};
use crate::support::server::TestServer;

/// What a route asks of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Nothing.
    Nothing,
    /// A login.
    Session,
    /// A key or a token.
    Bearer,
    /// Anybody known, to look at what is theirs.
    Read,
    /// A human, or a key of theirs with the permission `admin`, to manage what is theirs.
    Manage,
    /// The role `admin`.
    Admin,
}

/// What the path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Nothing that belongs to anybody: everybody acts on their own.
    Nothing,
    /// Something of the owner's, which for others is not there.
    Owned,
}

/// `(method, path, needs, names, answer to the right caller)`.
const TABLE: &[(&str, &str, Needs, Names, u16)] = &[
    ("GET", "/healthz", Needs::Nothing, Names::Nothing, 200),
    ("GET", "/readyz", Needs::Nothing, Names::Nothing, 200),
    ("GET", "/metrics", Needs::Nothing, Names::Nothing, 200),
    ("POST", "/auth/login", Needs::Nothing, Names::Nothing, 200),
    // Without an invitation, which is its own kind of credential.
    ("POST", "/auth/register", Needs::Nothing, Names::Nothing, 403),
    ("POST", "/auth/logout", Needs::Session, Names::Nothing, 204),
    ("GET", "/auth/me", Needs::Session, Names::Nothing, 200),
    ("PATCH", "/auth/me", Needs::Session, Names::Nothing, 200),
    ("PUT", "/auth/password", Needs::Session, Names::Nothing, 204),
    ("GET", "/auth/sessions", Needs::Session, Names::Nothing, 200),
    ("DELETE", "/auth/sessions", Needs::Session, Names::Nothing, 204),
    ("DELETE", "/auth/sessions/{id}", Needs::Session, Names::Owned, 204),
    ("GET", "/auth/grants", Needs::Session, Names::Nothing, 200),
    ("DELETE", "/auth/grants/{id}", Needs::Session, Names::Owned, 204),
    ("GET", "/api/agents", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/agents", Needs::Manage, Names::Nothing, 201),
    ("GET", "/api/agents/{name}", Needs::Read, Names::Owned, 200),
    ("PATCH", "/api/agents/{name}", Needs::Manage, Names::Owned, 200),
    ("DELETE", "/api/agents/{name}", Needs::Manage, Names::Owned, 204),
    ("POST", "/api/agents/{name}/rotate-key", Needs::Manage, Names::Owned, 200),
    ("GET", "/api/keys", Needs::Manage, Names::Nothing, 200),
    ("POST", "/api/keys", Needs::Manage, Names::Nothing, 201),
    ("GET", "/api/keys/{id}", Needs::Manage, Names::Owned, 200),
    ("DELETE", "/api/keys/{id}", Needs::Manage, Names::Owned, 204),
    ("GET", "/api/whoami", Needs::Bearer, Names::Nothing, 200),
    ("GET", "/api/admin/users", Needs::Admin, Names::Nothing, 200),
    ("GET", "/api/admin/audit", Needs::Admin, Names::Nothing, 200),
];

/// Everybody who could ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asker {
    Anonymous,
    EndedSession,
    ExpiredSession,
    RevokedKey,
    ExpiredKey,
    DeletedAgentsKey,
    OtherOwner,
    OtherAgent,
    OwnAgent,
    ReadOnlyKey,
    ChannelLimitedKey,
    ForeignOrigin,
    Right,
}

const ASKERS: [Asker; 13] = [
    Asker::Anonymous,
    Asker::EndedSession,
    Asker::ExpiredSession,
    Asker::RevokedKey,
    Asker::ExpiredKey,
    Asker::DeletedAgentsKey,
    Asker::OtherOwner,
    Asker::OtherAgent,
    Asker::OwnAgent,
    Asker::ReadOnlyKey,
    Asker::ChannelLimitedKey,
    Asker::ForeignOrigin,
    Asker::Right,
];

/// The status that the table foresees.
#[expect(clippy::match_same_arms, reason = "each line is a rule of its own")]
fn expected(asker: Asker, method: &str, needs: Needs, names: Names, right: u16) -> u16 {
    use {Asker as A, Needs as N};
    match (asker, needs) {
        // A login from another origin is refused even where nothing else is asked.
        (A::ForeignOrigin, N::Nothing) if method != "GET" => 403,
        (_, N::Nothing) | (A::Right, _) => right,
        (
            A::Anonymous | A::EndedSession | A::ExpiredSession | A::RevokedKey | A::ExpiredKey | A::DeletedAgentsKey,
            _,
        ) => 401,
        (A::ForeignOrigin, N::Bearer) => 401,
        (A::ForeignOrigin, _) if method == "GET" => right,
        (A::ForeignOrigin, _) => 403,
        (A::OtherOwner, N::Bearer) => 401,
        (_, N::Bearer) => right,
        (A::OtherOwner | A::OtherAgent | A::OwnAgent | A::ReadOnlyKey | A::ChannelLimitedKey, N::Admin) => 403,
        (A::OtherOwner, _) => {
            if names == Names::Owned {
                404
            } else {
                right
            }
        }
        (_, N::Session) => 403,
        (A::OtherAgent, N::Read) if names == Names::Owned => 404,
        (_, N::Read) => right,
        (_, N::Manage) => 403,
    }
}

/// Why the table foresees that status; `None` where the right caller would be told the same.
fn reason(asker: Asker, needs: Needs, status: u16) -> Option<&'static str> {
    use {Asker as A, Needs as N};
    match (asker, needs, status) {
        (A::ForeignOrigin, _, 403) => Some("cross_origin"),
        (_, N::Nothing, _) | (A::Right, ..) => None,
        (A::Anonymous, _, 401) => Some("unauthenticated"),
        (A::EndedSession | A::ExpiredSession, _, 401) => Some("no_session"),
        (A::RevokedKey | A::DeletedAgentsKey, _, 401) => Some("token_revoked"),
        (A::ExpiredKey, _, 401) => Some("token_expired"),
        (_, N::Bearer, 401) => Some("bearer_required"),
        (_, N::Session, 403) => Some("session_required"),
        (A::ReadOnlyKey, N::Manage | N::Admin, 403) => Some("permission_denied"),
        (A::ChannelLimitedKey, N::Manage | N::Admin, 403) => Some("channel_not_allowed"),
        (A::OwnAgent | A::OtherAgent, N::Manage, 403) => Some("owner_required"),
        (_, N::Admin, 403) => Some("admin_required"),
        (_, _, 404) => Some("not_found"),
        _ => None,
    }
}

/// A fresh owner with everything that the table asks about.
struct Fixture {
    owner: Person,
    agent: String,
    agent_key: String,
    key_id: i64,
    session_id: i64,
    grant_id: i64,
    ended: Person,
    expired: Person,
    keys: Vec<(Asker, String)>,
    other: Person,
    other_agent_key: String,
    admin_key: String,
}

impl Fixture {
    async fn new(test: &TestServer, number: usize, admin: bool) -> Self {
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
        test.hub
            .db()
            .write(expired_id, |tx, id| {
                Box::pin(tx.query("UPDATE sessions SET expires_at = 0 WHERE id = $1").bind(*id).execute())
            })
            .await
            .unwrap();
        let session_id = session(&test.log_in(&name).await).await;
        let caller = test.hub.auth().session(owner.cookie.split_once('=').unwrap().1).await.unwrap();
        let client = oauth::public_client(&test.hub).await;
        oauth::tokens(&test.hub, &caller, &client, &agent).await;
        let grant_id = test.hub.oauth().grants(&caller, Page::default()).await.unwrap().grants[0].id.0;
        let other = test.person(&format!("other_{number}")).await;
        let other_agent_key = test.create_agent(&other, &format!("other-{number}")).await;
        let keys = vec![
            (Asker::RevokedKey, revoked),
            (Asker::ExpiredKey, expired_key),
            (Asker::DeletedAgentsKey, doomed),
            (Asker::ReadOnlyKey, read_only),
            (Asker::ChannelLimitedKey, limited),
        ];
        Self {
            owner,
            agent,
            agent_key,
            key_id,
            session_id,
            grant_id,
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
            _ => self.key_id,
        };
        path.replace("{name}", &self.agent).replace("{id}", &id.to_string())
    }

    fn request(&self, test: &TestServer, asker: Asker, needs: Needs, method: Method, path: &str) -> RequestBuilder {
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

/// A body that the route would take.
#[expect(clippy::match_same_arms, reason = "each line is the body of another route")]
fn body(path: &str, owner: &str, asker: Asker) -> Value {
    let word = format!("{asker:?}").to_lowercase();
    match path {
        "/auth/login" => json!({ "username": owner, "password": PASSWORD }),
        "/auth/register" => json!({ "invite": "none", "username": "somebody", "password": PASSWORD }),
        "/auth/me" => json!({ "display_name": "New name" }),
        "/auth/password" => json!({ "current_password": PASSWORD, "new_password": PASSWORD }),
        "/api/agents" => json!({ "name": format!("{word}-{}", owner.replace("owner_", "")) }),
        "/api/agents/{name}" => json!({ "display_name": "New name" }),
        "/api/keys" => json!({ "name": "new", "permissions": ["read"] }),
        _ => json!({}),
    }
}

on_both_engines! {
    async fn every_route_answers_everybody_as_the_table_says(test: TestServer) {
        let document = test.get_json("/openapi.json").await;
        let mut documented = BTreeSet::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for method in operations.as_object().unwrap().keys() {
                documented.insert((method.to_uppercase(), path.clone()));
            }
        }
        let listed: BTreeSet<_> = TABLE.iter().map(|row| (row.0.to_owned(), row.1.to_owned())).collect();
        assert_eq!(documented, listed, "every documented route stands in the table, and no other");
        let mut wrong = Vec::new();
        for (number, &(method, path, needs, names, right)) in TABLE.iter().enumerate() {
            let fixture = Fixture::new(&test, number, needs == Needs::Admin).await;
            for asker in ASKERS {
                let request = fixture.request(&test, asker, needs, method.parse().unwrap(), path);
                let request = if method == "GET" { request } else { request.json(&body(path, &fixture.owner.username, asker)) };
                let answer = request.send().await.unwrap();
                let status = answer.status().as_u16();
                let expected = expected(asker, method, needs, names, right);
                let code = answer.json::<Value>().await.unwrap_or_default()["code"].as_str().map(ToOwned::to_owned);
                let reason = reason(asker, needs, expected);
                if status != expected || reason.is_some() && code.as_deref() != reason {
                    wrong.push(format!("{method} {path} by {asker:?}: {status} {code:?}, expected {expected} {reason:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        test.stop().await;
    }
}
