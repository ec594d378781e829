//! What a client is, and what it is given.

use svc_model::oauth::{Client, GrantType};

use super::redirect;
use crate::identity::auth::Token;

/// A client that was made, with its secret, which is shown once.
#[derive(Debug, Clone)]
pub struct CreatedClient {
    /// The client.
    pub client: Client,
    /// Its secret, if it can keep one.
    pub secret: Option<Token>,
}

/// What a client sends to the token endpoint, beside who it is.
#[derive(Clone)]
pub enum TokenRequest {
    /// See [`GrantType::AuthorizationCode`].
    AuthorizationCode {
        /// The code.
        code: String,
        /// Where the code was sent.
        redirect_uri: Option<String>,
        /// The proof that it asked for the code.
        code_verifier: Option<String>,
        /// What the token is for.
        resource: Option<String>,
    },
    /// See [`GrantType::RefreshToken`].
    RefreshToken {
        /// The refresh token.
        refresh_token: String,
        /// No more than was granted.
        scope: Option<String>,
        /// What the token is for.
        resource: Option<String>,
    },
    /// See [`GrantType::ClientCredentials`].
    ClientCredentials {
        /// What the token may do.
        scope: Option<String>,
        /// What the token is for.
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

/// What a client is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedTokens {
    /// Acts as the agent.
    pub access_token: Token,
    /// Gets the next pair.
    pub refresh_token: Option<Token>,
    /// What the access token may do.
    pub scope: &'static str,
}

/// A device that waits for a human.
#[derive(Debug, Clone)]
pub struct DeviceAuthorization {
    /// What the device asks with.
    pub device_code: Token,
    /// What the human types, as it is shown: `XXXX-XXXX`.
    pub user_code: String,
}

/// The host that an address leads to, as people should see it.
pub fn shown_host(address: &str) -> String {
    redirect::shown_host(address)
}
