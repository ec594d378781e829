//! `/oauth/register`: dynamic client registration (RFC 7591).

use poem::http::{StatusCode, header};
use poem::{Request, Response, Result};
use serde_json::{Value, json};
use svc_core::oauth::CreatedClient;
use svc_core::{Error, ErrorKind};

use super::refusal::{json_response, respond};
use crate::identity;
use crate::state::AppState;

/// Registers a client.
pub(super) async fn register(mut request: Request) -> Result<Response> {
    Ok(match attempt(&mut request).await {
        Ok(created) => json_response(StatusCode::CREATED, &described(&created)),
        Err(error) => respond(error),
    })
}

async fn attempt(request: &mut Request) -> Result<CreatedClient, Error> {
    let metadata = json_body(request).await?;
    let visit = identity::visit(request);
    let state = AppState::of(request);
    state.hub().oauth().clients().register(&visit, &metadata).await
}

async fn json_body(request: &mut Request) -> Result<Value, Error> {
    let refuse = |message| Error::new(ErrorKind::Invalid, "invalid_client_metadata", message);
    let content_type = request.header(header::CONTENT_TYPE).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(refuse("Send the metadata as application/json."));
    }
    let body = request.take_body().into_vec().await.map_err(|_| refuse("The body could not be read."))?;
    serde_json::from_slice(&body).map_err(|_| refuse("The body is not JSON."))
}

/// The registered metadata, which may differ from the requested one.
fn described(created: &CreatedClient) -> Value {
    let client = &created.client;
    let mut described = json!({
        "client_id": client.client_id,
        "client_id_issued_at": client.created_at.as_micros() / 1_000_000,
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "grant_types": client.grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": client.token_endpoint_auth_method,
        "scope": "mcp",
    });
    let optional = [("client_uri", &client.client_uri), ("logo_uri", &client.logo_uri)];
    for (name, value) in optional {
        if let Some(value) = value {
            described[name] = json!(value);
        }
    }
    if let Some(secret) = &created.secret {
        described["client_secret"] = json!(secret.reveal());
        // It does not expire, which the standard writes as 0.
        described["client_secret_expires_at"] = json!(0);
    }
    described
}
