//! Clients: registered, made by the admin, described by a document; and how they prove who they are.

use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use svc_core::oauth::{
    AuthorizeRefusal, Client, ClientAuthMethod, ClientClaim, ClientDocuments, GrantType, NewClient, TokenRequest,
};
use svc_core::{Caller, Error, Hub, Page, Result, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::oauth::{
    BACK, ISSUER, ask, authorization_of, claim, code, confidential_client, exchange_of, login, owner_of, public_client,
    refresh, refusal, register, tokens, visit,
};

/// Documents from memory instead of the network.
#[derive(Default)]
struct Library {
    document: Mutex<Option<Vec<u8>>>,
    reads: Mutex<u32>,
}

#[async_trait]
impl ClientDocuments for Library {
    async fn fetch(&self, address: &url::Url) -> Result<Vec<u8>> {
        assert_eq!(address.as_str(), DOCUMENT);
        *self.reads.lock().unwrap() += 1;
        self.document.lock().unwrap().clone().ok_or_else(|| Error::unavailable("fetch_failed", "Nobody answers."))
    }
}

/// The client of the document when a human is sent here by it, or why it is refused.
async fn authorize(hub: &Hub, caller: &Caller) -> std::result::Result<Client, &'static str> {
    let asked = authorization_of(DOCUMENT);
    match hub.oauth().authorize(caller, ISSUER, &asked).await {
        Ok(request) => Ok(request.client),
        Err(AuthorizeRefusal::Show(error) | AuthorizeRefusal::SendBack { error, .. }) => Err(error.code()),
    }
}

const DOCUMENT: &str = "https://app.example/oauth/client.json";

fn by_itself(agent: Option<&str>) -> NewClient {
    NewClient {
        name: "Nightly".into(),
        auth_method: ClientAuthMethod::ClientSecretBasic,
        grant_types: vec![GrantType::ClientCredentials],
        redirect_uris: Vec::new(),
        agent: agent.map(Into::into),
    }
}

fn credentials() -> TokenRequest {
    TokenRequest::ClientCredentials { scope: None, resource: None }
}

#[both_engines]
async fn a_client_with_a_secret_must_show_it_and_one_without_must_not(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let (client, right) = confidential_client(&test.hub).await;
    let open = public_client(&test.hub).await;
    let code = code(&test.hub, &ann, &client, "builder").await;
    let mistyped = format!("{}x", right.secret.as_ref().unwrap());
    let of_another = confidential_client(&test.hub).await.1.secret;
    let with = |client_id: &str, secret: Option<String>| ClientClaim { client_id: Some(client_id.into()), secret };
    for wrong in [
        with(&client.client_id, None),
        with(&client.client_id, Some(String::new())),
        with(&client.client_id, Some(mistyped)),
        with(&client.client_id, of_another),
        with(&client.client_id, Some("s".repeat(1 << 20))),
        with(&open.client_id, right.secret.clone()),
        with("nobody", right.secret.clone()),
        with("nobody", None),
    ] {
        assert_eq!(ask(&test.hub, &wrong, exchange_of(&code)).await.unwrap_err().code(), "invalid_client");
    }
    let nobody = ask(&test.hub, &ClientClaim::default(), exchange_of(&code)).await;
    assert_eq!(nobody.unwrap_err().code(), "invalid_request");
    assert!(ask(&test.hub, &right, exchange_of(&code)).await.is_ok());
    assert!(!format!("{right:?}").contains("svcs_"));
    // What is stored is a slow hash.
    assert_eq!(test.number("SELECT count(*) FROM oauth_clients WHERE secret_hash LIKE '$2%'").await, 2);
}

