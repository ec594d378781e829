//! The OAuth server as browsers and programs meet it: discovery, registration, the page, the tokens.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::oauth::{BACK, VERIFIER};
use crate::support::oauth_http::{
    allow, asked, changed, encoded, location, parameter, post, public_client, refused, show, submit,
};
use crate::support::server::TestServer;

#[both_engines]
async fn a_client_goes_the_whole_way(test: TestServer) {
    let own = test.url("");
    let found = test.get_json("/.well-known/oauth-authorization-server").await;
    assert_eq!(found["issuer"], json!(own));
    let client_id = public_client(&test).await;
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let bob = test.person("bob").await;
    test.create_agent(&bob, "digger").await;
    // Without a login the way leads over the login and back.
    let path = format!("/oauth/authorize?{}", encoded(&asked(&test, &client_id)));
    let away = location(&test.get(&path).await);
    assert!(away.starts_with("/login?next=%2Foauth%2Fauthorize%3F"), "{away}");
    assert_eq!(parameter(&test.url(&away), "next").unwrap(), path);
    let page = show(&test, &ann, &asked(&test, &client_id)).await;
    assert_eq!(page.status(), 200);
    assert!(page.headers().get("access-control-allow-origin").is_none());
    assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"));
    let text = page.text().await.unwrap();
    assert!(text.contains("Tool") && text.contains("builder") && !text.contains("digger"), "{text}");
    let back = location(&allow(&test, &ann, asked(&test, &client_id), "builder").await);
    assert!(back.starts_with(&format!("{BACK}?code=svcc_")), "{back}");
    assert_eq!((parameter(&back, "state").unwrap(), parameter(&back, "iss").unwrap()), ("a b&c".into(), own));
    let code = parameter(&back, "code").unwrap();
    let exchange = [
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("client_id", &client_id),
        ("redirect_uri", BACK),
        ("code_verifier", VERIFIER),
    ];
    let answer =
        post(&test, found["token_endpoint"].as_str().unwrap().strip_prefix(&test.url("")).unwrap(), &exchange).await;
    assert_eq!((answer.status().as_u16(), &answer.headers()["cache-control"]), (200, &"no-store".parse().unwrap()));
    assert_eq!(answer.headers()["access-control-allow-origin"], "*");
    let issued: Value = answer.json().await.unwrap();
    assert_eq!(
        (&issued["token_type"], &issued["expires_in"], &issued["scope"]),
        (&json!("Bearer"), &json!(3600), &json!("mcp"))
    );
    let access = issued["access_token"].as_str().unwrap();
    let who: Value = test.request_with(access, Method::GET, "/api/whoami").send().await.unwrap().json().await.unwrap();
    assert_eq!((&who["handle"], &who["owner"]), (&json!("builder"), &json!("ann")));
    let refresh = issued["refresh_token"].as_str().unwrap();
    let again = [("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", &client_id)];
    let first: Value = post(&test, "/oauth/token", &again).await.json().await.unwrap();
    let second: Value = post(&test, "/oauth/token", &again).await.json().await.unwrap();
    assert_eq!(first, second, "a retry hears the same");
    let next = first["refresh_token"].as_str().unwrap();
    assert_eq!(post(&test, "/oauth/revoke", &[("token", next), ("client_id", &client_id)]).await.status(), 200);
    let ended =
        test.request_with(first["access_token"].as_str().unwrap(), Method::GET, "/api/whoami").send().await.unwrap();
    assert_eq!(ended.status(), 401);
    refused(post(&test, "/oauth/token", &exchange).await, 400, "invalid_grant").await;
    test.stop().await;
}

