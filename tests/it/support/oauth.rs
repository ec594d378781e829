//! What the stories about OAuth share: people with logins, clients, and the steps between them.

use serde_json::{Value, json};
use svc_core::agents::{AgentName, AgentSettings, NewAgent};
use svc_core::auth::{Password, Surface, Token, Visit};
use svc_core::oauth::{
    AuthorizationRequest, AuthorizeParameters, Client, ClientClaim, CreatedClient, IssuedTokens, TokenRequest,
};
use svc_core::users::{NewUser, Role};
use svc_core::{Caller, Hub, Result};

pub(crate) const ISSUER: &str = "https://hub.example";
pub(crate) const BACK: &str = "https://app.example/cb";
/// The example of RFC 7636.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const PASSWORD: &str = "correct horse battery";

pub(crate) fn visit() -> Visit {
    Visit::through(Surface::Rest)
}

/// A new account that is logged in; also what its browser presents.
pub(crate) async fn login(hub: &Hub, name: &str) -> (Caller, Token) {
    let password = Some(Password::parse("password", PASSWORD).unwrap());
    let new = NewUser { username: name.parse().unwrap(), display_name: None, role: Role::User, password };
    hub.users().create(&Caller::root(), new).await.unwrap();
    let session = hub.sessions().login(name, PASSWORD, &visit()).await.unwrap();
    (hub.auth().session(session.token.reveal()).await.unwrap(), session.token)
}

/// A new account that is logged in, with an agent of this name.
pub(crate) async fn owner_of(hub: &Hub, name: &str, agent: &str) -> Caller {
    let (caller, _) = login(hub, name).await;
    make_agent(hub, &caller, agent).await;
    caller
}

pub(crate) async fn make_agent(hub: &Hub, caller: &Caller, name: &str) {
    let name: AgentName = name.parse().unwrap();
    let new = NewAgent { name, owner: None, settings: AgentSettings::default() };
    hub.agents().create(caller, new).await.unwrap();
}

pub(crate) async fn register(hub: &Hub, metadata: &Value) -> Result<CreatedClient> {
    hub.oauth().clients().register(&visit(), metadata).await
}

pub(crate) async fn public_client(hub: &Hub) -> Client {
    let metadata = json!({
        "client_name": "App",
        "redirect_uris": [BACK, "http://localhost/cb"],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
    });
    register(hub, &metadata).await.unwrap().client
}

/// A client with a secret, and how it introduces itself.
pub(crate) async fn confidential_client(hub: &Hub) -> (Client, ClientClaim) {
    let created = register(hub, &json!({ "client_name": "Service", "redirect_uris": [BACK] })).await.unwrap();
    let secret = created.secret.unwrap().reveal().to_owned();
    let claim = ClientClaim { client_id: Some(created.client.client_id.clone()), secret: Some(secret) };
    (created.client, claim)
}

pub(crate) fn claim(client: &Client) -> ClientClaim {
    ClientClaim { client_id: Some(client.client_id.clone()), secret: None }
}

pub(crate) fn parameters(client: &Client) -> AuthorizeParameters {
    authorization_of(&client.client_id)
}

/// What the client of this id sends a browser with.
pub(crate) fn authorization_of(client_id: &str) -> AuthorizeParameters {
    AuthorizeParameters {
        response_type: Some("code".into()),
        client_id: Some(client_id.into()),
        redirect_uri: Some(BACK.into()),
        scope: Some("mcp".into()),
        state: Some("xyz".into()),
        code_challenge: Some(CHALLENGE.into()),
        code_challenge_method: Some("S256".into()),
        resource: Some(format!("{ISSUER}/mcp")),
    }
}

pub(crate) async fn request(hub: &Hub, caller: &Caller, parameters: &AuthorizeParameters) -> AuthorizationRequest {
    hub.oauth().authorize(caller, ISSUER, parameters).await.unwrap()
}

/// A code for this client to act as this agent.
pub(crate) async fn code(hub: &Hub, caller: &Caller, client: &Client, agent: &str) -> Token {
    let request = request(hub, caller, &parameters(client)).await;
    hub.oauth().approve(caller, &request, agent).await.unwrap()
}

pub(crate) fn exchange_of(code: &Token) -> TokenRequest {
    TokenRequest::AuthorizationCode {
        code: code.reveal().into(),
        redirect_uri: Some(BACK.into()),
        code_verifier: Some(VERIFIER.into()),
        resource: Some(format!("{ISSUER}/mcp")),
    }
}

pub(crate) async fn ask(hub: &Hub, claim: &ClientClaim, request: TokenRequest) -> Result<IssuedTokens> {
    hub.oauth().token(ISSUER, claim, request, &visit()).await
}

pub(crate) async fn exchange(hub: &Hub, client: &Client, code: &Token) -> Result<IssuedTokens> {
    ask(hub, &claim(client), exchange_of(code)).await
}

pub(crate) fn refresh_of(token: &Token) -> TokenRequest {
    TokenRequest::RefreshToken { refresh_token: token.reveal().into(), scope: None, resource: None }
}

pub(crate) async fn refresh(hub: &Hub, client: &Client, tokens: &IssuedTokens) -> Result<IssuedTokens> {
    ask(hub, &claim(client), refresh_of(tokens.refresh_token.as_ref().unwrap())).await
}

/// Tokens for this client to act as this agent, from the request to the exchange.
pub(crate) async fn tokens(hub: &Hub, caller: &Caller, client: &Client, agent: &str) -> IssuedTokens {
    let code = code(hub, caller, client, agent).await;
    exchange(hub, client, &code).await.unwrap()
}

/// The code of the refusal of an access token; `None` when it works.
pub(crate) async fn refusal(hub: &Hub, tokens: &IssuedTokens) -> Option<&'static str> {
    hub.auth().bearer(tokens.access_token.reveal()).await.err().map(|error| error.code())
}
