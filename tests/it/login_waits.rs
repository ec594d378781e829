//! Who waits after wrong passwords, for how long, and who does not: networks, known browsers, names that
//! many guess at.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::limits;
use svc_core::users::Role;
use svc_test_macros::both_engines;

use crate::support::people::PASSWORD;
use crate::support::server::{TestServer, problem};

const WRONG: &str = "wrong password";

/// A login from this address, by a browser with this cookie.
async fn from(test: &TestServer, address: &str, browser: Option<&str>, (name, password): (&str, &str)) -> Response {
    let mut request = test.request(Method::POST, "/auth/login").header("X-Forwarded-For", address);
    if let Some(browser) = browser {
        request = request.header("Cookie", browser);
    }
    request.json(&json!({ "username": name, "password": password })).send().await.unwrap()
}

/// The cookie of this name that an answer sets, as a browser sends it back.
fn cookie(answer: &Response, name: &str) -> String {
    let mut lines = answer.headers().get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let line = lines.find(|line| line.starts_with(&format!("{name}="))).unwrap_or_else(|| panic!("no {name}"));
    line.split(';').next().unwrap().to_owned()
}

/// Guesses until the next has to wait.
async fn guess_until_told_to_wait(test: &TestServer, address: &str, name: &str) {
    for _ in 0..=limits::LOGIN_ATTEMPTS {
        problem(from(test, address, None, (name, WRONG)).await, 401, "invalid_credentials").await;
    }
    problem(from(test, address, None, (name, PASSWORD)).await, 429, "too_many_attempts").await;
}

fn wait_of(answer: &Response) -> u64 {
    answer.headers()["retry-after"].to_str().unwrap().parse().unwrap()
}

