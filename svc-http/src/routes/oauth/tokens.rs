//! `/oauth/introspect` and `/oauth/revoke`: introspection and revocation of tokens by their client.

use poem::http::{StatusCode, header};
use poem::{Request, Response, Result};
use serde_json::{Value, json};
use svc_core::Error;

use super::client::{self, Introduction};
use super::form::Form;
use super::refusal::json_response;
use crate::identity;
use crate::state::AppState;

/// Returns the state of a token to its client.
pub(super) async fn introspect(mut request: Request) -> Result<Response> {
    let introduction = Introduction::of(&request);
    Ok(match facts(&mut request).await {
        Ok(facts) => json_response(StatusCode::OK, &facts),
        Err(error) => introduction.refuse(error),
    })
}

async fn facts(request: &mut Request) -> Result<Value, Error> {
    let mut form = Form::of(request).await?;
    let claim = client::claim(request, &mut form)?;
    let token = form.require("token")?;
    let visit = identity::visit(request);
    let Some(facts) = AppState::of(request).hub().oauth().introspect(&claim, &token, &visit).await? else {
        return Ok(json!({ "active": false }));
    };
    let mut described = serde_json::to_value(&facts)
        .map_err(|error| Error::internal("facts cannot be serialized").with_source(error))?;
    described["active"] = json!(true);
    described["iss"] = json!(identity::issuer(request));
    Ok(described)
}

/// Revokes a token.
pub(super) async fn revoke(mut request: Request) -> Result<Response> {
    let introduction = Introduction::of(&request);
    Ok(match end(&mut request).await {
        Ok(()) => Response::builder().status(StatusCode::OK).header(header::CACHE_CONTROL, "no-store").finish(),
        Err(error) => introduction.refuse(error),
    })
}

async fn end(request: &mut Request) -> Result<(), Error> {
    let mut form = Form::of(request).await?;
    let claim = client::claim(request, &mut form)?;
    let token = form.require("token")?;
    let visit = identity::visit(request);
    AppState::of(request).hub().oauth().revoke(&claim, &token, &visit).await
}
