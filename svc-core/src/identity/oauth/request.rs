//! Validation of authorization requests: in full before the human is asked, and again after the approval.
//!
//! Invariants: a browser is only redirected to a URI that the client registered and could still register
//! today; a fault in the client or in that URI is shown and never redirected; every other fault is returned
//! to the client with its `state` and the issuer (`iss`, RFC 9207), if the user has approved this client
//! before. Otherwise it is shown as well: anybody can register a client, and the hub must not be an open
//! redirector for it.

use svc_model::oauth::{Client, GrantType};

use super::{fault, pkce, redirect, target};
use crate::error::{Error, ErrorKind};
use crate::identity::auth::Token;
use crate::limits;

/// The parameters of an authorization request, as received.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthorizeParameters {
    /// The response type: `code`.
    pub response_type: Option<String>,
    /// The client.
    pub client_id: Option<String>,
    /// The redirect URI of the response.
    pub redirect_uri: Option<String>,
    /// The requested scope.
    pub scope: Option<String>,
    /// An opaque value that is returned unchanged.
    pub state: Option<String>,
    /// The PKCE challenge.
    pub code_challenge: Option<String>,
    /// The PKCE method: `S256`.
    pub code_challenge_method: Option<String>,
    /// The requested resource.
    pub resource: Option<String>,
}

/// A valid request, which a human can approve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The client.
    pub client: Client,
    /// The redirect URI of the response.
    pub redirect_uri: String,
    pub(super) scope: &'static str,
    pub(super) code_challenge: String,
    pub(super) resource: Option<String>,
    return_path: ReturnPath,
}

/// The error of an invalid request.
#[derive(Debug)]
pub enum AuthorizeRefusal {
    /// The client or its redirect URI is not trustworthy, or the hub cannot answer: show the error to the
    /// human.
    Show(Error),
    /// Redirect the browser to the client.
    SendBack {
        /// The complete URI.
        address: String,
        /// The error, which the URI also contains.
        error: Error,
    },
}

impl From<Error> for AuthorizeRefusal {
    fn from(error: Error) -> Self {
        Self::Show(error)
    }
}

/// The redirect URI of a client, with the parameters of every response.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ReturnPath {
    redirect_uri: String,
    state: Option<String>,
    issuer: String,
}

impl ReturnPath {
    fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut parameters = parameters.to_vec();
        if let Some(state) = &self.state {
            parameters.push(("state", state));
        }
        parameters.push(("iss", &self.issuer));
        redirect::with_parameters(&self.redirect_uri, &parameters)
    }

    fn with_error(&self, error: &Error) -> String {
        self.with(&[("error", error.code()), ("error_description", error.message())])
    }

    fn refuse(&self, error: Error) -> AuthorizeRefusal {
        AuthorizeRefusal::SendBack { address: self.with_error(&error), error }
    }
}

impl AuthorizationRequest {
    /// The URI of the response after an approval.
    pub fn answer_with(&self, code: &Token) -> String {
        self.return_path.with(&[("code", code.reveal())])
    }

    /// The URI of the response after a denial.
    pub fn answer_denied(&self) -> String {
        self.return_path.with_error(&fault::access_denied("The request was denied."))
    }

    /// The URI of the response when the request cannot be granted because of this error.
    pub fn answer_refused(&self, error: &Error) -> String {
        match error.kind() {
            ErrorKind::Unavailable => {
                let known = Error::unavailable("temporarily_unavailable", error.message());
                self.return_path.with_error(&known)
            }
            ErrorKind::Internal => {
                let known = Error::new(ErrorKind::Internal, "server_error", error.message());
                self.return_path.with_error(&known)
            }
            _ => self.return_path.with_error(&fault::access_denied(error.message())),
        }
    }
}

/// Validates a request of this client. A pure function.
pub(crate) fn validate(
    issuer: &str,
    client: Client,
    parameters: &AuthorizeParameters,
) -> Result<AuthorizationRequest, AuthorizeRefusal> {
    let redirect_uri = known_redirect(&client, parameters.redirect_uri.as_deref())?;
    let mut return_path = ReturnPath { redirect_uri: redirect_uri.clone(), state: None, issuer: issuer.to_owned() };
    match &parameters.state {
        // The state is not returned: a URI of that length would be truncated on its way.
        Some(state) if state.len() > limits::OAUTH_STATE_MAX => {
            let fault = fault::invalid_request(format!("state has at most {} bytes.", limits::OAUTH_STATE_MAX));
            return Err(return_path.refuse(fault));
        }
        state => return_path.state.clone_from(state),
    }
    match checked(issuer, &client, parameters) {
        Ok((scope, code_challenge, resource)) => {
            Ok(AuthorizationRequest { client, redirect_uri, scope, code_challenge, resource, return_path })
        }
        Err(error) => Err(return_path.refuse(error)),
    }
}

fn known_redirect(client: &Client, asked: Option<&str>) -> Result<String, Error> {
    let Some(asked) = asked else {
        return Err(fault::invalid_request("redirect_uri is missing in the request."));
    };
    if client.redirect_uris.iter().any(|registered| redirect::matches(registered, asked)) {
        // Clients that registered earlier may have a URI that could not be registered now.
        redirect::check(asked).map_err(|error| fault::invalid_request(error.message()))?;
        return Ok(asked.to_owned());
    }
    Err(fault::invalid_request("redirect_uri is not one that this client has registered."))
}

type Checked = (&'static str, String, Option<String>);

fn checked(issuer: &str, client: &Client, parameters: &AuthorizeParameters) -> Result<Checked, Error> {
    match parameters.response_type.as_deref() {
        Some("code") => {}
        None => return Err(fault::invalid_request("response_type is missing.")),
        Some(_) => {
            return Err(Error::new(ErrorKind::Invalid, "unsupported_response_type", "The only response_type is code."));
        }
    }
    if !client.grant_types.contains(&GrantType::AuthorizationCode) {
        return Err(fault::unauthorized_client("This client is not registered for authorization_code."));
    }
    let Some(challenge) = &parameters.code_challenge else {
        return Err(fault::invalid_request("code_challenge is missing: PKCE is required."));
    };
    // Without a method the standard means `plain`, which protects nothing.
    if parameters.code_challenge_method.as_deref() != Some("S256") {
        return Err(fault::invalid_request("code_challenge_method must be S256."));
    }
    if !pkce::is_challenge(challenge) {
        return Err(fault::invalid_request("code_challenge must have 43 to 128 unreserved characters."));
    }
    let scope = target::scope(parameters.scope.as_deref())?;
    let resource = target::resource(issuer, parameters.resource.as_deref())?;
    Ok((scope, challenge.clone(), resource))
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
