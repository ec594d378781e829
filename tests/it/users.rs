//! Accounts: the first one, invitations, passwords, roles, and their end.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::agents::{AgentName, AgentSettings, NewAgent};
use svc_core::audit::AuditFilter;
use svc_core::auth::{Password, Visit};
use svc_core::users::{NewInvite, NewUser, Role, UserUpdate};
use svc_core::{Caller, Hub, Page};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::child::TestChild;
use crate::support::hub::TestHub;
use crate::support::oauth;
use crate::support::people::PASSWORD;
use crate::support::server::{TestServer, problem};
use crate::support::wait::soon;

fn new_user(name: &str, role: Role) -> NewUser {
    let password = Some(Password::parse("password", PASSWORD).unwrap());
    NewUser { username: name.parse().unwrap(), display_name: None, role, password }
}

async fn create(hub: &Hub, name: &str, role: Role) -> svc_core::Result<svc_core::users::CreatedUser> {
    hub.users().create(&Caller::root(), new_user(name, role)).await
}

async fn can_log_in(hub: &Hub, name: &str, password: &str) -> bool {
    hub.sessions().login(name, password, &Visit::through(svc_core::auth::Surface::Hub)).await.is_ok()
}

#[both_engines]
async fn an_empty_store_begins_with_an_admin_the_system_and_a_channel(test: TestHub) {
    let admin = test.hub.first_admin().expect("the store was empty");
    assert!(admin.password.reveal().len() >= 24);
    assert!(can_log_in(&test.hub, "admin", admin.password.reveal()).await);
    assert_eq!(test.number("SELECT count(*) FROM participants WHERE handle = 'system'").await, 1);
    assert_eq!(test.number("SELECT count(*) FROM channels WHERE name = 'general'").await, 1);
    let again = test.another().await;
    assert!(again.first_admin().is_none(), "it is told once");
    assert!(can_log_in(&again, "admin", admin.password.reveal()).await);
    again.close().await;
}

#[both_engines]
async fn names_are_taken_without_case_by_humans_agents_and_the_system_alike(test: TestHub) {
    let root = Caller::root();
    create(&test.hub, "Ann", Role::User).await.unwrap();
    let agent = |name: &str| NewAgent {
        name: name.parse::<AgentName>().unwrap(),
        owner: Some("ann".parse().unwrap()),
        settings: AgentSettings::default(),
    };
    test.hub.agents().create(&root, agent("builder")).await.unwrap();
    for taken in ["ann", "ANN", "Builder", "SYSTEM", "admin", "Reactive"] {
        assert_eq!(create(&test.hub, taken, Role::User).await.unwrap_err().code(), "handle_taken", "{taken}");
    }
    for taken in ["ann", "builder", "system", "reactive"] {
        let error = test.hub.agents().create(&root, agent(taken)).await.unwrap_err();
        assert_eq!(error.code(), "handle_taken", "{taken}");
    }
    // A name is not given again after its end.
    test.hub.agents().delete(&root, "builder").await.unwrap();
    assert_eq!(test.hub.agents().create(&root, agent("builder")).await.unwrap_err().code(), "handle_taken");
    test.hub.users().delete(&root, "ann").await.unwrap();
    assert_eq!(create(&test.hub, "ann", Role::User).await.unwrap_err().code(), "handle_taken");
}

#[both_engines]
async fn there_is_always_an_admin_who_can_log_in(test: TestHub) {
    let root = Caller::root();
    let users = test.hub.users();
    let last = async |update| users.update(&root, "admin", update).await.unwrap_err().code();
    assert_eq!(last(UserUpdate { role: Some(Role::User), disabled: None }).await, "last_admin");
    assert_eq!(last(UserUpdate { role: None, disabled: Some(true) }).await, "last_admin");
    assert_eq!(users.delete(&root, "admin").await.unwrap_err().code(), "last_admin");
    create(&test.hub, "ann", Role::Admin).await.unwrap();
    let demote = |name: &'static str| {
        let (users, root) = (users.clone(), root.clone());
        let update = UserUpdate { role: Some(Role::User), disabled: None };
        tokio::spawn(async move { users.update(&root, name, update).await.is_ok() })
    };
    let (one, two) = (demote("admin"), demote("ann"));
    assert_eq!([one.await.unwrap(), two.await.unwrap()].iter().filter(|done| **done).count(), 1);
}

