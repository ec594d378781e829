//! The endpoints for programs: what they say about themselves, whom they let in, what they refuse.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::oauth::{ClientAuthMethod, GrantType, NewClient};
use svc_http::RateLimits;
use svc_test_macros::both_engines;

use crate::support::oauth::BACK;
use crate::support::oauth_http::{encoded, post, refused, register, submit};
use crate::support::server::TestServer;

const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

#[tokio::test(flavor = "multi_thread")]
async fn the_server_says_where_everything_is() {
    let test = TestServer::sqlite().await;
    let issuer = test.url("");
    let found = test.get_json("/.well-known/oauth-authorization-server").await;
    assert_eq!(found["issuer"], json!(issuer));
    for (field, path) in [
        ("authorization_endpoint", "/oauth/authorize"),
        ("token_endpoint", "/oauth/token"),
        ("registration_endpoint", "/oauth/register"),
        ("introspection_endpoint", "/oauth/introspect"),
        ("revocation_endpoint", "/oauth/revoke"),
        ("device_authorization_endpoint", "/oauth/device_authorization"),
    ] {
        assert_eq!(found[field], json!(format!("{issuer}{path}")));
    }
    for (field, value) in [
        ("response_types_supported", json!(["code"])),
        ("code_challenge_methods_supported", json!(["S256"])),
        ("scopes_supported", json!(["mcp"])),
        ("grant_types_supported", json!(["authorization_code", "refresh_token", "client_credentials", DEVICE_GRANT])),
        ("token_endpoint_auth_methods_supported", json!(["none", "client_secret_basic", "client_secret_post"])),
        ("authorization_response_iss_parameter_supported", json!(true)),
        ("client_id_metadata_document_supported", json!(true)),
    ] {
        assert_eq!(found[field], value, "{field}");
    }
    for (path, resource) in [("", ""), ("/mcp", "/mcp")] {
        let found = test.get_json(&format!("/.well-known/oauth-protected-resource{path}")).await;
        assert_eq!(found["resource"], json!(format!("{issuer}{resource}")));
        assert_eq!(found["authorization_servers"], json!([issuer]));
        assert_eq!(
            (&found["scopes_supported"], &found["bearer_methods_supported"]),
            (&json!(["mcp"]), &json!(["header"]))
        );
    }
    let proxied = test.request(Method::GET, "/.well-known/oauth-authorization-server");
    let proxied = proxied.header("Host", "Hub.example").header("X-Forwarded-Proto", "https").send().await.unwrap();
    assert_eq!(proxied.json::<Value>().await.unwrap()["issuer"], "https://hub.example");
    test.stop().await;
    let test = TestServer::start(|config| config.base_url = Some("https://hub.example".parse().unwrap())).await;
    let found = test.get_json("/.well-known/oauth-authorization-server").await;
    assert_eq!(found["issuer"], "https://hub.example");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_on_other_web_pages_may_ask_and_pages_for_humans_may_not_be_asked() {
    let test = TestServer::sqlite().await;
    for path in [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/oauth/register",
        "/oauth/token",
        "/oauth/revoke",
        "/oauth/introspect",
        "/oauth/device_authorization",
    ] {
        let preflight = test.request(Method::OPTIONS, path).header("Origin", "https://app.example");
        let preflight = preflight.header("Access-Control-Request-Method", "POST").send().await.unwrap();
        assert_eq!(preflight.status(), 204, "{path}");
        let headers = preflight.headers();
        assert_eq!(headers["access-control-allow-origin"], "*");
        assert!(headers["access-control-allow-headers"].to_str().unwrap().contains("Authorization"));
        assert!(headers.get("access-control-allow-credentials").is_none());
        let wrong = test.request(Method::DELETE, path).send().await.unwrap();
        assert_eq!(
            (wrong.status().as_u16(), &wrong.headers()["access-control-allow-origin"]),
            (405, &"*".parse().unwrap())
        );
        assert!(wrong.headers().contains_key("allow"), "{path}");
    }
    for path in ["/oauth/authorize", "/device"] {
        for method in [Method::OPTIONS, Method::GET] {
            let answer = test.request(method, path).header("Origin", "https://app.example").send().await.unwrap();
            assert!(answer.headers().get("access-control-allow-origin").is_none(), "{path}");
        }
    }
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_answers_with_what_holds() {
    let test = TestServer::sqlite().await;
    let made =
        register(&test, json!({ "redirect_uris": [BACK], "client_name": "App", "client_uri": "https://app.example" }))
            .await;
    assert!(made["client_secret"].as_str().unwrap().starts_with("svcs_"));
    assert_eq!((&made["client_secret_expires_at"], &made["client_uri"]), (&json!(0), &json!("https://app.example")));
    assert_eq!(made["token_endpoint_auth_method"], "client_secret_basic");
    assert_eq!(made["grant_types"], json!(["authorization_code", "refresh_token"]));
    assert_eq!((&made["response_types"], &made["scope"]), (&json!(["code"]), &json!("mcp")));
    assert!(made["client_id_issued_at"].is_i64());
    let open =
        register(&test, json!({ "redirect_uris": ["com.example.app:/cb"], "token_endpoint_auth_method": "none" }))
            .await;
    assert!(open["client_secret"].is_null());
    for (metadata, error) in [
        (json!({ "redirect_uris": ["http://app.example/cb"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["javascript:alert(1)"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [BACK, "ms-msdt://id/PCWDiagnostic"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["search-ms://query=x"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["smb://files.example/x"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["file:///bin/sh"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["https://*.app.example/cb"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["http://127.0.0.1:*/cb"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["https://app.example/*"] }), "invalid_redirect_uri"),
        (
            json!({ "redirect_uris": [BACK], "token_endpoint_auth_method": "tls_client_auth" }),
            "invalid_client_metadata",
        ),
        (json!([]), "invalid_client_metadata"),
    ] {
        let answer = test.request(Method::POST, "/oauth/register").json(&metadata).send().await.unwrap();
        refused(answer, 400, error).await;
    }
    for (content_type, body) in
        [("application/x-www-form-urlencoded", "{}"), ("application/json", "{"), ("application/json", "")]
    {
        let answer = test.request(Method::POST, "/oauth/register").header("Content-Type", content_type).body(body);
        refused(answer.send().await.unwrap(), 400, "invalid_client_metadata").await;
    }
    let large = json!({ "redirect_uris": [BACK], "client_name": "x".repeat(2_000_000) });
    refused(test.request(Method::POST, "/oauth/register").json(&large).send().await.unwrap(), 413, "invalid_request")
        .await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_authenticates_in_one_way_and_hears_how() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let new = NewClient {
        name: "Nightly".into(),
        auth_method: ClientAuthMethod::ClientSecretBasic,
        grant_types: vec![GrantType::ClientCredentials],
        redirect_uris: Vec::new(),
        agent: Some("builder".into()),
    };
    let made = test.hub.oauth().clients().create(&Caller::root(), new).await.unwrap();
    let (client_id, secret) = (made.client.client_id, made.secret.unwrap());
    let secret = secret.reveal();
    let grant = ("grant_type", "client_credentials");
    let with_basic = async |user: &str, secret: &str, more: &[(&str, &str)]| {
        let pairs: Vec<_> = more.iter().chain([&grant]).map(|(name, value)| (*name, (*value).to_owned())).collect();
        let request = test.request(Method::POST, "/oauth/token").basic_auth(user, Some(secret));
        let request = request.header("Content-Type", "application/x-www-form-urlencoded").body(encoded(&pairs));
        request.send().await.unwrap()
    };
    let issued: Value = with_basic(&client_id, secret, &[]).await.json().await.unwrap();
    assert!(issued["refresh_token"].is_null() && issued["access_token"].is_string(), "{issued}");
    let posted = post(&test, "/oauth/token", &[grant, ("client_id", &client_id), ("client_secret", secret)]).await;
    assert_eq!(posted.status(), 200);
    for (user, password) in [(client_id.as_str(), "wrong"), ("nobody", secret), ("nobody", "x")] {
        let answer = with_basic(user, password, &[]).await;
        assert!(answer.headers()["www-authenticate"].to_str().unwrap().starts_with("Basic "));
        refused(answer, 401, "invalid_client").await;
    }
    let silent = post(&test, "/oauth/token", &[grant, ("client_id", &client_id)]).await;
    assert!(silent.headers().get("www-authenticate").is_none());
    refused(silent, 401, "invalid_client").await;
    refused(with_basic(&client_id, secret, &[("client_secret", secret)]).await, 400, "invalid_request").await;
    refused(with_basic(&client_id, secret, &[("client_id", "another")]).await, 400, "invalid_request").await;
    // Its own token is known to it, and to nobody else.
    let access = issued["access_token"].as_str().unwrap();
    let own = [("token", access), ("client_id", &client_id), ("client_secret", secret)];
    let facts: Value = post(&test, "/oauth/introspect", &own).await.json().await.unwrap();
    assert_eq!((&facts["active"], &facts["sub"], &facts["username"]), (&json!(true), &json!("builder"), &json!("ann")));
    assert_eq!((&facts["iss"], &facts["token_type"]), (&json!(test.url("")), &json!("Bearer")));
    let other = register(&test, json!({ "redirect_uris": [BACK] })).await;
    let other = [
        ("client_id", other["client_id"].as_str().unwrap()),
        ("client_secret", other["client_secret"].as_str().unwrap()),
    ];
    let facts: Value =
        post(&test, "/oauth/introspect", &[&other[..], &[("token", access)]].concat()).await.json().await.unwrap();
    assert_eq!(facts, json!({ "active": false }));
    assert_eq!(post(&test, "/oauth/revoke", &[&other[..], &[("token", access)]].concat()).await.status(), 200);
    assert_eq!(test.request_with(access, Method::GET, "/api/whoami").send().await.unwrap().status(), 200);
    refused(post(&test, "/oauth/introspect", &[("token", access)]).await, 400, "invalid_request").await;
    refused(
        post(&test, "/oauth/introspect", &[("token", access), ("client_id", "nobody")]).await,
        401,
        "invalid_client",
    )
    .await;
    assert_eq!(post(&test, "/oauth/revoke", &own).await.status(), 200);
    assert_eq!(test.request_with(access, Method::GET, "/api/whoami").send().await.unwrap().status(), 401);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_told_so() {
    let test = TestServer::sqlite().await;
    refused(post(&test, "/oauth/token", &[]).await, 400, "invalid_request").await;
    refused(post(&test, "/oauth/token", &[("grant_type", "password")]).await, 400, "unsupported_grant_type").await;
    refused(post(&test, "/oauth/token", &[("grant_type", "authorization_code")]).await, 400, "invalid_request").await;
    let twice = [("grant_type", "refresh_token"), ("grant_type", "refresh_token"), ("refresh_token", "x")];
    refused(post(&test, "/oauth/token", &twice).await, 400, "invalid_request").await;
    let unknown = [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", "nobody")];
    refused(post(&test, "/oauth/token", &unknown).await, 401, "invalid_client").await;
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect", "/oauth/device_authorization"] {
        let json =
            test.request(Method::POST, path).json(&json!({ "grant_type": "refresh_token" })).send().await.unwrap();
        refused(json, 400, "invalid_request").await;
        let binary = test.request(Method::POST, path).header("Content-Type", "application/x-www-form-urlencoded");
        refused(binary.body(vec![0xff_u8; 64]).send().await.unwrap(), 400, "invalid_request").await;
        let large = "x".repeat(2_000_000);
        refused(post(&test, path, &[("token", &large), ("client_id", "c")]).await, 413, "invalid_request").await;
    }
    let large = "x".repeat(10_000);
    for name in ["code", "code_verifier", "redirect_uri", "resource", "client_id"] {
        let mut pairs = vec![("grant_type", "authorization_code"), ("code", "x"), ("client_id", "c")];
        pairs.retain(|(known, _)| *known != name);
        pairs.push((name, &large));
        refused(post(&test, "/oauth/token", &pairs).await, 401, "invalid_client").await;
    }
    test.stop().await;
    let test = TestServer::start(|config| config.rate_limits = RateLimits { read: 0, write: 1, auth: 0 }).await;
    post(&test, "/oauth/token", &unknown).await;
    let limited = post(&test, "/oauth/token", &unknown).await;
    assert!(limited.headers().contains_key("retry-after"));
    refused(limited, 429, "temporarily_unavailable").await;
    test.stop().await;
}

#[both_engines]
async fn a_device_is_connected_by_the_code_that_it_shows(test: TestServer) {
    let metadata =
        json!({ "client_name": "Telly", "grant_types": [DEVICE_GRANT], "token_endpoint_auth_method": "none" });
    let client_id = register(&test, metadata).await["client_id"].as_str().unwrap().to_owned();
    let begun: Value =
        post(&test, "/oauth/device_authorization", &[("client_id", &client_id)]).await.json().await.unwrap();
    let code = begun["user_code"].as_str().unwrap();
    assert_eq!((&begun["interval"], &begun["expires_in"]), (&json!(5), &json!(900)));
    assert_eq!(begun["verification_uri"], json!(test.url("/device")));
    assert_eq!(begun["verification_uri_complete"], json!(test.url(&format!("/device?user_code={code}"))));
    let poll = [
        ("grant_type", DEVICE_GRANT),
        ("device_code", begun["device_code"].as_str().unwrap()),
        ("client_id", &client_id),
    ];
    refused(post(&test, "/oauth/token", &poll).await, 400, "authorization_pending").await;
    refused(post(&test, "/oauth/token", &poll).await, 400, "slow_down").await;
    let away = test.get(&format!("/device?user_code={code}")).await;
    assert_eq!(away.status(), 303);
    assert!(away.headers()["location"].to_str().unwrap().starts_with("/login?next=%2Fdevice%3Fuser_code%3D"));
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let bob = test.person("bob").await;
    test.create_agent(&bob, "digger").await;
    let page = test.request_as(&ann, Method::GET, &format!("/device?user_code={code}")).send().await.unwrap();
    assert!(page.text().await.unwrap().contains(code));
    for wrong in ["", "BCDF-GHJK", "<script>", &"x".repeat(1000)] {
        let answer = submit(&test, &ann, "/device", &[("user_code", wrong.to_owned())]).await;
        assert_eq!(answer.status(), 404, "{wrong}");
        assert!(!answer.text().await.unwrap().contains("<script>"));
    }
    let typed = code.to_lowercase().replace('-', "");
    let asked = submit(&test, &ann, "/device", &[("user_code", typed.clone())]).await;
    assert_eq!(asked.status(), 200);
    let text = asked.text().await.unwrap();
    assert!(text.contains("Telly") && text.contains("builder") && !text.contains("digger"), "{text}");
    let answer =
        |agent: &str| vec![("user_code", typed.clone()), ("decision", "allow".to_owned()), ("agent", agent.to_owned())];
    assert_eq!(submit(&test, &ann, "/device", &answer("digger")).await.status(), 403);
    let foreign =
        test.request(Method::POST, "/device").header("Cookie", &ann.cookie).header("Origin", "https://evil.example");
    let foreign = foreign.header("Content-Type", "application/x-www-form-urlencoded").body(encoded(&answer("builder")));
    assert_eq!(foreign.send().await.unwrap().status(), 403);
    assert_eq!(submit(&test, &ann, "/device", &answer("builder")).await.status(), 200);
    assert_eq!(submit(&test, &ann, "/device", &answer("builder")).await.status(), 404);
    let issued: Value = post(&test, "/oauth/token", &poll).await.json().await.unwrap();
    let access = issued["access_token"].as_str().unwrap();
    let who: Value = test.request_with(access, Method::GET, "/api/whoami").send().await.unwrap().json().await.unwrap();
    assert_eq!(who["handle"], "builder");
    // Another one is denied.
    let begun: Value =
        post(&test, "/oauth/device_authorization", &[("client_id", &client_id)]).await.json().await.unwrap();
    let denial = [("user_code", begun["user_code"].as_str().unwrap().to_owned()), ("decision", "deny".to_owned())];
    assert_eq!(submit(&test, &ann, "/device", &denial).await.status(), 200);
    let poll = [
        ("grant_type", DEVICE_GRANT),
        ("device_code", begun["device_code"].as_str().unwrap()),
        ("client_id", &client_id),
    ];
    refused(post(&test, "/oauth/token", &poll).await, 400, "access_denied").await;
    test.stop().await;
}
