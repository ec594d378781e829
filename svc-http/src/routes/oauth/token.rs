//! `/oauth/token`: the token endpoint.

use poem::http::StatusCode;
use poem::{Request, Response, Result};
use serde_json::{Value, json};
use svc_core::oauth::{GrantType, IssuedTokens, TokenRequest};
use svc_core::{Error, ErrorKind, limits};

use super::client::{self, Introduction};
use super::form::Form;
use super::refusal::json_response;
use crate::identity;
use crate::state::AppState;

/// Issues tokens.
pub(super) async fn token(mut request: Request) -> Result<Response> {
    let introduction = Introduction::of(&request);
    Ok(match attempt(&mut request).await {
        Ok(issued) => json_response(StatusCode::OK, &described(&issued)),
        Err(error) => introduction.refuse(error),
    })
}

async fn attempt(request: &mut Request) -> Result<IssuedTokens, Error> {
    let mut form = Form::of(request).await?;
    let asked = asked(&mut form)?;
    let claim = client::claim(request, &mut form)?;
    let (issuer, visit) = (identity::issuer(request), identity::visit(request));
    AppState::of(request).hub().oauth().token(&issuer, &claim, asked, &visit).await
}

fn asked(form: &mut Form) -> Result<TokenRequest, Error> {
    let word = form.require("grant_type")?;
    let Some(grant_type) = GrantType::parse(&word) else {
        let message = "grant_type must be authorization_code, refresh_token, client_credentials or device_code.";
        return Err(Error::new(ErrorKind::Invalid, "unsupported_grant_type", message));
    };
    Ok(match grant_type {
        GrantType::AuthorizationCode => TokenRequest::AuthorizationCode {
            code: form.require("code")?,
            redirect_uri: form.take("redirect_uri"),
            code_verifier: form.take("code_verifier"),
            resource: form.take("resource"),
        },
        GrantType::RefreshToken => TokenRequest::RefreshToken {
            refresh_token: form.require("refresh_token")?,
            scope: form.take("scope"),
            resource: form.take("resource"),
        },
        GrantType::ClientCredentials => {
            TokenRequest::ClientCredentials { scope: form.take("scope"), resource: form.take("resource") }
        }
        GrantType::DeviceCode => TokenRequest::DeviceCode { device_code: form.require("device_code")? },
    })
}

fn described(issued: &IssuedTokens) -> Value {
    let mut described = json!({
        "access_token": issued.access_token.reveal(),
        "token_type": "Bearer",
        "expires_in": limits::OAUTH_ACCESS_TTL.as_secs(),
        "scope": issued.scope,
    });
    if let Some(refresh_token) = &issued.refresh_token {
        described["refresh_token"] = json!(refresh_token.reveal());
    }
    described
}