#[both_engines]
async fn guesses_from_elsewhere_lock_nobody_out(test: TestServer) {
    test.create_user("ann", Role::User).await;
    guess_until_told_to_wait(&test, "198.51.100.1", "ann").await;
    // The whole network waits, and no other.
    problem(from(&test, "198.51.100.77", None, ("ann", PASSWORD)).await, 429, "too_many_attempts").await;
    assert_eq!(from(&test, "203.0.113.5", None, ("ann", PASSWORD)).await.status(), 200);
    guess_until_told_to_wait(&test, "2001:db8:0:1::1", "ann").await;
    problem(from(&test, "2001:db8:0:2::1", None, ("ann", PASSWORD)).await, 429, "too_many_attempts").await;
    assert_eq!(from(&test, "2001:db8:0:100::1", None, ("ann", PASSWORD)).await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn the_right_password_waits_a_minute_at_most(test: TestServer) {
    test.create_user("ann", Role::User).await;
    guess_until_told_to_wait(&test, "198.51.100.1", "ann").await;
    let mut waits = Vec::new();
    for _ in 0..10 {
        let told = wait_of(&from(&test, "198.51.100.1", None, ("ann", PASSWORD)).await);
        waits.push(told);
        test.clock.advance(Duration::from_secs(told));
        problem(from(&test, "198.51.100.1", None, ("ann", WRONG)).await, 401, "invalid_credentials").await;
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    test.clock.advance(limits::LOGIN_WAIT.1);
    assert_eq!(from(&test, "198.51.100.1", None, ("ann", PASSWORD)).await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn a_browser_that_has_logged_in_before_does_not_wait_for_strangers(test: TestServer) {
    test.create_user("ann", Role::User).await;
    test.create_user("bob", Role::User).await;
    let address = "198.51.100.1";
    let first = from(&test, address, None, ("ann", PASSWORD)).await;
    let browser = cookie(&first, "svc_device");
    let others = cookie(&from(&test, address, None, ("bob", PASSWORD)).await, "svc_device");
    guess_until_told_to_wait(&test, address, "ann").await;
    // Somebody else's, and one that is made up, are no help.
    for odd in [&others, "svc_device=", "svc_device=svcb_x", &format!("{browser}x")] {
        problem(from(&test, address, Some(odd), ("ann", PASSWORD)).await, 429, "too_many_attempts").await;
    }
    let second = from(&test, address, Some(&browser), ("ann", PASSWORD)).await;
    assert_eq!(second.status(), 200);
    // It is exchanged at every login, and the one before is worth nothing.
    let renewed = cookie(&second, "svc_device");
    assert_ne!(renewed, browser);
    // What it guesses itself counts, for itself.
    for _ in 0..=limits::LOGIN_ATTEMPTS {
        problem(from(&test, "203.0.113.5", Some(&renewed), ("ann", WRONG)).await, 401, "invalid_credentials").await;
    }
    problem(from(&test, "203.0.113.5", Some(&renewed), ("ann", PASSWORD)).await, 429, "too_many_attempts").await;
    assert_eq!(from(&test, "203.0.113.5", None, ("ann", PASSWORD)).await.status(), 200);
    guess_until_told_to_wait(&test, "192.0.2.1", "ann").await;
    problem(from(&test, "192.0.2.1", Some(&browser), ("ann", PASSWORD)).await, 429, "too_many_attempts").await;
    test.stop().await;
}

#[both_engines]
async fn a_name_that_many_guess_at_waits_a_minute_at_most_too(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let known = cookie(&from(&test, "192.0.2.1", None, ("ann", PASSWORD)).await, "svc_device");
    let free = limits::LOGIN_ATTEMPTS * limits::LOGIN_ANYWHERE_FACTOR;
    for number in 0..free + 12 {
        let address = format!("10.{}.{}.1", number / 256, number % 256);
        let answer = from(&test, &address, None, ("ann", WRONG)).await;
        assert_eq!(answer.status(), if number <= free { 401 } else { 429 }, "{number}");
        if answer.status() == 429 {
            // Whoever comes back when told has one attempt.
            test.clock.advance(Duration::from_secs(wait_of(&answer)));
            problem(from(&test, &address, None, ("ann", WRONG)).await, 401, "invalid_credentials").await;
        }
    }
    let told = from(&test, "203.0.113.5", None, ("ann", PASSWORD)).await;
    assert_eq!(wait_of(&told), 60);
    problem(told, 429, "too_many_attempts").await;
    // Others go on, and that does not prolong it.
    for number in 0..4 {
        test.clock.advance(Duration::from_secs(15));
        from(&test, &format!("10.9.{number}.1"), None, ("ann", WRONG)).await;
        from(&test, "10.0.1.1", None, ("ann", WRONG)).await;
    }
    assert_eq!(from(&test, "203.0.113.5", None, ("ann", PASSWORD)).await.status(), 200);
    assert_eq!(from(&test, "198.51.100.7", Some(&known), ("ann", PASSWORD)).await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn a_browser_is_forgotten_when_the_account_says_so(test: TestServer) {
    test.create_user("ann", Role::User).await;
    guess_until_told_to_wait(&test, "198.51.100.1", "ann").await;
    // The wait goes on as long as nobody is let in.
    let known = async |browser: &str| {
        let answer = from(&test, "198.51.100.1", Some(browser), ("ann", WRONG)).await;
        answer.status() == 401
    };
    let person = async || {
        let answer = from(&test, "203.0.113.5", None, ("ann", PASSWORD)).await;
        (cookie(&answer, "svc_session"), cookie(&answer, "svc_device"))
    };
    let ask = async |session: &str, method: Method, path: &str, body: Value| {
        let request = test.request(method, path).header("Cookie", session).header("Origin", test.url(""));
        request.json(&body).send().await.unwrap()
    };
    // Logging out is what one does at the end of the day.
    let (session, browser) = person().await;
    assert_eq!(ask(&session, Method::POST, "/auth/logout", json!({})).await.status(), 204);
    assert!(known(&browser).await);
    // Ending a login from elsewhere is not.
    let (session, browser) = person().await;
    let listed: Value = ask(&session, Method::GET, "/auth/sessions", json!({})).await.json().await.unwrap();
    let path = format!("/auth/sessions/{}", listed["sessions"][0]["id"]);
    assert_eq!(ask(&person().await.0, Method::DELETE, &path, json!({})).await.status(), 204);
    assert!(!known(&browser).await);
    let (session, browser) = person().await;
    assert!(known(&browser).await);
    assert_eq!(ask(&session, Method::DELETE, "/auth/sessions", json!({})).await.status(), 204);
    assert!(!known(&browser).await);
    let (session, browser) = person().await;
    let change = json!({ "current_password": PASSWORD, "new_password": PASSWORD });
    assert_eq!(ask(&session, Method::PUT, "/auth/password", change).await.status(), 204);
    assert!(!known(&browser).await);
    let (_, browser) = person().await;
    test.clock.advance(limits::DEVICE_TTL);
    guess_until_told_to_wait(&test, "198.51.100.1", "ann").await;
    assert!(!known(&browser).await);
    test.stop().await;
}

#[both_engines]
async fn browsers_that_never_come_back_are_forgotten_first(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let mut browser = cookie(&from(&test, "192.0.2.1", None, ("ann", PASSWORD)).await, "svc_device");
    test.clock.advance(Duration::from_secs(1));
    browser = cookie(&from(&test, "192.0.2.1", Some(&browser), ("ann", PASSWORD)).await, "svc_device");
    for _ in 0..limits::DEVICES_PER_USER + 5 {
        test.clock.advance(Duration::from_secs(1));
        assert_eq!(from(&test, "192.0.2.1", None, ("ann", PASSWORD)).await.status(), 200);
    }
    let count = "SELECT count(*) FROM login_devices";
    assert_eq!(test.number(count).await, limits::DEVICES_PER_USER);
    guess_until_told_to_wait(&test, "192.0.2.1", "ann").await;
    assert_eq!(from(&test, "192.0.2.1", Some(&browser), ("ann", PASSWORD)).await.status(), 200);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_of_a_known_browser_is_for_this_server_alone() {
    let https = "https://hub.example.org";
    for (base_url, name, secure) in [(None, "svc_device", false), (Some(https), "__Host-svc_device", true)] {
        let test = TestServer::start(|config| config.base_url = base_url.map(|url| url.parse().unwrap())).await;
        test.create_user("ann", Role::User).await;
        let answer = test.try_log_in("ann", PASSWORD).await;
        let browser = cookie(&answer, name);
        let mut lines = answer.headers().get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
        let line = lines.find(|line| line.starts_with(&browser)).unwrap();
        for part in ["=svcb_", "HttpOnly", "SameSite=Strict", "Path=/;", "Max-Age=15552000"] {
            assert!(line.contains(part), "{line}");
        }
        assert_eq!((line.contains("; Secure"), line.contains("Domain")), (secure, false), "{line}");
        // The page without a script knows it as well.
        guess_until_told_to_wait(&test, "127.0.0.1", "ann").await;
        let form = test.request(Method::POST, "/login").header("Cookie", &browser);
        let form = form.form(&[("username", "ann"), ("password", PASSWORD)]).send().await.unwrap();
        assert_eq!(form.status(), 303);
        assert_ne!(cookie(&form, name), browser);
        test.stop().await;
    }
}
