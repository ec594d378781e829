//! Discovery documents: RFC 8414 and RFC 9728.

use poem::http::StatusCode;
use poem::{Request, Response, Result};
use serde_json::json;
use svc_core::oauth::GrantType;

use super::refusal::json_response;
use crate::identity;

/// `/.well-known/oauth-authorization-server`.
pub(super) async fn authorization_server(request: Request) -> Result<Response> {
    let issuer = identity::issuer(&request);
    let with_secret = ["client_secret_basic", "client_secret_post"];
    let any = ["none", "client_secret_basic", "client_secret_post"];
    let document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{issuer}/oauth/token"),
        "registration_endpoint": format!("{issuer}/oauth/register"),
        "introspection_endpoint": format!("{issuer}/oauth/introspect"),
        "revocation_endpoint": format!("{issuer}/oauth/revoke"),
        "device_authorization_endpoint": format!("{issuer}/oauth/device_authorization"),
        "scopes_supported": ["mcp"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GrantType::ALL.map(GrantType::as_str),
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": any,
        "revocation_endpoint_auth_methods_supported": any,
        "introspection_endpoint_auth_methods_supported": with_secret,
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    });
    Ok(json_response(StatusCode::OK, &document))
}

/// `/.well-known/oauth-protected-resource`: the server as a whole.
pub(super) async fn protected_resource(request: Request) -> Result<Response> {
    Ok(resource(&request, ""))
}

/// `/.well-known/oauth-protected-resource/mcp`: the resource of MCP clients.
pub(super) async fn protected_mcp(request: Request) -> Result<Response> {
    Ok(resource(&request, "/mcp"))
}

fn resource(request: &Request, path: &str) -> Response {
    let issuer = identity::issuer(request);
    let document = json!({
        "resource": format!("{issuer}{path}"),
        "authorization_servers": [issuer],
        "scopes_supported": ["mcp"],
        "bearer_methods_supported": ["header"],
    });
    json_response(StatusCode::OK, &document)
}