#[both_engines]
async fn a_registration_tells_what_is_wrong_with_it(test: TestHub) {
    for (metadata, code) in [
        (json!({}), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["http://app.example/cb"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [BACK], "grant_types": ["client_credentials"] }), "invalid_client_metadata"),
        (json!({ "redirect_uris": [BACK], "client_name": "x".repeat(1 << 20) }), "invalid_client_metadata"),
        (json!({ "redirect_uris": [BACK], "client_name": "a\u{0}b" }), "invalid_client_metadata"),
    ] {
        assert_eq!(register(&test.hub, &metadata).await.unwrap_err().code(), code);
    }
    assert_eq!(test.number("SELECT count(*) FROM oauth_clients").await, 0);
    assert_eq!(test.number("SELECT count(*) FROM audit_log WHERE event = 'client_changed'").await, 0);
    register(&test.hub, &json!({ "redirect_uris": [BACK] })).await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM audit_log WHERE event = 'client_changed'").await, 1);
}

#[both_engines]
async fn a_client_of_the_admin_acts_as_its_agent_by_itself(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let clients = test.hub.oauth().clients();
    for (new, field) in [
        (by_itself(None), "agent"),
        (by_itself(Some("nobody")), "agent"),
        (NewClient { auth_method: ClientAuthMethod::None, ..by_itself(Some("builder")) }, "auth_method"),
        (NewClient { grant_types: Vec::new(), ..by_itself(None) }, "grant_types"),
    ] {
        assert_eq!(clients.create(&Caller::root(), new).await.unwrap_err().fields()[0].field, field);
    }
    assert_eq!(clients.create(&ann, by_itself(Some("builder"))).await.unwrap_err().code(), "admin_socket_only");
    let made = clients.create(&Caller::root(), by_itself(Some("builder"))).await.unwrap();
    assert_eq!(made.client.agent.as_deref(), Some("builder"));
    let secret = made.secret.unwrap().reveal().to_owned();
    let claim = ClientClaim { client_id: Some(made.client.client_id.clone()), secret: Some(secret) };
    let issued = ask(&test.hub, &claim, credentials()).await.unwrap();
    assert_eq!(issued.refresh_token, None);
    let caller = test.hub.auth().bearer(issued.access_token.reveal()).await.unwrap();
    assert_eq!(caller.owner_name(), Some("ann"));
    let odd = TokenRequest::ClientCredentials { scope: Some("all".into()), resource: None };
    assert_eq!(ask(&test.hub, &claim, odd).await.unwrap_err().code(), "invalid_scope");
    let listed = clients.list(&Caller::root(), Page::default()).await.unwrap();
    assert_eq!((listed.total, &listed.clients[0]), (1, &made.client));
    assert!(clients.list(&ann, Page::default()).await.is_err());
    test.hub.agents().delete(&ann, "builder").await.unwrap();
    assert_eq!(refusal(&test.hub, &issued).await, Some("token_revoked"));
    assert_eq!(ask(&test.hub, &claim, credentials()).await.unwrap_err().code(), "unauthorized_client");
}

#[both_engines]
async fn a_client_uses_the_grants_it_is_registered_for(test: TestHub) {
    let (_, claim) = confidential_client(&test.hub).await;
    assert_eq!(ask(&test.hub, &claim, credentials()).await.unwrap_err().code(), "unauthorized_client");
    let device = TokenRequest::DeviceCode { device_code: "svcd_x".into() };
    assert_eq!(ask(&test.hub, &claim, device).await.unwrap_err().code(), "unauthorized_client");
    let shown = test.hub.oauth().device_authorization(ISSUER, &claim, None, None, &visit()).await;
    assert_eq!(shown.unwrap_err().code(), "unauthorized_client");
}

#[both_engines]
async fn a_deleted_client_takes_its_tokens_with_it(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client(&test.hub).await;
    let other = public_client(&test.hub).await;
    let ended = tokens(&test.hub, &ann, &client, "builder").await;
    let stays = tokens(&test.hub, &ann, &other, "builder").await;
    let clients = test.hub.oauth().clients();
    clients.delete(&Caller::root(), &client.client_id).await.unwrap();
    assert_eq!(refusal(&test.hub, &ended).await, Some("invalid_token"));
    assert_eq!(refusal(&test.hub, &stays).await, None);
    assert_eq!(clients.delete(&Caller::root(), &client.client_id).await.unwrap_err().code(), "not_found");
    assert!(clients.delete(&ann, &other.client_id).await.is_err());
    assert_eq!(clients.get(&client.client_id).await.unwrap_err().code(), "invalid_client");
}