#[both_engines]
async fn an_account_that_ends_takes_everything_that_acts_for_it_along(test: TestServer) {
    let ann = test.person("ann").await;
    let agent_key = test.create_agent(&ann, "builder").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "ci", "permissions": ["read"] })).await;
    let works = async || {
        let mut alive = Vec::new();
        alive.push(test.request_as(&ann, Method::GET, "/auth/me").send().await.unwrap().status().as_u16());
        for token in [&agent_key, &key] {
            alive.push(test.request_with(token, Method::GET, "/api/agents").send().await.unwrap().status().as_u16());
        }
        alive
    };
    assert_eq!(works().await, [200, 200, 200]);
    let root = Caller::root();
    let disable = UserUpdate { role: None, disabled: Some(true) };
    test.hub.users().update(&root, "ann", disable).await.unwrap();
    assert_eq!(works().await, [401, 401, 401]);
    problem(test.try_log_in("ann", PASSWORD).await, 403, "account_disabled").await;
    test.hub.users().update(&root, "ann", UserUpdate { role: None, disabled: Some(false) }).await.unwrap();
    // Keys work again; the login was ended.
    assert_eq!(works().await, [401, 200, 200]);
    test.hub.users().delete(&root, "ann").await.unwrap();
    assert_eq!(works().await, [401, 401, 401]);
    problem(test.try_log_in("ann", PASSWORD).await, 401, "invalid_credentials").await;
    test.stop().await;
}

#[both_engines]
async fn an_invitation_opens_one_account(test: TestServer) {
    let register = async |invite: &str, username: &str, password: &str| {
        let body = json!({ "invite": invite, "username": username, "password": password, "display_name": "Ann Ü." });
        test.request(Method::POST, "/auth/register").json(&body).send().await.unwrap()
    };
    let invite = async || {
        let new = NewInvite { role: Role::User, lasts: None, note: None };
        test.hub.users().invite(&Caller::root(), new).await.unwrap().token.reveal().to_owned()
    };
    let token = invite().await;
    let mut mistyped = token.clone();
    mistyped.replace_range(10..11, if &token[10..11] == "x" { "y" } else { "x" });
    for bad in ["", "svci_", mistyped.as_str(), "svca_000000000000"] {
        problem(register(bad, "ann", PASSWORD).await, 403, "invite_required").await;
        problem(register(bad, "!", "").await, 403, "invite_required").await;
    }
    // A refused name or password does not use the invitation up.
    problem(register(&token, "an", PASSWORD).await, 400, "validation_failed").await;
    problem(register(&token, "ann", "short").await, 400, "validation_failed").await;
    problem(register(&token, "ADMIN", PASSWORD).await, 409, "handle_taken").await;
    let made = register(&token, "ann", PASSWORD).await;
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    assert_eq!(
        (&made["username"], &made["display_name"], &made["role"]),
        (&json!("ann"), &json!("Ann Ü."), &json!("user"))
    );
    problem(register(&token, "bob", PASSWORD).await, 403, "invite_required").await;
    assert_eq!(test.try_log_in("ANN", PASSWORD).await.status(), 200);
    // Many at once: one account.
    let token = invite().await;
    let racers: Vec<_> = (0..8)
        .map(|n| {
            let (client, url, token) = (test.client.clone(), test.url("/auth/register"), token.clone());
            tokio::spawn(async move {
                let body = json!({ "invite": token, "username": format!("racer_{n}"), "password": PASSWORD });
                client.post(url).json(&body).send().await.unwrap().status().as_u16()
            })
        })
        .collect();
    let mut statuses = Vec::new();
    for racer in racers {
        statuses.push(racer.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 403).count(), 7, "{statuses:?}");
    // Past its time.
    let late = invite().await;
    test.clock.advance(svc_core::limits::INVITE_TTL);
    problem(register(&late, "late", PASSWORD).await, 403, "invite_required").await;
    test.stop().await;
}

#[both_engines]
async fn accounts_begin_with_whoever_runs_the_server_and_with_admins(test: TestServer) {
    let admin = test.admin("ann").await;
    let caller = test.hub.auth().session(admin.cookie.split_once('=').unwrap().1).await.unwrap();
    assert!(test.hub.users().create(&caller, new_user("cleo", Role::User)).await.is_ok());
    assert!(test.hub.users().list(&caller, Page::default()).await.is_ok());
    let bob = test.person("bob").await;
    let bob = test.hub.auth().session(bob.cookie.split_once('=').unwrap().1).await.unwrap();
    let error = test.hub.users().create(&bob, new_user("dora", Role::User)).await.unwrap_err();
    assert_eq!(error.code(), "admin_required");
    assert_eq!(test.hub.users().list(&bob, Page::default()).await.unwrap_err().code(), "admin_required");
    assert_eq!(test.hub.audit().list(&bob, AuditFilter::default()).await.unwrap_err().code(), "admin_required");
    test.stop().await;
}