#[both_engines]
async fn only_the_human_on_our_own_page_can_agree(test: TestServer) {
    let client_id = public_client(&test).await;
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let bob = test.person("bob").await;
    test.create_agent(&bob, "digger").await;
    for agent in ["digger", "nobody", "bob", "", &"x".repeat(10_000)] {
        let answer = allow(&test, &ann, asked(&test, &client_id), agent).await;
        assert!([400, 403].contains(&answer.status().as_u16()), "{agent}: {}", answer.status());
        assert!(answer.headers().get("location").is_none());
    }
    let answer = [asked(&test, &client_id), vec![("decision", "allow".into()), ("agent", "builder".into())]].concat();
    let form = |request: reqwest::RequestBuilder| {
        request.header("Content-Type", "application/x-www-form-urlencoded").body(encoded(&answer)).send()
    };
    for (name, value) in
        [("Origin", "https://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"), ("X", "y")]
    {
        let request = test.request(Method::POST, "/oauth/authorize").header("Cookie", &ann.cookie).header(name, value);
        let answer = form(request).await.unwrap();
        assert_eq!(answer.status(), 403, "{name}: {value}");
        assert!(answer.headers().get("location").is_none());
    }
    let nobody = form(test.request(Method::POST, "/oauth/authorize").header("Origin", test.url(""))).await.unwrap();
    assert!(location(&nobody).starts_with("/login?next=%2Foauth%2Fauthorize%3F"));
    let wrong_type = test.request_as(&ann, Method::POST, "/oauth/authorize").json(&json!({})).send().await.unwrap();
    assert_eq!(wrong_type.status(), 400);
    // Saying no, and saying nothing.
    let denial = [asked(&test, &client_id), vec![("decision", "deny".into())]].concat();
    let back = location(&submit(&test, &ann, "/oauth/authorize", &denial).await);
    assert_eq!(
        (parameter(&back, "error").as_deref(), parameter(&back, "state").as_deref()),
        (Some("access_denied"), Some("a b&c"))
    );
    let undecided = [asked(&test, &client_id), vec![("agent", "builder".into())]].concat();
    assert_eq!(submit(&test, &ann, "/oauth/authorize", &undecided).await.status(), 400);
    assert_eq!(submit(&test, &ann, "/oauth/authorize", &answer).await.status(), 303);
    test.stop().await;
}

#[both_engines]
async fn somebody_without_an_agent_makes_one_on_the_page(test: TestServer) {
    let client_id = public_client(&test).await;
    let ann = test.person("ann").await;
    let page = show(&test, &ann, &asked(&test, &client_id)).await.text().await.unwrap();
    assert!(page.contains("new_agent"), "{page}");
    let answer = |name: &str| {
        [asked(&test, &client_id), vec![("decision", "allow".into()), ("new_agent", name.into())]].concat()
    };
    for (name, status) in [("No Name", 400), ("ann", 409), ("", 400)] {
        let answer = submit(&test, &ann, "/oauth/authorize", &answer(name)).await;
        assert_eq!(answer.status(), status, "{name}");
    }
    for _ in 0..2 {
        let back = location(&submit(&test, &ann, "/oauth/authorize", &answer("helper")).await);
        assert!(parameter(&back, "code").is_some(), "{back}");
    }
    // Whoever has one chooses.
    assert_eq!(submit(&test, &ann, "/oauth/authorize", &answer("another")).await.status(), 400);
    test.stop().await;
}

