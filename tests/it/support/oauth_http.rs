//! The OAuth server over HTTP: forms, registrations, the page on which a person allows a client.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::oauth::{BACK, CHALLENGE};
use super::people::Person;
use super::server::TestServer;

pub(crate) type Pairs<'a> = Vec<(&'a str, String)>;

pub(crate) fn encoded(pairs: &[(&str, String)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

pub(crate) async fn post(test: &TestServer, path: &str, pairs: &[(&str, &str)]) -> Response {
    let pairs: Pairs = pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    let request = test.request(Method::POST, path).header("Content-Type", "application/x-www-form-urlencoded");
    request.body(encoded(&pairs)).send().await.unwrap()
}

/// Posts a form from one of our own pages.
pub(crate) async fn submit(test: &TestServer, person: &Person, path: &str, pairs: &[(&str, String)]) -> Response {
    let request =
        test.request_as(person, Method::POST, path).header("Content-Type", "application/x-www-form-urlencoded");
    request.body(encoded(pairs)).send().await.unwrap()
}

/// Checks that an answer is a refusal in the form of RFC 6749.
pub(crate) async fn refused(response: Response, status: u16, error: &str) {
    assert_eq!(response.status().as_u16(), status, "{error}");
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["error"], error, "{body}");
    assert!(body["error_description"].is_string(), "{body}");
}

pub(crate) async fn register(test: &TestServer, metadata: Value) -> Value {
    let answer = test.request(Method::POST, "/oauth/register").json(&metadata).send().await.unwrap();
    assert_eq!(answer.status(), 201);
    answer.json().await.unwrap()
}

pub(crate) async fn public_client(test: &TestServer) -> String {
    let metadata = json!({ "client_name": "Tool", "redirect_uris": [BACK], "token_endpoint_auth_method": "none" });
    register(test, metadata).await["client_id"].as_str().unwrap().to_owned()
}

/// A request for the server as a whole.
pub(crate) fn asked(test: &TestServer, client_id: &str) -> Pairs<'static> {
    [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", BACK),
        ("scope", "mcp"),
        ("state", "a b&c"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", &test.url("")),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .to_vec()
}

pub(crate) fn changed(mut pairs: Pairs<'static>, name: &'static str, value: Option<&str>) -> Pairs<'static> {
    pairs.retain(|(known, _)| *known != name);
    pairs.extend(value.map(|value| (name, value.to_owned())));
    pairs
}

pub(crate) fn location(response: &Response) -> String {
    assert_eq!(response.status(), 303);
    response.headers()["location"].to_str().unwrap().to_owned()
}

pub(crate) fn parameter(address: &str, name: &str) -> Option<String> {
    let address = url::Url::parse(address).unwrap();
    address.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

pub(crate) async fn show(test: &TestServer, person: &Person, pairs: &[(&str, String)]) -> Response {
    test.request_as(person, Method::GET, &format!("/oauth/authorize?{}", encoded(pairs))).send().await.unwrap()
}

pub(crate) async fn allow(test: &TestServer, person: &Person, asked: Pairs<'static>, agent: &str) -> Response {
    let answer = [asked, vec![("decision", "allow".into()), ("agent", agent.into())]].concat();
    submit(test, person, "/oauth/authorize", &answer).await
}
