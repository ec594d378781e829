//! Administration of accounts by admins over REST: making, changing, resetting, and who may not.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::oauth;
use crate::support::people::{PASSWORD, Person};
use crate::support::server::{TestServer, problem};
use crate::support::wait::soon;

const OTHER_PASSWORD: &str = "staple battery horse";

async fn ask(test: &TestServer, who: &Person, method: Method, path: &str, body: Value) -> Response {
    test.request_as(who, method, path).json(&body).send().await.unwrap()
}

async fn done(answer: Response, status: u16) -> Value {
    let (found, text) = (answer.status().as_u16(), answer.text().await.unwrap());
    assert_eq!(found, status, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// The code of the link in an answer.
fn code(answer: &Value) -> String {
    answer["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
}

async fn reset(test: &TestServer, admin: &Person, name: &str) -> String {
    let path = format!("/api/admin/users/{name}/password-reset");
    code(&done(ask(test, admin, Method::POST, &path, json!({})).await, 200).await)
}

async fn choose(test: &TestServer, code: &str, password: &str) -> Response {
    let body = json!({ "reset": code, "new_password": password });
    test.request(Method::POST, "/auth/reset").json(&body).send().await.unwrap()
}

#[both_engines]
async fn an_admin_makes_an_account_and_changes_its_role(test: TestServer) {
    let boss = test.admin("boss").await;
    let new = json!({ "username": "bob", "display_name": "Bob Marsh" });
    let made = done(ask(&test, &boss, Method::POST, "/api/admin/users", new).await, 201).await;
    assert_eq!((&made["user"]["username"], &made["user"]["role"]), (&json!("bob"), &json!("user")));
    let password = made["password"].as_str().unwrap();
    assert!(password.len() >= 24);
    assert_eq!(test.try_log_in("bob", password).await.status(), 200);
    let chosen = json!({ "username": "cleo", "role": "admin", "password": PASSWORD });
    let made = done(ask(&test, &boss, Method::POST, "/api/admin/users", chosen).await, 201).await;
    assert!(made.get("password").is_none(), "{made}");
    let cleo = test.log_in("cleo").await;
    assert_eq!(test.look(&cleo, "/api/admin/users/bob").await["display_name"], "Bob Marsh");

    let taken = ask(&test, &boss, Method::POST, "/api/admin/users", json!({ "username": "BOB" })).await;
    problem(taken, 409, "handle_taken").await;
    let wrong = ask(&test, &boss, Method::POST, "/api/admin/users", json!({ "username": "b" })).await;
    assert_eq!(problem(wrong, 400, "validation_failed").await["errors"][0]["field"], "username");

    let promoted = ask(&test, &boss, Method::PATCH, "/api/admin/users/bob", json!({ "role": "admin" })).await;
    assert_eq!(done(promoted, 200).await["role"], "admin");
    let entries = test.look(&boss, "/api/admin/audit?event=user_changed&actor=BOSS").await;
    let entry = &entries["entries"][0];
    assert_eq!((&entry["username"], &entry["actor"]), (&json!("bob"), &json!("boss")));
    assert_eq!(entry["details"]["role"], "admin");
    for path in ["/api/admin/users/nobody", "/api/admin/users/%00"] {
        problem(test.request_as(&boss, Method::GET, path).send().await.unwrap(), 404, "not_found").await;
    }
    test.stop().await;
}

#[both_engines]
async fn people_are_found_by_a_part_of_their_name(test: TestServer) {
    let boss = test.admin("boss").await;
    for (name, shown) in [("ann_lee", "Ann Lee"), ("annex", "Annex 7"), ("bob", "Bob Hannigan")] {
        let new = json!({ "username": name, "display_name": shown, "password": PASSWORD });
        done(ask(&test, &boss, Method::POST, "/api/admin/users", new).await, 201).await;
    }
    let found = async |query: &str| -> Vec<String> {
        let page = test.look(&boss, &format!("/api/admin/users?q={query}")).await;
        let users = page["users"].as_array().unwrap().iter();
        let names: Vec<String> = users.map(|user| user["username"].as_str().unwrap().to_owned()).collect();
        assert_eq!(page["total"], names.len());
        names
    };
    assert_eq!(found("ANN").await, ["ann_lee", "annex", "bob"]);
    assert_eq!(found("n_l").await, ["ann_lee"], "an underscore is a letter");
    assert_eq!(found("%25").await, Vec::<String>::new());
    assert_eq!(found("").await.len(), 5, "with the first admin and the boss");
    test.stop().await;
}

#[both_engines]
async fn a_reset_ends_the_old_password_and_its_link_works_once(test: TestServer) {
    let (boss, bob) = (test.admin("boss").await, test.person("bob").await);
    let agent_key = test.create_agent(&bob, "builder").await;
    let stream = test.stream(&bob).await;
    let replaced = reset(&test, &boss, "bob").await;
    assert_eq!(test.request_as(&bob, Method::GET, "/auth/me").send().await.unwrap().status(), 401);
    soon("the login's stream ends", stream.rest()).await;
    problem(test.try_log_in("bob", PASSWORD).await, 401, "invalid_credentials").await;
    let works = test.request_with(&agent_key, Method::GET, "/api/agents").send().await.unwrap();
    assert_eq!(works.status(), 200, "agents go on");

    let link = reset(&test, &boss, "bob").await;
    problem(choose(&test, &replaced, OTHER_PASSWORD).await, 403, "reset_required").await;
    problem(choose(&test, &link, "short").await, 400, "validation_failed").await;
    let chosen = choose(&test, &link, OTHER_PASSWORD).await;
    assert_eq!(chosen.status(), 200);
    let cookie = chosen.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let me = test.request(Method::GET, "/auth/me").header("Cookie", cookie).send().await.unwrap();
    assert_eq!(done(me, 200).await["username"], "bob");
    assert_eq!(test.try_log_in("bob", OTHER_PASSWORD).await.status(), 200);
    problem(choose(&test, &link, PASSWORD).await, 403, "reset_required").await;

    let late = reset(&test, &boss, "bob").await;
    test.clock.advance(limits::RESET_TTL);
    problem(choose(&test, &late, PASSWORD).await, 403, "reset_required").await;
    for bad in ["", "svcp_", &late[1..]] {
        problem(choose(&test, bad, PASSWORD).await, 403, "reset_required").await;
    }
    test.stop().await;
}

#[both_engines]
async fn a_link_is_used_by_one_of_many(test: TestServer) {
    let boss = test.admin("boss").await;
    test.person("bob").await;
    let link = reset(&test, &boss, "bob").await;
    let racers: Vec<_> = (0..6)
        .map(|n| {
            let (client, url, link) = (test.client.clone(), test.url("/auth/reset"), link.clone());
            tokio::spawn(async move {
                let body = json!({ "reset": link, "new_password": format!("password number {n}") });
                client.post(url).json(&body).send().await.unwrap().status().as_u16()
            })
        })
        .collect();
    let mut statuses = Vec::new();
    for racer in racers {
        statuses.push(racer.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    let winner = statuses.iter().position(|status| *status == 200).unwrap();
    assert_eq!(test.try_log_in("bob", &format!("password number {winner}")).await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn a_deactivated_account_gets_no_new_password(test: TestServer) {
    let boss = test.admin("boss").await;
    let bob = test.person("bob").await;
    let stream = test.stream(&bob).await;
    let link = reset(&test, &boss, "bob").await;
    let off = ask(&test, &boss, Method::PATCH, "/api/admin/users/bob", json!({ "disabled": true })).await;
    assert!(done(off, 200).await["disabled_at"].is_string());
    soon("the stream ends", stream.rest()).await;
    problem(choose(&test, &link, OTHER_PASSWORD).await, 403, "reset_required").await;
    let again = ask(&test, &boss, Method::POST, "/api/admin/users/bob/password-reset", json!({})).await;
    problem(again, 409, "account_disabled").await;
    let on = ask(&test, &boss, Method::PATCH, "/api/admin/users/bob", json!({ "disabled": false })).await;
    assert!(done(on, 200).await.get("disabled_at").is_none());
    assert_eq!(choose(&test, &link, OTHER_PASSWORD).await.status(), 200, "the link was not used up");
    test.stop().await;
}

#[both_engines]
async fn an_admin_who_can_log_in_is_always_left(test: TestServer) {
    let boss = test.admin("boss").await;
    let own = ask(&test, &boss, Method::POST, "/api/admin/users/boss/password-reset", json!({})).await;
    problem(own, 409, "own_account").await;
    // The first admin cannot log in until the link is used, and another one may be made meanwhile.
    reset(&test, &boss, "admin").await;
    let link = reset(&test, &boss, "admin").await;
    for change in [json!({ "role": "user" }), json!({ "disabled": true })] {
        problem(ask(&test, &boss, Method::PATCH, "/api/admin/users/boss", change).await, 409, "last_admin").await;
    }
    assert_eq!(choose(&test, &link, OTHER_PASSWORD).await.status(), 200);
    let left = ask(&test, &boss, Method::PATCH, "/api/admin/users/boss", json!({ "role": "user" })).await;
    assert_eq!(done(left, 200).await["role"], "user");
    let lost = test.request_as(&boss, Method::GET, "/api/admin/users").send().await.unwrap();
    problem(lost, 403, "admin_required").await;
    test.stop().await;
}

#[both_engines]
async fn two_admins_cannot_lock_each_other_out(test: TestServer) {
    let (one, two) = (test.admin("one_admin").await, test.admin("two_admin").await);
    let gone = ask(&test, &one, Method::PATCH, "/api/admin/users/admin", json!({ "role": "user" })).await;
    assert_eq!(gone.status(), 200);
    let send = |who: &Person, name: &str| {
        let request = test.request_as(who, Method::POST, &format!("/api/admin/users/{name}/password-reset"));
        tokio::spawn(async move { request.json(&json!({})).send().await.unwrap().status().as_u16() })
    };
    let (first, second) = (send(&one, "two_admin"), send(&two, "one_admin"));
    let statuses = [first.await.unwrap(), second.await.unwrap()];
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    test.stop().await;
}

#[both_engines]
async fn a_key_or_an_old_session_administers_nothing(test: TestServer) {
    let boss = test.admin("boss").await;
    let (_, key) = test.create_key(&boss, json!({ "name": "k", "permissions": ["admin"] })).await;
    let new = json!({ "username": "bob", "password": PASSWORD });
    let by_key = test.request_with(&key, Method::POST, "/api/admin/users").json(&new).send().await.unwrap();
    problem(by_key, 403, "session_required").await;
    let reads = test.request_with(&key, Method::GET, "/api/admin/users").send().await.unwrap();
    assert_eq!(reads.status(), 200, "an admin's key reads");
    test.clock.advance(limits::LOGIN_CONFIRMED + Duration::from_secs(1));
    for (method, path, body) in [
        (Method::POST, "/api/admin/users", new.clone()),
        (Method::PATCH, "/api/admin/users/admin", json!({ "role": "user" })),
        (Method::POST, "/api/admin/users/admin/password-reset", json!({})),
        (Method::POST, "/api/admin/invites", json!({})),
        (Method::DELETE, "/api/admin/invites/1", json!({})),
        (Method::DELETE, "/api/admin/oauth-clients?client_id=x", json!({})),
    ] {
        problem(ask(&test, &boss, method, path, body).await, 403, "password_required").await;
    }
    let confirmed = ask(&test, &boss, Method::POST, "/auth/confirm", json!({ "password": PASSWORD })).await;
    assert_eq!(confirmed.status(), 204);
    done(ask(&test, &boss, Method::POST, "/api/admin/users", new).await, 201).await;
    test.stop().await;
}

#[both_engines]
async fn admins_see_all_agents_and_end_clients(test: TestServer) {
    let (boss, bob) = (test.admin("boss").await, test.person("bob").await);
    test.create_agent(&bob, "builder").await;
    let agents = test.look(&boss, "/api/admin/agents?owner=bob").await;
    assert_eq!((&agents["total"], &agents["agents"][0]["owner"]), (&json!(1), &json!("bob")));
    assert!(agents["agents"][0].get("agent_md").is_none(), "instructions are their owner's");
    let nobody = test.request_as(&boss, Method::GET, "/api/admin/agents?owner=nobody").send().await.unwrap();
    problem(nobody, 404, "not_found").await;

    let caller = test.hub.auth().session(bob.cookie.split_once('=').unwrap().1).await.unwrap();
    let client = oauth::public_client(&test.hub).await;
    let tokens = oauth::tokens(&test.hub, &caller, &client, "builder").await;
    let works = async || test.hub.auth().bearer_at(tokens.access_token.reveal(), "/mcp").await.is_ok();
    assert!(works().await);
    let clients = test.look(&boss, "/api/admin/oauth-clients").await;
    assert_eq!(clients["total"], 1);
    let id = clients["clients"][0]["client_id"].as_str().unwrap();
    let path = format!("/api/admin/oauth-clients?client_id={id}");
    assert_eq!(ask(&test, &boss, Method::DELETE, &path, json!({})).await.status(), 204);
    assert!(!works().await);
    problem(ask(&test, &boss, Method::DELETE, &path, json!({})).await, 404, "not_found").await;
    test.stop().await;
}

#[both_engines]
async fn the_audit_log_is_exported_as_it_is_listed(test: TestServer) {
    let boss = test.admin("boss").await;
    for n in 0..3 {
        let new = json!({ "username": format!("person_{n}"), "password": PASSWORD });
        done(ask(&test, &boss, Method::POST, "/api/admin/users", new).await, 201).await;
    }
    let export = async |query: &str| {
        let path = format!("/api/admin/audit/export?{query}");
        let answer = test.request_as(&boss, Method::GET, &path).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        assert!(answer.headers()["content-disposition"].to_str().unwrap().starts_with("attachment"));
        answer.text().await.unwrap()
    };
    let lines = export("event=user_created&actor=boss").await;
    let names: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["username"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["person_2", "person_1", "person_0"]);
    let csv = export("format=csv&event=user_created&actor=boss").await;
    let rows: Vec<_> = csv.split("\r\n").filter(|row| !row.is_empty()).collect();
    assert!(rows[0].starts_with("id,created_at,event,user_id,username,actor,"), "{}", rows[0]);
    assert_eq!(rows.len(), 4);
    assert_eq!(export("actor=nobody").await, "");
    test.stop().await;
}