#[both_engines]
async fn people_change_their_name_and_end_what_they_allowed(test: TestServer) {
    let ann = test.person("ann").await;
    let json = async |method: Method, path: &str, body: Value| -> Value {
        let answer = test.request_as(&ann, method, path).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.unwrap()
    };
    let renamed = json(Method::PATCH, "/auth/me", json!({ "display_name": " Ann Ü. " })).await;
    assert_eq!(renamed["display_name"], "Ann Ü.");
    assert_eq!(json(Method::GET, "/auth/me", json!({})).await["display_name"], "Ann Ü.");
    let long = test.request_as(&ann, Method::PATCH, "/auth/me").json(&json!({ "display_name": "x".repeat(200) }));
    let refused = problem(long.send().await.unwrap(), 400, "validation_failed").await;
    assert_eq!(refused["errors"][0]["field"], "display_name");
    test.create_agent(&ann, "builder").await;
    let caller = test.hub.auth().session(ann.cookie.split_once('=').unwrap().1).await.unwrap();
    let client = oauth::public_client(&test.hub).await;
    let tokens = oauth::tokens(&test.hub, &caller, &client, "builder").await;
    let grants = json(Method::GET, "/auth/grants", json!({})).await;
    assert_eq!((&grants["total"], &grants["grants"][0]["client_name"]), (&json!(1), &json!("App")));
    // The token is for /mcp.
    let works = async || test.hub.auth().bearer_at(tokens.access_token.reveal(), "/mcp").await.is_ok();
    assert!(works().await);
    let path = format!("/auth/grants/{}", grants["grants"][0]["id"]);
    assert_eq!(test.request_as(&ann, Method::DELETE, &path).send().await.unwrap().status(), 204);
    assert!(!works().await);
    assert_eq!(json(Method::GET, "/auth/grants", json!({})).await["total"], 0);
    test.stop().await;
}

#[both_engines]
async fn admins_see_accounts_and_what_happened_to_them(test: TestServer) {
    let boss = test.admin("boss").await;
    test.person("ann").await;
    let get = async |path: &str| -> Value {
        let answer = test.request_as(&boss, Method::GET, path).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.unwrap()
    };
    let users = get("/api/admin/users?limit=2&offset=1").await;
    assert_eq!((&users["total"], &users["users"][0]["username"]), (&json!(3), &json!("ann")));
    assert_eq!(users["users"].as_array().unwrap().len(), 2);
    let mut seen = Vec::new();
    let mut path = "/api/admin/audit?username=ANN&limit=1".to_owned();
    loop {
        let page = get(&path).await;
        seen.extend(page["entries"].as_array().unwrap().iter().map(|entry| entry["event"].clone()));
        match page["next_before"].as_i64() {
            Some(before) => path = format!("/api/admin/audit?username=ANN&limit=1&before={before}"),
            None => break,
        }
    }
    assert_eq!(seen, ["session_created", "login_success", "user_created"]);
    let wrong = "/api/admin/audit?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z";
    problem(test.request_as(&boss, Method::GET, wrong).send().await.unwrap(), 400, "validation_failed").await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_password_is_printed_once_and_logged_never() {
    let data = TempDir::new().unwrap();
    let path = data.path().join("data").display().to_string();
    let socket = format!("{path}/admin.sock");
    let arguments = ["--data", &path, "--listen", "127.0.0.1:0", "--admin-socket", &socket, "--log-level", "trace"];
    let log = data.path().join("log");
    let read_log = async || tokio::fs::read_to_string(&log).await.unwrap();
    let (server, _, said) = TestChild::server_with_log(&arguments, &log);
    let password =
        said.iter().find_map(|line| line.trim().strip_prefix("password: ")).expect("it is printed").to_owned();
    assert!(password.len() >= 24);
    server.signal("TERM");
    soon("the end", tokio::task::spawn_blocking(move || server.wait())).await.unwrap();
    assert!(read_log().await.contains("user_created"), "the log tells that there is an account");
    assert!(!read_log().await.contains(&password), "but not its password");
    let (_again, _, said) = TestChild::server_with_log(&arguments, &log);
    assert!(said.iter().all(|line| !line.contains("password")), "{said:?}");
}

#[test]
fn a_server_without_a_place_for_its_admin_socket_makes_and_prints_nothing() {
    let data = TempDir::new().unwrap();
    let path = data.path().display().to_string();
    let socket = format!("{path}/no/such/directory/admin.sock");
    let arguments = ["--data", &path, "--listen", "127.0.0.1:0", "--admin-socket", &socket];
    let (code, text) = TestChild::run("svc-http", &arguments);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains(&socket) && !text.contains("password: "), "{text}");
    assert!(!data.path().join("svc.db").exists());
    let log = data.path().join("log");
    let arguments = ["--data", &path, "--listen", "127.0.0.1:0"];
    let (_server, _, said) = TestChild::server_with_log(&arguments, &log);
    assert!(said.iter().any(|line| line.contains("password: ")), "{said:?}");
}
