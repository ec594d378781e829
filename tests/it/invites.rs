//! Invitations: made by admins, redeemed once on a page or over REST, revoked, and listed.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::people::{PASSWORD, Person};
use crate::support::server::{TestServer, problem};

async fn invite(test: &TestServer, admin: &Person, body: Value) -> Value {
    let answer = test.request_as(admin, Method::POST, "/api/admin/invites").json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 201);
    answer.json().await.unwrap()
}

async fn join(test: &TestServer, code: &str, username: &str) -> Response {
    let body = json!({ "invite": code, "username": username, "password": PASSWORD });
    test.request(Method::POST, "/auth/join").json(&body).send().await.unwrap()
}

async fn revoke(test: &TestServer, admin: &Person, id: &Value) -> Response {
    test.request_as(admin, Method::DELETE, &format!("/api/admin/invites/{id}")).send().await.unwrap()
}

fn cookie(answer: &Response) -> String {
    answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
}

/// Posts a form as a browser does from a page of this server.
async fn submit(test: &TestServer, path: &str, pairs: &[(&str, &str)]) -> Response {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    let request = test.request(Method::POST, path).header("Content-Type", "application/x-www-form-urlencoded");
    request.header("Origin", test.url("")).body(body).send().await.unwrap()
}

#[both_engines]
async fn a_colleague_joins_with_a_link_and_is_logged_in(test: TestServer) {
    let boss = test.admin("boss").await;
    let made = invite(&test, &boss, json!({ "note": "Bob Marsh", "role": "user" })).await;
    let (url, code) = (made["url"].as_str().unwrap(), made["invite"].as_str().unwrap());
    assert_eq!(url, format!("{}#{code}", test.url("/join")));
    let joined = join(&test, code, "bob").await;
    assert_eq!(joined.status(), 201);
    let session = cookie(&joined);
    assert_eq!(joined.headers().get_all("set-cookie").iter().count(), 2);
    assert_eq!(joined.json::<Value>().await.unwrap()["role"], "user");
    let me = test.request(Method::GET, "/auth/me").header("Cookie", &session).send().await.unwrap();
    assert_eq!(me.json::<Value>().await.unwrap()["username"], "bob");
    problem(join(&test, code, "cleo").await, 403, "invite_required").await;

    let listed = test.look(&boss, "/api/admin/invites").await;
    let entry = &listed["invites"][0];
    assert_eq!((&entry["state"], &entry["redeemed_by"]), (&json!("redeemed"), &json!("bob")));
    assert_eq!((&entry["note"], &entry["created_by"]), (&json!("Bob Marsh"), &json!("boss")));
    assert!(!listed.to_string().contains("svci_"), "{listed}");
    problem(revoke(&test, &boss, &entry["id"]).await, 409, "invite_ended").await;
    let audit = test.look(&boss, "/api/admin/audit?event=user_created&username=bob").await;
    assert_eq!(audit["entries"][0]["details"]["invite"], entry["id"]);
    test.stop().await;
}

#[both_engines]
async fn of_many_who_redeem_one_invitation_one_joins(test: TestServer) {
    let boss = test.admin("boss").await;
    let made = invite(&test, &boss, json!({})).await;
    let racers: Vec<_> = (0..8)
        .map(|n| {
            let (client, url) = (test.client.clone(), test.url("/auth/join"));
            let body = json!({ "invite": made["invite"], "username": format!("racer_{n}"), "password": PASSWORD });
            tokio::spawn(async move { client.post(url).json(&body).send().await.unwrap().status().as_u16() })
        })
        .collect();
    let mut statuses = Vec::new();
    for racer in racers {
        statuses.push(racer.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 403).count(), 7, "{statuses:?}");
    let racers = test.look(&boss, "/api/admin/users?q=racer").await;
    assert_eq!(racers["total"], 1);
    test.stop().await;
}

#[both_engines]
async fn a_revoked_invitation_is_worth_nothing(test: TestServer) {
    let boss = test.admin("boss").await;
    let made = invite(&test, &boss, json!({ "role": "admin" })).await;
    let ended = revoke(&test, &boss, &made["id"]).await;
    assert_eq!(ended.status(), 200);
    assert_eq!(ended.json::<Value>().await.unwrap()["state"], "revoked");
    let code = made["invite"].as_str().unwrap();
    problem(join(&test, code, "mallory").await, 403, "invite_required").await;
    problem(revoke(&test, &boss, &made["id"]).await, 409, "invite_ended").await;
    problem(revoke(&test, &boss, &json!(4711)).await, 404, "not_found").await;
    let audit = test.look(&boss, "/api/admin/audit?event=invite_revoked").await;
    let entry = &audit["entries"][0];
    assert_eq!((&entry["actor"], &entry["details"]["invite"]), (&json!("boss"), &made["id"]));
    // Whoever is first wins.
    for n in 0..4 {
        let made = invite(&test, &boss, json!({})).await;
        let body = json!({ "invite": made["invite"], "username": format!("racer_{n}"), "password": PASSWORD });
        let joining = test.request(Method::POST, "/auth/join").json(&body);
        let revoking = test.request_as(&boss, Method::DELETE, &format!("/api/admin/invites/{}", made["id"]));
        let (joining, revoking) = (tokio::spawn(joining.send()), tokio::spawn(revoking.send()));
        let joined = joining.await.unwrap().unwrap().status().as_u16();
        let revoked = revoking.await.unwrap().unwrap().status().as_u16();
        assert!([(201, 409), (403, 200)].contains(&(joined, revoked)), "{joined} {revoked}");
    }
    test.stop().await;
}

