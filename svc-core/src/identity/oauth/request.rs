//! What a client sends a browser with: checked in full before anybody is asked, and again when the
//! human has answered.
//!
//! What always holds: a browser is only sent back to an address that the client registered and could
//! register today; a fault in the client or in that address is shown and never sent anywhere; every
//! other fault goes back to the client with its `state` and with who says so (`iss`, RFC 9207), if the
//! human has let this client in before. Else it is shown too: anybody can register a client, and the
//! hub must not be a way to send people wherever such a client wants.

use svc_model::oauth::{Client, GrantType};

use super::{fault, pkce, redirect, target};
use crate::error::{Error, ErrorKind};
use crate::identity::auth::Token;
use crate::limits;

/// The parameters of an authorization request, as they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthorizeParameters {
    /// `code`.
    pub response_type: Option<String>,
    /// Who asks.
    pub client_id: Option<String>,
    /// Where the answer goes.
    pub redirect_uri: Option<String>,
    /// What is asked for.
    pub scope: Option<String>,
    /// Handed back as it came.
    pub state: Option<String>,
    /// The hash of a secret that only the client knows.
    pub code_challenge: Option<String>,
    /// `S256`.
    pub code_challenge_method: Option<String>,
    /// What the token is for.
    pub resource: Option<String>,
}

/// A request that a human can be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// Who asks.
    pub client: Client,
    /// Where the answer goes.
    pub redirect_uri: String,
    pub(super) scope: &'static str,
    pub(super) code_challenge: String,
    pub(super) resource: Option<String>,
    return_path: ReturnPath,
}

/// A request that nobody is asked about.
#[derive(Debug)]
pub enum AuthorizeRefusal {
    /// The client or its address is in doubt, or the hub cannot answer: tell the human.
    Show(Error),
    /// Send the browser back to the client.
    SendBack {
        /// The whole address.
        address: String,
        /// What is wrong, which the address says too.
        error: Error,
    },
}

impl From<Error> for AuthorizeRefusal {
    fn from(error: Error) -> Self {
        Self::Show(error)
    }
}

/// The way back to a client, with what every answer carries.
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
    /// Where the browser goes when the human agreed.
    pub fn answer_with(&self, code: &Token) -> String {
        self.return_path.with(&[("code", code.reveal())])
    }

    /// Where the browser goes when the human did not.
    pub fn answer_denied(&self) -> String {
        self.return_path.with_error(&fault::access_denied("The request was denied."))
    }

    /// Where the browser goes when it cannot be granted for this reason.
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

/// Checks a request of this client. Pure: the same question has the same answer.
pub(crate) fn validate(
    issuer: &str,
    client: Client,
    parameters: &AuthorizeParameters,
) -> Result<AuthorizationRequest, AuthorizeRefusal> {
    let redirect_uri = known_redirect(&client, parameters.redirect_uri.as_deref())?;
    let mut return_path = ReturnPath { redirect_uri: redirect_uri.clone(), state: None, issuer: issuer.to_owned() };
    match &parameters.state {
        // Nothing of it is handed back: an address that long would be cut somewhere on its way.
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
        return Err(fault::invalid_request("The request does not say where to go afterwards (redirect_uri)."));
    };
    if client.redirect_uris.iter().any(|registered| redirect::matches(registered, asked)) {
        // Clients that registered earlier may have an address that none could register now.
        redirect::check(asked).map_err(|error| fault::invalid_request(error.message()))?;
        return Ok(asked.to_owned());
    }
    Err(fault::invalid_request(
        "The address to go to afterwards (redirect_uri) is not one that this client has registered.",
    ))
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
    // Without a method the standard means plain, which protects nothing.
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
