//! Client authentication: in the `Authorization` header or in the form, never in both.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Request, Response};
use svc_core::oauth::ClientClaim;
use svc_core::{Error, ErrorKind};

use super::form::Form;
use super::refusal::{invalid_request, respond};

/// The method of client authentication, which an error response must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Introduction {
    Basic,
    Form,
}

impl Introduction {
    /// The method that this request uses.
    pub(super) fn of(request: &Request) -> Self {
        if basic(request).is_some() { Self::Basic } else { Self::Form }
    }

    /// The error response of a request.
    pub(super) fn refuse(self, error: Error) -> Response {
        let mut response = respond(error);
        if self == Self::Basic && response.status() == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Basic realm=\"svc\", charset=\"UTF-8\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// The claimed identity of the client.
pub(super) fn claim(request: &Request, form: &mut Form) -> Result<ClientClaim, Error> {
    let (client_id, secret) = (form.take("client_id"), form.take("client_secret"));
    let Some(encoded) = basic(request) else {
        return Ok(ClientClaim { client_id, secret });
    };
    if secret.is_some() {
        return Err(invalid_request("The client secret is in the header and in the form: send it once."));
    }
    let (named, secret) = decode(encoded).ok_or_else(|| {
        Error::new(ErrorKind::Unauthenticated, "invalid_client", "The header Authorization: Basic is malformed.")
    })?;
    if client_id.is_some_and(|client_id| client_id != named) {
        return Err(invalid_request("client_id differs from the authenticated client."));
    }
    // A client without a secret may still name itself in the header.
    Ok(ClientClaim { client_id: Some(named), secret: Some(secret).filter(|secret| !secret.is_empty()) })
}

fn basic(request: &Request) -> Option<&str> {
    let (scheme, rest) = request.header(header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("basic").then(|| rest.trim())
}

/// Both parts are form-encoded before they are joined (RFC 6749).
fn decode(encoded: &str) -> Option<(String, String)> {
    let joined = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let (client_id, secret) = joined.split_once(':')?;
    Some((form_decoded(client_id), form_decoded(secret)))
}

fn form_decoded(text: &str) -> String {
    // A text with these characters is no single form value; credentials of this server never contain them.
    if text.contains(['&', '=']) {
        return text.to_owned();
    }
    url::form_urlencoded::parse(text.as_bytes()).next().map(|(key, _)| key.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(header: Option<&str>, form: &str) -> Result<(Option<String>, Option<String>), &'static str> {
        let mut request = Request::builder().uri_str(format!("/?{form}"));
        if let Some(header) = header {
            request = request.header("authorization", header);
        }
        let request = request.finish();
        let claim = claim(&request, &mut Form::in_query(&request).unwrap()).map_err(|error| error.code())?;
        Ok((claim.client_id, claim.secret))
    }

    fn encoded(text: &str) -> String {
        format!("Basic {}", STANDARD.encode(text))
    }

    #[test]
    fn a_client_authenticates_in_one_place() {
        let pair = |id: &str, secret: &str| Ok((Some(id.to_owned()), Some(secret.to_owned())));
        assert_eq!(claimed(None, "client_id=a&client_secret=s"), pair("a", "s"));
        assert_eq!(claimed(None, "client_id=a"), Ok((Some("a".into()), None)));
        assert_eq!(claimed(Some(&encoded("a:s")), ""), pair("a", "s"));
        assert_eq!(claimed(Some(&encoded("a:s")), "client_id=a"), pair("a", "s"));
        assert_eq!(
            claimed(Some(&encoded("https%3A%2F%2Fa.example%2Fc:s%2Bt")), ""),
            pair("https://a.example/c", "s+t")
        );
        assert_eq!(claimed(Some(&encoded("a:")), ""), Ok((Some("a".into()), None)));
        assert_eq!(claimed(Some(&encoded("a:s")), "client_id=b"), Err("invalid_request"));
        assert_eq!(claimed(Some(&encoded("a:s")), "client_secret=s"), Err("invalid_request"));
        for odd in ["Basic", "Basic ", "Basic !!!", &encoded("a"), "basic /////w=="] {
            let outcome = claimed(Some(odd), "");
            assert!(matches!(outcome, Err("invalid_client") | Ok((None, None))), "{odd} {outcome:?}");
        }
        assert_eq!(claimed(Some("Bearer x"), "client_id=a"), Ok((Some("a".into()), None)));
    }
}