#[both_engines]
async fn an_invitation_has_an_end_and_a_note_within_limits(test: TestServer) {
    let boss = test.admin("boss").await;
    let short = invite(&test, &boss, json!({ "expires_in": 60 })).await;
    test.clock.advance(std::time::Duration::from_mins(1));
    problem(join(&test, short["invite"].as_str().unwrap(), "late").await, 403, "invite_required").await;
    assert_eq!(test.look(&boss, "/api/admin/invites").await["invites"][0]["state"], "expired");
    let refused = async |body: Value| {
        let answer = test.request_as(&boss, Method::POST, "/api/admin/invites").json(&body).send().await.unwrap();
        problem(answer, 400, "validation_failed").await["errors"][0]["field"].clone()
    };
    assert_eq!(refused(json!({ "expires_in": 0 })).await, "expires_in");
    assert_eq!(refused(json!({ "expires_in": limits::INVITE_TTL_MAX.as_secs() + 1 })).await, "expires_in");
    assert_eq!(refused(json!({ "note": "x".repeat(limits::INVITE_NOTE_MAX + 1) })).await, "note");
    assert_eq!(refused(json!({ "note": " " })).await, "note");
    test.stop().await;
}

#[both_engines]
async fn the_pages_work_without_script(test: TestServer) {
    let boss = test.admin("boss").await;
    let made = invite(&test, &boss, json!({})).await;
    let code = made["invite"].as_str().unwrap();
    let page = test.get("/join").await;
    assert_eq!(page.status(), 200);
    let page = page.text().await.unwrap();
    assert!(page.contains("name=\"invite\"") && page.contains("/pages/link.js"), "{page}");
    assert!(test.get("/pages/link.js").await.text().await.unwrap().contains("location.hash"));

    let fields = |name: &'static str| [("invite", code), ("username", name), ("password", PASSWORD)];
    let taken = submit(&test, "/join", &fields("ADMIN")).await;
    assert_eq!(taken.status(), 409);
    let again = taken.text().await.unwrap();
    let kept = format!("type=\"hidden\" name=\"invite\" value=\"{code}\"");
    assert!(again.contains("This name is taken") && again.contains(&kept), "{again}");
    assert!(!again.contains(PASSWORD), "a password is not shown again");
    let joined = submit(&test, "/join", &fields("bob")).await;
    assert_eq!((joined.status(), joined.headers()["location"].to_str().unwrap()), (StatusCode::SEE_OTHER, "/"));
    let me = test.request(Method::GET, "/auth/me").header("Cookie", cookie(&joined)).send().await.unwrap();
    assert_eq!(me.json::<Value>().await.unwrap()["username"], "bob");
    let used = submit(&test, "/join", &fields("cleo")).await;
    assert_eq!(used.status(), 403);
    assert!(used.text().await.unwrap().contains("was used"));

    let foreign = test.request(Method::POST, "/join").header("Origin", "https://evil.example").body("invite=x");
    assert_eq!(foreign.send().await.unwrap().status(), 403);

    let path = "/api/admin/users/bob/password-reset";
    let link = test.request_as(&boss, Method::POST, path).json(&json!({})).send().await.unwrap();
    let link: Value = link.json().await.unwrap();
    let reset = link["url"].as_str().unwrap().split_once("/reset#").unwrap().1;
    assert!(test.get("/reset").await.text().await.unwrap().contains("name=\"reset\""));
    let chosen = submit(&test, "/reset", &[("reset", reset), ("password", "staple battery horse")]).await;
    assert_eq!(chosen.status(), StatusCode::SEE_OTHER);
    assert_eq!(test.try_log_in("bob", "staple battery horse").await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn operators_list_and_revoke_invitations(server: TestServer) {
    let none = svc_admin(&server, &["invites", "list"]).await;
    assert!(none.stdout.is_empty() && none.stderr.contains("users invite"), "{none:?}");
    let code = svc_admin(&server, &["users", "invite", "--note", "Ann Lee"]).await.shown_once();
    let listed = svc_admin(&server, &["invites", "list", "--output", "json"]).await.json();
    let entry = &listed["invites"][0];
    assert_eq!((&entry["note"], &entry["state"]), (&json!("Ann Lee"), &json!("open")));
    assert!(entry.get("created_by").is_none() && !listed.to_string().contains(&code), "{listed}");
    assert!(svc_admin(&server, &["invites", "list"]).await.worked().contains("Ann Lee"));
    let id = entry["id"].to_string();
    let told = svc_admin(&server, &["invites", "revoke", &id]).await.worked();
    assert_eq!(told, format!("The invitation {id} is revoked.\n"));
    svc_admin(&server, &["invites", "revoke", &id]).await.refused(1, "it is revoked");
    svc_admin(&server, &["invites", "revoke", "4711"]).await.refused(1, "There is no invitation 4711");
    problem(join(&server, &code, "ann").await, 403, "invite_required").await;
    server.stop().await;
}
