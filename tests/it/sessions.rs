//! Logging in and out: cookies, back-off, other origins, ends.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::auth::{Password, Surface, Visit};
use svc_core::users::Role;
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::people::PASSWORD;
use crate::support::server::{TestServer, problem};
use crate::support::store::work_once;

#[both_engines]
async fn a_login_lasts_until_it_is_ended(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let answer = test.try_log_in("ANN", PASSWORD).await;
    assert_eq!(answer.status(), 200);
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    for part in ["svc_session=svcl_", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=86400"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let user: Value = answer.json().await.unwrap();
    assert_eq!((&user["username"], &user["role"]), (&json!("ann"), &json!("user")));
    assert!(!user.to_string().contains("hash"), "{user}");
    let ann = test.log_in("ann").await;
    let me: Value = test.request_as(&ann, Method::GET, "/auth/me").send().await.unwrap().json().await.unwrap();
    assert_eq!(me["username"], "ann");
    let left = test.request_as(&ann, Method::POST, "/auth/logout").send().await.unwrap();
    assert_eq!(left.status(), 204);
    assert!(left.headers()["set-cookie"].to_str().unwrap().contains("Max-Age=0"));
    problem(test.request_as(&ann, Method::GET, "/auth/me").send().await.unwrap(), 401, "no_session").await;
    problem(test.get("/auth/me").await, 401, "unauthenticated").await;
    test.stop().await;
}

#[both_engines]
async fn a_login_ends_at_its_time_and_is_swept_away(test: TestServer) {
    let ann = test.person("ann").await;
    test.clock.advance(limits::SESSION_TTL.checked_sub(Duration::from_secs(1)).unwrap());
    assert_eq!(test.request_as(&ann, Method::GET, "/auth/me").send().await.unwrap().status(), 200);
    test.clock.advance(Duration::from_secs(1));
    problem(test.request_as(&ann, Method::GET, "/auth/me").send().await.unwrap(), 401, "no_session").await;
    work_once(&test.hub, "session_sweep").await;
    assert_eq!(test.number("SELECT count(*) FROM sessions").await, 0);
    test.stop().await;
}

#[both_engines]
async fn logins_are_listed_and_ended_one_by_one_or_all(test: TestServer) {
    let one = test.person("ann").await;
    let two = test.log_in("ann").await;
    let other = test.person("bob").await;
    let list = async |person| -> Value {
        test.request_as(person, Method::GET, "/auth/sessions").send().await.unwrap().json().await.unwrap()
    };
    let sessions = list(&one).await;
    assert_eq!(sessions["total"], 2);
    let of = |sessions: &Value, current: bool| {
        let found = sessions["sessions"].as_array().unwrap().iter().find(|s| s["current"] == current).cloned();
        found.unwrap()["id"].as_i64().unwrap()
    };
    assert!(!sessions.to_string().contains("svcl_"), "{sessions}");
    let second = of(&sessions, false);
    assert_eq!(second, of(&list(&two).await, true));
    // Somebody else's is not there for them.
    let path = format!("/auth/sessions/{second}");
    problem(test.request_as(&other, Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
    assert_eq!(test.request_as(&one, Method::DELETE, &path).send().await.unwrap().status(), 204);
    problem(test.request_as(&one, Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
    assert_eq!(test.request_as(&two, Method::GET, "/auth/me").send().await.unwrap().status(), 401);
    let three = test.log_in("ann").await;
    assert_eq!(test.request_as(&three, Method::DELETE, "/auth/sessions").send().await.unwrap().status(), 204);
    for person in [&one, &three] {
        assert_eq!(test.request_as(person, Method::GET, "/auth/me").send().await.unwrap().status(), 401);
    }
    assert_eq!(test.request_as(&other, Method::GET, "/auth/me").send().await.unwrap().status(), 200);
    test.stop().await;
}

#[both_engines]
async fn a_changed_password_ends_every_other_login(test: TestServer) {
    let one = test.person("ann").await;
    let two = test.log_in("ann").await;
    let change = async |current: &str, new: &str| {
        let body = json!({ "current_password": current, "new_password": new });
        test.request_as(&one, Method::PUT, "/auth/password").json(&body).send().await.unwrap()
    };
    let refused = problem(change("wrong password", "another password").await, 400, "validation_failed").await;
    assert_eq!(refused["errors"][0]["field"], "current_password");
    for bad in ["short", &"x".repeat(73), "with\0nul in it", &"ä".repeat(37), &"x".repeat(10_000)] {
        let refused = problem(change(PASSWORD, bad).await, 400, "validation_failed").await;
        assert_eq!(refused["errors"][0]["field"], "new_password");
    }
    assert_eq!(test.request_as(&two, Method::GET, "/auth/me").send().await.unwrap().status(), 200);
    let new = "ä".repeat(36);
    assert_eq!(change(PASSWORD, &new).await.status(), 204);
    assert_eq!(test.request_as(&one, Method::GET, "/auth/me").send().await.unwrap().status(), 200);
    assert_eq!(test.request_as(&two, Method::GET, "/auth/me").send().await.unwrap().status(), 401);
    problem(test.try_log_in("ann", PASSWORD).await, 401, "invalid_credentials").await;
    assert_eq!(test.try_log_in("ann", &new).await.status(), 200);
    problem(test.try_log_in("ann", &format!("{new}x")).await, 401, "invalid_credentials").await;
    test.stop().await;
}

#[both_engines]
async fn who_guesses_waits_longer_and_longer(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let from = async |address: &str, username: &str, password: &str| {
        test.request(Method::POST, "/auth/login")
            .header("X-Forwarded-For", address)
            .json(&json!({ "username": username, "password": password }))
            .send()
            .await
            .unwrap()
    };
    // A name that does not exist is treated the same.
    for username in ["ann", "nobody"] {
        for attempt in 0..limits::LOGIN_ATTEMPTS {
            let address = format!("198.51.100.{attempt}");
            problem(from(&address, username, "wrong password").await, 401, "invalid_credentials").await;
        }
        problem(from("198.51.100.200", username, "wrong password").await, 401, "invalid_credentials").await;
        let blocked = from("198.51.100.201", username, PASSWORD).await;
        assert_eq!(blocked.headers()["retry-after"], "1", "{username}");
        problem(blocked, 429, "too_many_attempts").await;
    }
    test.clock.advance(Duration::from_secs(1));
    problem(from("198.51.100.9", "ann", "wrong password").await, 401, "invalid_credentials").await;
    test.clock.advance(Duration::from_secs(1));
    problem(from("198.51.100.9", "ann", PASSWORD).await, 429, "too_many_attempts").await;
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(from("198.51.100.9", "ann", PASSWORD).await.status(), 200);
    // The right password starts the name afresh.
    problem(from("198.51.100.9", "ann", "wrong password").await, 401, "invalid_credentials").await;
    assert_eq!(from("198.51.100.9", "ann", PASSWORD).await.status(), 200);
    // One address that tries many names.
    for attempt in 0..=limits::LOGIN_ATTEMPTS * 4 {
        from("203.0.113.7", &format!("victim_{attempt}"), "wrong password").await;
    }
    problem(from("203.0.113.7", "ann", PASSWORD).await, 429, "too_many_attempts").await;
    // What is refused that way is not counted, so the wait does not grow by asking.
    for _ in 0..20 {
        assert_eq!(from("203.0.113.7", "ann", PASSWORD).await.headers()["retry-after"], "1");
    }
    assert_eq!(from("203.0.113.8", "ann", PASSWORD).await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn no_login_with_the_old_password_survives_a_new_one(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let mut old = PASSWORD.to_owned();
    for round in 0..8 {
        let logins: Vec<_> = (0..6)
            .map(|_| {
                let (hub, old) = (test.hub.clone(), old.clone());
                tokio::spawn(async move { hub.sessions().login("ann", &old, &Visit::through(Surface::Hub)).await })
            })
            .collect();
        let new = format!("password of round {round}");
        let change = Password::parse("password", &new).unwrap();
        test.hub.users().set_password(&Caller::root(), "ann", Some(change)).await.unwrap();
        for login in logins {
            if let Ok(login) = login.await.unwrap() {
                let alive = test.hub.auth().session(login.token.reveal()).await.is_ok();
                assert!(!alive, "round {round}: a login with the old password is still good");
            }
        }
        old = new;
        test.clock.advance(limits::LOGIN_FORGOTTEN);
    }
    test.stop().await;
}

#[both_engines]
async fn a_crowd_of_guesses_at_once_is_no_way_around(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let guesses: Vec<_> = (0..32)
        .map(|n| {
            let (client, url) = (test.client.clone(), test.url("/auth/login"));
            tokio::spawn(async move {
                let body = json!({ "username": "ann", "password": format!("wrong password {n}") });
                client.post(url).json(&body).send().await.unwrap().status().as_u16()
            })
        })
        .collect();
    let mut tried = 0;
    for guess in guesses {
        tried += u32::from(guess.await.unwrap() == 401);
    }
    assert!(tried <= limits::LOGIN_ATTEMPTS + 1, "{tried} guesses were looked at");
    test.stop().await;
}

#[both_engines]
async fn what_happens_is_in_the_audit_log(test: TestServer) {
    let ann = test.person("ann").await;
    test.try_log_in("ann", "wrong password").await;
    let new = Password::parse("password", "another password").unwrap();
    test.hub.users().set_password(&Caller::root(), "ann", Some(new)).await.unwrap();
    let key = test.create_agent(&test.admin("boss").await, "builder").await;
    let entries = test.hub.audit().list(&Caller::root(), svc_core::audit::AuditFilter::default()).await.unwrap();
    let about = |event: &str| entries.iter().find(|entry| entry.event == event).unwrap_or_else(|| panic!("{event}"));
    for event in
        ["login_success", "login_failure", "session_created", "session_destroyed", "user_created", "password_changed"]
    {
        assert!(
            entries.iter().any(|entry| entry.event == event && entry.username.as_deref() == Some("ann")),
            "{event}"
        );
    }
    assert_eq!(about("token_issued").details["agent"], "builder");
    test.try_log_in("hunter2hunter2", PASSWORD).await;
    let unknown = test.hub.audit().list(&Caller::root(), svc_core::audit::AuditFilter::default()).await.unwrap();
    let unknown = unknown.iter().find(|entry| entry.event == "login_failure").unwrap();
    assert_eq!(unknown.username, None, "what is nobody's name may be a password in the wrong field");
    let failure = about("login_failure");
    assert_eq!(failure.remote_ip.as_deref(), Some("127.0.0.1"));
    assert!(failure.request_id.is_some());
    let everything = serde_json::to_string(&entries).unwrap();
    for secret in [PASSWORD, "wrong password", "another password", &key, ann.cookie.split_once('=').unwrap().1] {
        assert!(!everything.contains(secret));
    }
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_with_a_cookie_has_to_come_from_our_own_pages() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let body = json!({ "name": "builder" });
    let post = |headers: &[(&str, &str)]| {
        let mut request = test.request(Method::POST, "/api/agents").header("Cookie", &ann.cookie).json(&body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request
    };
    for headers in [
        &[][..],
        &[("Origin", "https://evil.example")],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "same-site")],
    ] {
        problem(post(headers).send().await.unwrap(), 403, "cross_origin").await;
    }
    // Logging somebody in from elsewhere is refused too, and reading is not a change.
    let login = json!({ "username": "ann", "password": PASSWORD });
    let foreign = test.request(Method::POST, "/auth/login").header("Origin", "https://evil.example").json(&login);
    problem(foreign.send().await.unwrap(), 403, "cross_origin").await;
    let read = test.request(Method::GET, "/api/agents").header("Cookie", &ann.cookie).send().await.unwrap();
    assert_eq!(read.json::<Value>().await.unwrap()["total"], 0, "nothing was made");
    assert_eq!(post(&[("Sec-Fetch-Site", "same-origin")]).send().await.unwrap().status(), 201);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_https_the_cookie_is_for_https_only() {
    let test = TestServer::start(|config| config.base_url = Some("https://hub.example.org".parse().unwrap())).await;
    test.create_user("ann", Role::User).await;
    let answer = test.try_log_in("ann", PASSWORD).await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("__Host-svc_session=svcl_"), "{cookie}");
    assert!(cookie.contains("; Secure") && cookie.contains("; Path=/;") && !cookie.contains("Domain"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let me = async |cookie: &str| {
        test.request(Method::GET, "/auth/me").header("Cookie", cookie).send().await.unwrap().status().as_u16()
    };
    assert_eq!(me(pair).await, 200);
    // Without the prefix another host could have set it.
    assert_eq!(me(pair.trim_start_matches("__Host-")).await, 401);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_came_without_tls_is_another_origin() {
    let test = TestServer::start(|config| config.base_url = Some("https://hub.example.org".parse().unwrap())).await;
    let ann = test.person("ann").await;
    let mut number = 0;
    let mut post = async |host: &str, proto: &str, origin: &str| {
        number += 1;
        let request = test.request(Method::POST, "/api/agents").header("Cookie", &ann.cookie);
        let request = request.header("Host", host).header("X-Forwarded-Proto", proto).header("Origin", origin);
        request.json(&json!({ "name": format!("builder{number}") })).send().await.unwrap().status().as_u16()
    };
    let (hub, own) = ("hub.example.org", test.address.to_string());
    assert_eq!(post(hub, "https", "https://hub.example.org").await, 201);
    // A proxy that says nothing of TLS does not make the plain page one of ours.
    for proto in ["https", "http"] {
        assert_eq!(post(hub, proto, "http://hub.example.org").await, 403, "{proto}");
        assert_eq!(post(hub, proto, "https://hub.example.org:8443").await, 403, "{proto}");
    }
    assert_eq!(post(&own, "http", &format!("http://{own}")).await, 201);
    assert_eq!(post(&own, "http", &format!("https://{own}")).await, 403);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_logins_are_refused_and_cost_nothing_else() {
    let test = TestServer::sqlite().await;
    let long = "x".repeat(15_000);
    for (username, password) in
        [("", ""), ("a\0b", "x"), (long.as_str(), "x"), ("admin", long.as_str()), ("ädmin", "ü\0")]
    {
        problem(test.try_log_in(username, password).await, 401, "invalid_credentials").await;
    }
    for (body, field) in [
        (json!({ "username": "ann" }), "password"),
        (json!({ "username": 7, "password": "x" }), "username"),
        (json!({ "username": "ann", "password": "x", "otp": "1" }), "otp"),
        (json!(["admin", PASSWORD]), "body"),
    ] {
        let answer = test.request(Method::POST, "/auth/login").json(&body).send().await.unwrap();
        let refused = problem(answer, 400, "validation_failed").await;
        assert_eq!(refused["errors"][0]["field"], field);
    }
    let form = test.request(Method::POST, "/auth/login").body("username=ann").send().await.unwrap();
    problem(form, 415, "unsupported_media_type").await;
    let broken = test.request(Method::POST, "/auth/login").header("Content-Type", "application/json").body("{");
    problem(broken.send().await.unwrap(), 400, "invalid_json").await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_logs_in_without_a_script_and_leads_on() {
    let test = TestServer::sqlite().await;
    test.create_user("ann", Role::User).await;
    let page = test.get("/login?next=%2Foauth%2Fauthorize%3Fa%3Db").await;
    assert_eq!(page.status(), 200);
    assert_eq!(page.headers()["cache-control"], "no-store");
    // A client may have opened it in a window of its own, and waits for how it ends.
    assert_eq!(page.headers()["cross-origin-opener-policy"], "unsafe-none");
    assert_eq!(test.get("/").await.headers()["cross-origin-opener-policy"], "same-origin");
    let html = page.text().await.unwrap();
    assert!(html.contains("name=\"password\"") && html.contains("value=\"/oauth/authorize?a=b\""), "{html}");
    let submit = async |origin: Option<&str>, password: &str, next: &str| {
        let mut request = test.request(Method::POST, "/login");
        if let Some(origin) = origin {
            request = request.header("Origin", origin);
        }
        let fields = [("username", "ann"), ("password", password), ("next", next)];
        request.form(&fields).send().await.unwrap()
    };
    let own = test.url("");
    let wrong = submit(Some(&own), "wrong password", "/c/general").await;
    assert_eq!(wrong.status(), 401);
    let html = wrong.text().await.unwrap();
    assert!(html.contains("value=\"ann\"") && html.contains("value=\"/c/general\"") && html.contains("role=\"alert\""));
    assert!(!html.contains("wrong password"), "a password is not shown again");
    assert_eq!(submit(Some("https://evil.example"), PASSWORD, "/").await.status(), 403);
    let right = submit(Some(&own), PASSWORD, "/c/general").await;
    assert_eq!((right.status().as_u16(), &right.headers()["location"]), (303, &"/c/general".parse().unwrap()));
    let cookie = right.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let me = test.request(Method::GET, "/auth/me").header("Cookie", &cookie).send().await.unwrap();
    assert_eq!(me.json::<Value>().await.unwrap()["username"], "ann");
    let again = test.request(Method::GET, "/login?next=//evil.example").header("Cookie", &cookie).send().await.unwrap();
    assert_eq!((again.status().as_u16(), &again.headers()["location"]), (303, &"/".parse().unwrap()));
    for foreign in ["//evil.example", "https://evil.example", "/\\evil.example"] {
        assert_eq!(submit(Some(&own), PASSWORD, foreign).await.headers()["location"], "/", "{foreign}");
    }
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wait_can_be_turned_off() {
    let test = TestServer::start(|config| config.hub.login_attempts = 0).await;
    test.create_user("ann", Role::User).await;
    for _ in 0..limits::LOGIN_ATTEMPTS * 5 {
        problem(test.try_log_in("ann", "wrong password").await, 401, "invalid_credentials").await;
    }
    assert_eq!(test.try_log_in("ann", PASSWORD).await.status(), 200);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_at_the_door_do_not_keep_the_owner_from_a_new_password() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    for _ in 0..=limits::LOGIN_ATTEMPTS {
        test.try_log_in("ann", "wrong password").await;
    }
    problem(test.try_log_in("ann", PASSWORD).await, 429, "too_many_attempts").await;
    let body = json!({ "current_password": PASSWORD, "new_password": "another password" });
    let changed = test.request_as(&ann, Method::PUT, "/auth/password").json(&body).send().await.unwrap();
    assert_eq!(changed.status(), 204);
    // But guessing the present password with a stolen cookie has to wait as well.
    let guess = json!({ "current_password": "a wrong guess", "new_password": "another password" });
    let guess = async || test.request_as(&ann, Method::PUT, "/auth/password").json(&guess).send().await.unwrap();
    for _ in 0..=limits::LOGIN_ATTEMPTS {
        problem(guess().await, 400, "validation_failed").await;
    }
    problem(guess().await, 429, "too_many_attempts").await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_keeps_its_newest_logins() {
    let test = TestServer::sqlite().await;
    let first = test.person("ann").await;
    for _ in 0..limits::SESSIONS_PER_USER {
        test.log_in("ann").await;
    }
    assert_eq!(test.request_as(&first, Method::GET, "/auth/me").send().await.unwrap().status(), 401);
    let last = test.log_in("ann").await;
    let listed: Value =
        test.request_as(&last, Method::GET, "/auth/sessions").send().await.unwrap().json().await.unwrap();
    assert_eq!(listed["total"], limits::SESSIONS_PER_USER);
    test.stop().await;
}
