//! What every answer of the server has in common: ids, problems, limits, headers, compression.

use poem::endpoint::make;
use poem::{EndpointExt, Request};
use reqwest::{Body, Method};
use svc_core::{Error, ErrorKind};
use svc_http::{Problem, RateLimits};

use crate::support::server::{TestServer, problem};

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_a_request_id() {
    let server = TestServer::sqlite().await;
    for path in ["/healthz", "/api/nothing", "/", "/assets/none.js", "/openapi.json"] {
        let id = server.get(path).await.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert!(!id.is_empty(), "{path}");
        let echoed = server.request(Method::GET, path).header("X-Request-Id", "mine-42").send().await.unwrap();
        assert_eq!(echoed.headers()["x-request-id"], "mine-42", "{path}");
    }
    for odd in ["", "with space", &"x".repeat(129)] {
        let answer = server.request(Method::GET, "/healthz").header("X-Request-Id", odd).send().await.unwrap();
        assert_ne!(answer.headers()["x-request-id"], odd);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_paths_of_the_interfaces_are_problems_and_others_the_page() {
    let server = TestServer::sqlite().await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/auth/nothing",
        "/oauth/x",
        "/mcp/x",
        "/.well-known/x",
        "/contracts/x",
        "/assets/none.js",
    ] {
        problem(server.get(path).await, 404, "not_found").await;
    }
    for path in ["/", "/docs", "/c/general", "/apix"] {
        let page = server.get(path).await;
        assert_eq!(page.status(), 200, "{path}");
        assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
        assert!(page.text().await.unwrap().contains("<script"), "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_method_names_the_right_ones() {
    let server = TestServer::sqlite().await;
    let answer = server.request(Method::DELETE, "/healthz").send().await.unwrap();
    assert!(answer.headers()["allow"].to_str().unwrap().contains("GET"));
    problem(answer, 405, "method_not_allowed").await;
    let answer = server.request(Method::PUT, "/api/messages/claim").send().await.unwrap();
    assert_eq!(answer.headers()["allow"], "POST", "it is not the message of that name");
    problem(answer, 405, "method_not_allowed").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn head_answers_like_get_without_a_body() {
    let server = TestServer::sqlite().await;
    for path in ["/", "/healthz", "/openapi.json", "/metrics"] {
        let head = server.request(Method::HEAD, path).send().await.unwrap();
        assert_eq!(head.status(), 200, "{path}");
        assert!(head.bytes().await.unwrap().is_empty(), "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_protected_and_can_be_revalidated() {
    let server = TestServer::sqlite().await;
    let page = server.get("/").await;
    let headers = page.headers().clone();
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert!(headers.contains_key("referrer-policy"));
    assert!(!headers.contains_key("strict-transport-security"));
    assert_eq!(headers["cache-control"], "no-cache");
    let again = server.request(Method::GET, "/").header("If-None-Match", &headers["etag"]).send().await.unwrap();
    assert_eq!(again.status(), 304);
    let html = page.text().await.unwrap();
    let asset = html.split('"').find(|part| part.starts_with("/assets/") && part.contains(".js")).expect("a script");
    let script = server.get(asset).await;
    assert!(script.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    assert!(script.headers()["content-type"].to_str().unwrap().contains("javascript"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_address_on_https_asks_browsers_to_stay_there() {
    let server = TestServer::start(|config| config.base_url = Some("https://hub.example.org".parse().unwrap())).await;
    assert!(server.get("/").await.headers().contains_key("strict-transport-security"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_compressed_as_asked() {
    let server = TestServer::sqlite().await;
    let plain = server.get("/openapi.json").await;
    assert!(!plain.headers().contains_key("content-encoding"));
    for encoding in ["gzip", "br", "zstd"] {
        let answer =
            server.request(Method::GET, "/openapi.json").header("Accept-Encoding", encoding).send().await.unwrap();
        assert_eq!(answer.headers()["content-encoding"], encoding);
        // What is compressed while it is sent has no length.
        assert!(answer.headers().contains_key("content-length"), "{encoding}: it was made before");
        let tag = answer.headers()["etag"].clone();
        let again = server.request(Method::GET, "/openapi.json").header("Accept-Encoding", encoding);
        assert_eq!(again.header("If-None-Match", tag).send().await.unwrap().status(), 304);
        assert!(answer.headers()["vary"].to_str().unwrap().to_lowercase().contains("accept-encoding"));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_document_describes_what_is_there() {
    let server = TestServer::sqlite().await;
    let document = server.get_json("/openapi.json").await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    for path in ["/healthz", "/readyz", "/metrics"] {
        let operation = &document["paths"][path]["get"];
        assert!(operation["summary"].is_string(), "{path} has no summary");
        assert!(operation["responses"]["200"].is_object(), "{path}");
        assert_eq!(server.get(path).await.status(), 200);
    }
    server.stop().await;
}

/// A route of an embedding program that takes a body and reports the hub's own errors.
fn echo() -> impl poem::Endpoint {
    make(|mut request: Request| async move {
        let body = request.take_body().into_string().await?;
        match body.as_str() {
            "panic" => panic!("a panic on purpose"),
            "internal" => Err(Problem::from(Error::internal("secret detail")).into()),
            "busy" => Err(Problem::from(
                Error::unavailable("storage_full", "The store has no room left.")
                    .with_retry_after(std::time::Duration::from_secs(10)),
            )
            .into()),
            "field" => Err(Problem::from(Error::invalid("name", "is too long")).into()),
            "own" => {
                Err(Problem::from(Error::new(ErrorKind::Forbidden, "trust_too_low", "Your trust is too low.")).into())
            }
            _ => Ok::<_, poem::Error>(body.len().to_string()),
        }
    })
    .map_to_response()
}

async fn post(server: &TestServer, body: impl Into<Body>) -> reqwest::Response {
    server.request(Method::POST, "/echo").body(body).send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_the_hub_are_problems_that_keep_their_secrets() {
    let server = TestServer::start_with(|config| config.mount("/echo", echo())).await;
    assert_eq!(post(&server, "hello").await.text().await.unwrap(), "5");
    let invalid = problem(post(&server, "field").await, 400, "validation_failed").await;
    assert_eq!(invalid["errors"][0]["field"], "name");
    problem(post(&server, "own").await, 403, "trust_too_low").await;
    let internal = problem(post(&server, "internal").await, 500, "internal").await;
    assert!(!internal.to_string().contains("secret"), "{internal}");
    let panic = problem(post(&server, "panic").await, 500, "internal").await;
    assert!(!panic.to_string().contains("on purpose"), "{panic}");
    let busy = post(&server, "busy").await;
    assert_eq!(busy.headers()["retry-after"], "10");
    problem(busy, 503, "storage_full").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_have_a_limit_whether_announced_or_not() {
    let server = TestServer::start_with(|config| config.mount("/echo", echo())).await;
    let megabyte = 1024 * 1024;
    assert_eq!(post(&server, vec![b'x'; megabyte]).await.text().await.unwrap(), megabyte.to_string());
    problem(post(&server, vec![b'x'; megabyte + 1]).await, 413, "body_too_large").await;
    let chunks = futures_util::stream::iter((0..3).map(move |_| Ok::<_, std::io::Error>(vec![b'x'; megabyte / 2])));
    problem(post(&server, Body::wrap_stream(chunks)).await, 413, "body_too_large").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_are_limited_each_for_themselves() {
    let server = TestServer::start(|config| config.rate_limits = RateLimits { read: 3, write: 1, auth: 1 }).await;
    let from = async |address: &str, method: Method, path: &str| {
        server.request(method, path).header("X-Forwarded-For", address).send().await.unwrap()
    };
    for left in ["2", "1", "0"] {
        let answer = from("203.0.113.7", Method::GET, "/api/nothing").await;
        assert_eq!(answer.status(), 404);
        assert_eq!(answer.headers()["ratelimit-limit"], "3");
        assert_eq!(answer.headers()["ratelimit-remaining"], left);
    }
    let refused = from("203.0.113.7", Method::GET, "/api/nothing").await;
    assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    problem(refused, 429, "rate_limited").await;
    // Another caller, another class, and what is never limited.
    assert_eq!(from("203.0.113.8", Method::GET, "/api/nothing").await.status(), 404);
    assert_eq!(from("203.0.113.7", Method::POST, "/api/nothing").await.status(), 404);
    assert_eq!(from("203.0.113.7", Method::POST, "/api/nothing").await.status(), 429);
    for _ in 0..5 {
        assert_eq!(from("203.0.113.7", Method::GET, "/healthz").await.status(), 200);
        assert_eq!(from("203.0.113.7", Method::GET, "/").await.status(), 200);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_from_a_stranger_is_not_believed() {
    let server = TestServer::start(|config| {
        config.rate_limits = RateLimits { read: 1, write: 1, auth: 1 };
        config.trusted_proxies = "10.0.0.0/8".parse().unwrap();
    })
    .await;
    let claim = async |address: &str| {
        server.request(Method::GET, "/api/nothing").header("X-Forwarded-For", address).send().await.unwrap().status()
    };
    assert_eq!(claim("203.0.113.7").await, 404);
    assert_eq!(claim("203.0.113.8").await, 429);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_to_say_who_they_are_is_told_how() {
    let server = TestServer::sqlite().await;
    let challenge = |answer: &reqwest::Response| answer.headers()["www-authenticate"].to_str().unwrap().to_owned();
    let anonymous = server.get("/api/whoami").await;
    let metadata = format!("resource_metadata=\"{}/.well-known/oauth-protected-resource\"", server.url(""));
    assert_eq!(challenge(&anonymous), format!("Bearer {metadata}"));
    let wrong = server.request(Method::GET, "/api/whoami").bearer_auth("svca_wrong").send().await.unwrap();
    assert_eq!(challenge(&wrong), format!("Bearer {metadata}, error=\"invalid_token\""));
    server.stop().await;
}
