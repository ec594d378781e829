//! Where a token is accepted, and who can end what a code was exchanged for.

use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::oauth::{BACK, VERIFIER};
use crate::support::oauth_http::{allow, asked, changed, location, parameter, post, public_client, refused, register};
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};

const CALLBACK: &str = "https://app.example/other";

async fn code(test: &TestServer, person: &Person, client_id: &str, resource: Option<&str>) -> String {
    let asked = changed(asked(test, client_id), "resource", resource);
    parameter(&location(&allow(test, person, asked, "builder").await), "code").unwrap()
}

async fn issued(test: &TestServer, form: &[(&str, &str)]) -> Value {
    let answer = post(test, "/oauth/token", form).await;
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

fn exchange<'a>(client_id: &'a str, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![("grant_type", "authorization_code"), ("code", code), ("client_id", client_id), ("code_verifier", VERIFIER)]
}

async fn whoami(test: &TestServer, token: &str) -> Response {
    test.request_with(token, Method::GET, "/api/whoami").send().await.unwrap()
}

async fn mcp(test: &TestServer, token: &str) -> Response {
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "it", "version": "1" } });
    test.request_with(token, Method::POST, "/mcp")
        .header("Accept", "application/json, text/event-stream")
        .json(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }))
        .send()
        .await
        .unwrap()
}

/// Checks that a token is refused because it was issued for something else, and that the answer says where
/// to ask for the right one.
async fn is_for_elsewhere(test: &TestServer, answer: Response, metadata: &str) {
    let challenge = answer.headers()["www-authenticate"].to_str().unwrap().to_owned();
    let expected = format!(
        "Bearer resource_metadata=\"{}\", error=\"invalid_token\"",
        test.url(&format!("/.well-known/{metadata}"))
    );
    assert_eq!(challenge, expected);
    let body = problem(answer, 401, "invalid_token").await;
    assert!(body["detail"].as_str().unwrap().contains("was issued for http://"), "{body}");
}

#[both_engines]
async fn a_token_is_accepted_where_it_was_issued_for(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let client_id = public_client(&test).await;
    let (mcp_only, api_only) = (test.url("/mcp"), test.url("/api"));
    for (resource, at_api, at_mcp) in [
        (None, true, true),
        (Some(test.url("")), true, true),
        (Some(test.url("/")), true, true),
        (Some(mcp_only.clone()), false, true),
        (Some(format!("{mcp_only}/")), false, true),
        (Some(api_only), true, false),
    ] {
        let code = code(&test, &ann, &client_id, resource.as_deref()).await;
        let mut tokens = issued(&test, &exchange(&client_id, &code)).await;
        for _ in 0..2 {
            let access = tokens["access_token"].as_str().unwrap();
            let (api, mcp) = (whoami(&test, access).await, mcp(&test, access).await);
            if at_api {
                assert_eq!(api.status(), 200, "{resource:?}");
            } else {
                is_for_elsewhere(&test, api, "oauth-protected-resource").await;
            }
            if at_mcp {
                assert_eq!(mcp.status(), 200, "{resource:?}");
            } else {
                is_for_elsewhere(&test, mcp, "oauth-protected-resource/mcp").await;
            }
            // What follows from it is for the same.
            let refresh = tokens["refresh_token"].as_str().unwrap();
            tokens = issued(
                &test,
                &[("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", &client_id)],
            )
            .await;
        }
    }
    // Whoever names the resource only when the token is issued gets one for that, and may have another
    // for something else.
    let code = code(&test, &ann, &client_id, None).await;
    let first = issued(&test, &[exchange(&client_id, &code), vec![("resource", mcp_only.as_str())]].concat()).await;
    let access = first["access_token"].as_str().unwrap();
    assert_eq!((whoami(&test, access).await.status().as_u16(), mcp(&test, access).await.status().as_u16()), (401, 200));
    let refresh = first["refresh_token"].as_str().unwrap();
    let next =
        issued(&test, &[("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", &client_id)]).await;
    assert_eq!(whoami(&test, next["access_token"].as_str().unwrap()).await.status(), 200);
    let refresh = next["refresh_token"].as_str().unwrap();
    let last = [
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh),
        ("client_id", &client_id),
        ("resource", &mcp_only),
    ];
    let last = issued(&test, &last).await;
    assert_eq!(whoami(&test, last["access_token"].as_str().unwrap()).await.status(), 401);
    test.stop().await;
}

#[both_engines]
async fn introspection_tells_what_a_token_is_for(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let made = register(&test, json!({ "redirect_uris": [BACK] })).await;
    let (client_id, secret) = (made["client_id"].as_str().unwrap(), made["client_secret"].as_str().unwrap());
    let own = [("client_secret", secret)];
    let code = code(&test, &ann, client_id, None).await;
    let mcp_only = test.url("/mcp");
    let tokens =
        issued(&test, &[exchange(client_id, &code), vec![("resource", &mcp_only)], own.to_vec()].concat()).await;
    for (token, audience) in [("access_token", json!(mcp_only)), ("refresh_token", Value::Null)] {
        let ask = [("token", tokens[token].as_str().unwrap()), ("client_id", client_id), own[0]];
        let facts: Value = post(&test, "/oauth/introspect", &ask).await.json().await.unwrap();
        assert_eq!((&facts["active"], &facts["aud"]), (&json!(true), &audience), "{token}");
    }
    test.stop().await;
}

#[both_engines]
async fn a_spent_code_ends_its_tokens_only_with_the_proof_that_it_was_ones_own(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let client_id = public_client(&test).await;
    let stranger = public_client(&test).await;
    let code = code(&test, &ann, &client_id, None).await;
    let whole = [exchange(&client_id, &code), vec![("redirect_uri", BACK)]].concat();
    let tokens = issued(&test, &whole).await;
    let access = tokens["access_token"].as_str().unwrap();
    let other_verifier = "x".repeat(43);
    let with = |name: &str, value: Option<&'static str>| {
        let kept = whole.iter().copied().filter(|(known, _)| *known != name);
        kept.chain(value.map(|value| ("redirect_uri", value))).collect::<Vec<_>>()
    };
    for partial in [
        [with("client_id", None), vec![("client_id", stranger.as_str())]].concat(),
        with("code_verifier", None),
        [with("code_verifier", None), vec![("code_verifier", other_verifier.as_str())]].concat(),
        with("redirect_uri", Some(CALLBACK)),
    ] {
        refused(post(&test, "/oauth/token", &partial).await, 400, "invalid_grant").await;
        assert_eq!(whoami(&test, access).await.status(), 200, "{partial:?}");
    }
    refused(post(&test, "/oauth/token", &whole).await, 400, "invalid_grant").await;
    assert_eq!(whoami(&test, access).await.status(), 401);
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let refresh = [("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", &client_id)];
    refused(post(&test, "/oauth/token", &refresh).await, 400, "invalid_grant").await;
    test.stop().await;
}