#[both_engines]
async fn an_outage_is_told_as_one(test: TestServer) {
    let client_id = public_client(&test).await;
    test.hub.close().await;
    let ask = [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", &client_id)];
    refused(post(&test, "/oauth/token", &ask).await, 503, "temporarily_unavailable").await;
    let metadata = json!({ "redirect_uris": [BACK], "token_endpoint_auth_method": "none" });
    let answer = test.request(Method::POST, "/oauth/register").json(&metadata).send().await.unwrap();
    refused(answer, 503, "temporarily_unavailable").await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_doubtful_request_stays_here_and_others_go_back_to_a_client_that_was_let_in() {
    let test = TestServer::sqlite().await;
    let client_id = public_client(&test).await;
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let whole = asked(&test, &client_id);
    for doubtful in [
        changed(whole.clone(), "client_id", None),
        changed(whole.clone(), "client_id", Some("nobody")),
        changed(whole.clone(), "client_id", Some("https://127.0.0.1/client")),
        changed(whole.clone(), "redirect_uri", None),
        changed(whole.clone(), "redirect_uri", Some("https://app.example/cb2")),
        changed(whole.clone(), "redirect_uri", Some("https://app.example.evil.example/cb")),
        changed(whole.clone(), "redirect_uri", Some("http://evil.example/cb")),
        [whole.clone(), vec![("redirect_uri", BACK.to_owned())]].concat(),
        [whole.clone(), vec![("state", "again".to_owned())]].concat(),
    ] {
        for answer in [show(&test, &ann, &doubtful).await, allow(&test, &ann, doubtful.clone(), "builder").await] {
            assert_eq!(answer.status(), 400, "{doubtful:?}");
            assert!(answer.headers().get("location").is_none(), "{doubtful:?}");
            assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
        }
    }
    let of_bob = public_client(&test).await;
    let bob = test.person("bob").await;
    test.create_agent(&bob, "digger").await;
    assert_eq!(allow(&test, &bob, asked(&test, &of_bob), "digger").await.status(), 303);
    assert_eq!(allow(&test, &ann, whole.clone(), "builder").await.status(), 303);
    for (name, value, error) in [
        ("response_type", Some("token"), "unsupported_response_type"),
        ("response_type", None, "invalid_request"),
        ("code_challenge", None, "invalid_request"),
        ("code_challenge_method", None, "invalid_request"),
        ("code_challenge_method", Some("plain"), "invalid_request"),
        ("scope", Some("everything"), "invalid_scope"),
        ("resource", Some("https://elsewhere.example/mcp"), "invalid_target"),
    ] {
        let faulty = changed(whole.clone(), name, value);
        // A client that registered itself a moment ago sends nobody anywhere, whoever let it in.
        let stranger = changed(faulty.clone(), "client_id", Some(&of_bob));
        for answer in [show(&test, &ann, &stranger).await, allow(&test, &ann, stranger.clone(), "builder").await] {
            assert_eq!(answer.status(), 400, "{stranger:?}");
            assert!(answer.headers().get("location").is_none(), "{stranger:?}");
            let page = answer.text().await.unwrap();
            assert!(page.contains("The client that sent you here") && !page.contains("app.example"), "{page}");
        }
        for answer in [show(&test, &ann, &faulty).await, allow(&test, &ann, faulty.clone(), "builder").await] {
            let back = location(&answer);
            assert!(back.starts_with(BACK), "{back}");
            assert_eq!(parameter(&back, "error").as_deref(), Some(error));
            assert_eq!(
                (parameter(&back, "state").as_deref(), parameter(&back, "iss")),
                (Some("a b&c"), Some(test.url("")))
            );
            assert!(parameter(&back, "error_description").is_some() && parameter(&back, "code").is_none());
        }
    }
    // Large fields are looked at, or refused for their size, and never served with an error of ours.
    let state = "s".repeat(limits::OAUTH_STATE_MAX + 1);
    let back = location(&allow(&test, &ann, changed(whole.clone(), "state", Some(&state)), "builder").await);
    assert_eq!((parameter(&back, "error").as_deref(), parameter(&back, "state")), (Some("invalid_request"), None));
    for name in ["client_id", "redirect_uri", "code_challenge", "scope"] {
        let large = changed(whole.clone(), name, Some(&"x".repeat(10_000)));
        let answer = allow(&test, &ann, large, "builder").await;
        assert!([303, 400].contains(&answer.status().as_u16()), "{name}: {}", answer.status());
    }
    let too_large = changed(whole, "state", Some(&"x".repeat(2_000_000)));
    assert_eq!(allow(&test, &ann, too_large, "builder").await.status(), 413);
    test.stop().await;
}