#[both_engines]
async fn a_client_can_be_described_by_a_document_at_its_address(test: TestHub) {
    let library = Arc::new(Library::default());
    let hub = test.builder().client_documents(library.clone()).open().await.unwrap();
    let put = |document: Option<serde_json::Value>| {
        *library.document.lock().unwrap() = document.map(|document| document.to_string().into_bytes());
    };
    let whole = json!({ "client_id": DOCUMENT, "client_name": "App", "redirect_uris": [BACK] });
    put(Some(whole.clone()));
    let ann = owner_of(&hub, "ann", "builder").await;
    // Only a human's request makes the hub read it.
    assert_eq!(hub.oauth().clients().get(DOCUMENT).await.unwrap_err().code(), "invalid_client");
    assert_eq!(*library.reads.lock().unwrap(), 0);
    let client = authorize(&hub, &ann).await.unwrap();
    assert_eq!((client.host().as_deref(), client.is_confidential()), (Some("app.example"), false));
    let issued = tokens(&hub, &ann, &client, "builder").await;
    assert_eq!(refusal(&hub, &issued).await, None);
    assert_eq!(*library.reads.lock().unwrap(), 1, "it is kept for a while");
    // What cannot be read is used as it was for some days, and no longer.
    test.clock.advance(limits::OAUTH_DOCUMENT_TTL);
    put(None);
    assert_eq!(authorize(&hub, &ann).await.unwrap().name, "App");
    assert_eq!(*library.reads.lock().unwrap(), 2, "it was tried");
    test.clock.advance(limits::OAUTH_DOCUMENT_STALE);
    assert_eq!(authorize(&hub, &ann).await.unwrap_err(), "invalid_client");
    // It is read again, and what it says now holds.
    put(Some(json!({ "client_id": DOCUMENT, "client_name": "App 2", "redirect_uris": ["https://app.example/new"] })));
    assert_eq!(authorize(&hub, &ann).await.unwrap_err(), "invalid_request", "the address is no longer in it");
    assert_eq!(hub.oauth().clients().get(DOCUMENT).await.unwrap().name, "App 2");
    // A document that speaks for somebody else, or says nothing, makes the client unknown.
    for gone in [json!({ "client_id": "https://evil.example/x", "redirect_uris": [BACK] }), json!([])] {
        test.clock.advance(limits::OAUTH_DOCUMENT_TTL);
        put(Some(gone));
        assert_eq!(authorize(&hub, &ann).await.unwrap_err(), "invalid_client");
    }
    // But nobody loses what they have because it cannot be read just now.
    assert!(refresh(&hub, &client, &issued).await.is_ok());
    put(Some(whole));
    let secret = ClientClaim { secret: Some("x".into()), ..claim(&client) };
    assert_eq!(hub.oauth().introspect(&secret, "x", &visit()).await.unwrap_err().code(), "invalid_client");
    hub.close().await;
}

#[both_engines]
async fn no_document_is_read_from_a_private_address(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    for address in [
        "https://127.0.0.1/client",
        "https://[::1]/client",
        "https://[::ffff:7f00:1]/client",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/client",
        "https://2130706433/client",
        "https://0x7f000001/client",
        "https://0177.0.0.1/client",
        "https://localhost/client",
        "https://localhost",
        "https://user@app.example/client",
        "https://app.example/client#x",
    ] {
        let started = std::time::Instant::now();
        match test.hub.oauth().authorize(&ann, ISSUER, &authorization_of(address)).await {
            Err(AuthorizeRefusal::Show(error)) => assert_eq!(error.code(), "invalid_client", "{address}"),
            other => panic!("{address}: {other:?}"),
        }
        test.clock.advance(Duration::from_secs(20));
        assert!(started.elapsed() < Duration::from_secs(4), "{address} was tried");
    }
    assert_eq!(test.number("SELECT count(*) FROM oauth_clients WHERE source = 'document'").await, 0);
}
