//! Tests of invalid authorization requests.

use proptest::prelude::*;
use svc_model::oauth::{ClientAuthMethod, ClientSource};

use super::*;
use crate::timestamp::Timestamp;

const ISSUER: &str = "https://hub.example";
const BACK: &str = "https://app.example/cb?tenant=1";

fn client() -> Client {
    Client {
        client_id: "app".into(),
        source: ClientSource::Registered,
        name: "App".into(),
        token_endpoint_auth_method: ClientAuthMethod::None,
        redirect_uris: vec![BACK.into(), "http://localhost/cb".into()],
        grant_types: vec![GrantType::AuthorizationCode, GrantType::RefreshToken],
        client_uri: None,
        logo_uri: None,
        agent: None,
        created_at: Timestamp::from_micros(0),
    }
}

fn parameters() -> AuthorizeParameters {
    AuthorizeParameters {
        response_type: Some("code".into()),
        client_id: Some("app".into()),
        redirect_uri: Some(BACK.into()),
        scope: Some("mcp".into()),
        state: Some("s t&ä".into()),
        code_challenge: Some("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".into()),
        code_challenge_method: Some("S256".into()),
        resource: Some("https://hub.example/mcp".into()),
    }
}

fn sent_back(change: impl FnOnce(&mut AuthorizeParameters)) -> String {
    let mut parameters = parameters();
    change(&mut parameters);
    match validate(ISSUER, client(), &parameters) {
        Err(AuthorizeRefusal::SendBack { address, .. }) => address,
        other => panic!("it was not sent back: {other:?}"),
    }
}

#[test]
fn a_valid_request_is_accepted_and_redirected() {
    let request = validate(ISSUER, client(), &parameters()).unwrap();
    let code = Token::derive(crate::identity::auth::TokenKind::Code, &[7; 32]);
    let address = url::Url::parse(&request.answer_with(&code)).unwrap();
    let pairs: Vec<_> = address.query_pairs().into_owned().collect();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(pairs, [pair("tenant", "1"), pair("code", code.reveal()), pair("state", "s t&ä"), pair("iss", ISSUER)]);
    assert!(request.answer_denied().contains("error=access_denied"));
}

#[test]
fn optional_parameters_may_be_absent() {
    let bare = AuthorizeParameters { scope: None, state: None, resource: None, ..parameters() };
    let request = validate(ISSUER, client(), &bare).unwrap();
    assert!(!request.answer_denied().contains("state="));
}

#[test]
fn an_unregistered_redirect_uri_is_never_used() {
    for address in [
        None,
        Some(""),
        Some("https://app.example/cb"),
        Some("https://app.example/cb?tenant=2"),
        Some("https://evil.example/cb?tenant=1"),
        Some("http://localhost:80@evil.example/cb"),
        Some("http://127.0.0.1/other"),
    ] {
        let parameters = AuthorizeParameters { redirect_uri: address.map(Into::into), ..parameters() };
        match validate(ISSUER, client(), &parameters) {
            Err(AuthorizeRefusal::Show(error)) => assert_eq!(error.code(), "invalid_request"),
            other => panic!("{address:?}: {other:?}"),
        }
    }
}

#[test]
fn a_no_longer_valid_redirect_uri_is_not_used() {
    let client = Client { redirect_uris: vec!["ms-msdt://cb".into()], ..client() };
    let parameters = AuthorizeParameters { redirect_uri: Some("ms-msdt://cb".into()), ..parameters() };
    let Err(AuthorizeRefusal::Show(error)) = validate(ISSUER, client, &parameters) else { panic!() };
    assert_eq!(error.code(), "invalid_request");
}

#[test]
fn other_faults_are_redirected_with_state_and_issuer() {
    type Change = fn(&mut AuthorizeParameters);
    let changes: [(&str, Change); 11] = [
        ("invalid_request", |parameters| parameters.response_type = None),
        ("unsupported_response_type", |parameters| parameters.response_type = Some("token".into())),
        ("invalid_request", |parameters| parameters.code_challenge = None),
        ("invalid_request", |parameters| parameters.code_challenge = Some("short".into())),
        ("invalid_request", |parameters| parameters.code_challenge = Some("x".repeat(1 << 20))),
        ("invalid_request", |parameters| parameters.code_challenge_method = None),
        ("invalid_request", |parameters| parameters.code_challenge_method = Some("plain".into())),
        ("invalid_scope", |parameters| parameters.scope = Some("admin".into())),
        ("invalid_target", |parameters| parameters.resource = Some("https://other.example".into())),
        ("invalid_target", |parameters| parameters.resource = Some("https://hub.example/mcp#x".into())),
        ("invalid_target", |parameters| parameters.resource = Some("x".repeat(1 << 20))),
    ];
    for (code, change) in changes {
        let address = sent_back(change);
        assert!(address.starts_with(&format!("{BACK}&error={code}&error_description=")), "{address}");
        assert!(address.ends_with("&state=s+t%26%C3%A4&iss=https%3A%2F%2Fhub.example"), "{address}");
    }
}

#[test]
fn a_state_that_is_too_long_is_not_returned() {
    let address = sent_back(|parameters| parameters.state = Some("s".repeat(limits::OAUTH_STATE_MAX + 1)));
    assert!(address.contains("error=invalid_request") && !address.contains("&state="), "{address}");
}

#[test]
fn a_device_client_gets_no_authorization_code() {
    let client = Client { grant_types: vec![GrantType::DeviceCode], ..client() };
    let Err(AuthorizeRefusal::SendBack { address, .. }) = validate(ISSUER, client, &parameters()) else { panic!() };
    assert!(address.contains("error=unauthorized_client"));
}

proptest! {
    #[test]
    fn redirects_only_go_to_registered_uris(
        redirect_uri in "(https://app.example/cb\\?tenant=1|http://localhost(:[0-9]{1,5})?/cb|\\PC{0,60})",
        state in "\\PC{0,40}", method in "(S256|plain|\\PC{0,8})", challenge in "\\PC{0,60}",
    ) {
        let parameters = AuthorizeParameters {
            redirect_uri: Some(redirect_uri.clone()), state: Some(state), code_challenge: Some(challenge),
            code_challenge_method: Some(method.clone()), ..parameters()
        };
        let registered = client().redirect_uris.iter().any(|known| redirect::matches(known, &redirect_uri));
        match validate(ISSUER, client(), &parameters) {
            Ok(request) => prop_assert!(registered && request.redirect_uri == redirect_uri && method == "S256"),
            Err(AuthorizeRefusal::SendBack { address, .. }) => prop_assert!(registered && address.starts_with(&redirect_uri)),
            Err(AuthorizeRefusal::Show(_)) => prop_assert!(!registered),
        }
    }
}
