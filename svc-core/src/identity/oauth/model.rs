//! Requests and responses of the OAuth server.

use svc_model::oauth::{Client, GrantType};

use super::redirect;
use crate::identity::auth::Token;

/// A created client with its secret, which is shown once.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CreatedClient {
    /// The client.
    pub client: Client,
    /// Its secret, if it is confidential.
    pub secret: Option<Token>,
}

/// The parameters of a token request, besides the client's credentials.
#[derive(Clone)]
pub enum TokenRequest {
    /// See [`GrantType::AuthorizationCode`].
    AuthorizationCode {
        /// The code.
        code: String,
        /// The redirect URI to which the code was sent.
        redirect_uri: Option<String>,
        /// The PKCE verifier.
        code_verifier: Option<String>,
        /// The requested resource.
        resource: Option<String>,
    },
    /// See [`GrantType::RefreshToken`].
    RefreshToken {
        /// The refresh token.
        refresh_token: String,
        /// The requested scope, at most the granted one.
        scope: Option<String>,
        /// The requested resource.
        resource: Option<String>,
    },
    /// See [`GrantType::ClientCredentials`].
    ClientCredentials {
        /// The requested scope.
        scope: Option<String>,
        /// The requested resource.
        resource: Option<String>,
    },
    /// See [`GrantType::DeviceCode`].
    DeviceCode {
        /// The device code.
        device_code: String,
    },
}

impl TokenRequest {
    pub(super) fn grant_type(&self) -> GrantType {
        match self {
            Self::AuthorizationCode { .. } => GrantType::AuthorizationCode,
            Self::RefreshToken { .. } => GrantType::RefreshToken,
            Self::ClientCredentials { .. } => GrantType::ClientCredentials,
            Self::DeviceCode { .. } => GrantType::DeviceCode,
        }
    }
}

impl std::fmt::Debug for TokenRequest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("TokenRequest").field(&self.grant_type()).finish()
    }
}

/// The tokens of a token response.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IssuedTokens {
    /// The access token, which acts as the agent.
    pub access_token: Token,
    /// The refresh token for the next pair.
    pub refresh_token: Option<Token>,
    /// The scope of the access token.
    pub scope: &'static str,
}

/// A device authorization that waits for a human.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DeviceAuthorization {
    /// The code with which the device polls.
    pub device_code: Token,
    /// The code that the human types, as it is displayed: `XXXX-XXXX`.
    pub user_code: String,
}

/// The host of a URI for display.
pub fn shown_host(address: &str) -> String {
    redirect::shown_host(address)
}
