//! OAuth clients, grants and tokens.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::ids::GrantId;
use crate::timestamp::Timestamp;

/// The origin of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClientSource {
    /// The client registered itself.
    Registered,
    /// An operator created it.
    Admin,
    /// Its id is the URL of a metadata document.
    Document,
}

crate::text_enum! {
    ClientSource {
        Registered => "registered",
        Admin => "admin",
        Document => "document",
    }
}

/// The authentication method of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClientAuthMethod {
    /// No authentication: a public client, which cannot keep a secret.
    None,
    /// A secret in the `Authorization` header.
    ClientSecretBasic,
    /// A secret in the request body.
    ClientSecretPost,
}

crate::text_enum! {
    ClientAuthMethod {
        None => "none",
        ClientSecretBasic => "client_secret_basic",
        ClientSecretPost => "client_secret_post",
    }
}

/// The grant types, by which a client obtains tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantType {
    /// An authorization code from a human's browser.
    AuthorizationCode,
    /// A refresh token.
    RefreshToken,
    /// The client's own secret, to act as the agent to which it is bound.
    ClientCredentials,
    /// A device code that a human approved in a browser elsewhere.
    #[serde(rename = "urn:ietf:params:oauth:grant-type:device_code")]
    DeviceCode,
}

impl GrantType {
    /// The word in requests and registrations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::RefreshToken => "refresh_token",
            Self::ClientCredentials => "client_credentials",
            Self::DeviceCode => "urn:ietf:params:oauth:grant-type:device_code",
        }
    }

    /// All grant types.
    pub const ALL: [Self; 4] = [Self::AuthorizationCode, Self::RefreshToken, Self::ClientCredentials, Self::DeviceCode];

    /// The grant type of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grant_type| grant_type.as_str() == word)
    }
}

/// An OAuth client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// Its public id.
    pub client_id: String,
    /// Its origin.
    pub source: ClientSource,
    /// Its display name, as it gave it.
    pub name: String,
    /// Its authentication method.
    pub token_endpoint_auth_method: ClientAuthMethod,
    /// The allowed redirect URIs.
    pub redirect_uris: Vec<String>,
    /// Its grant types.
    pub grant_types: Vec<GrantType>,
    /// Its home page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_uri: Option<String>,
    /// The URL of its logo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo_uri: Option<String>,
    /// The agent as which it acts with its own credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl Client {
    /// Whether it is confidential, which means that it has a secret.
    pub fn is_confidential(&self) -> bool {
        self.token_endpoint_auth_method != ClientAuthMethod::None
    }

    /// The verified host of the client: its metadata document was read from there. A registered client has
    /// none, because its own statements prove nothing.
    pub fn host(&self) -> Option<String> {
        match self.source {
            ClientSource::Document => Url::parse(&self.client_id).ok()?.host_str().map(ToOwned::to_owned),
            ClientSource::Registered | ClientSource::Admin => None,
        }
    }
}

/// A page of clients.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClientPage {
    /// The clients, newest first.
    pub clients: Vec<Client>,
    /// The total number of clients.
    pub total: i64,
}

/// The request to create a client on the admin socket.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// Its display name.
    pub name: String,
    /// Its authentication method.
    pub auth_method: ClientAuthMethod,
    /// Its grant types.
    pub grant_types: Vec<GrantType>,
    /// The allowed redirect URIs.
    pub redirect_uris: Vec<String>,
    /// The agent as which it acts; required for client credentials, and only for them.
    pub agent: Option<String>,
}

/// The credentials of a client in a request.
#[derive(Clone, Default)]
pub struct ClientClaim {
    /// The id that the client claims.
    pub client_id: Option<String>,
    /// The secret that the client presents.
    pub secret: Option<String>,
}

impl std::fmt::Debug for ClientClaim {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ClientClaim").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// The response of token introspection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenFacts {
    /// The scope of the token.
    pub scope: String,
    /// The client that holds the token.
    pub client_id: String,
    /// The human who granted it.
    pub username: String,
    /// The agent as which it acts.
    pub sub: String,
    /// When it expires, in seconds since 1970.
    pub exp: i64,
    /// When it was issued, in seconds since 1970.
    pub iat: i64,
    /// Its audience.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aud: Option<String>,
    /// `Bearer` for access tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_type: Option<&'static str>,
}

/// The device authorization that a human is asked to approve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    /// The client on the device.
    pub client: Client,
    /// The user code, as it is displayed.
    pub user_code: String,
}

crate::row! {
    /// The grant of a client that may act as one of the caller's agents.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Grant {
        /// Its id.
        pub id: GrantId,
        /// The client.
        pub client_id: String,
        /// The display name of the client.
        pub client_name: String,
        /// The agent as which it acts.
        pub agent: String,
        /// When it was granted.
        pub created_at: Timestamp,
        /// When it expires unless the client uses it before.
        pub expires_at: Timestamp,
    }
}

/// A page of grants.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct GrantPage {
    /// The grants, newest first.
    pub grants: Vec<Grant>,
    /// The total number of grants.
    pub total: i64,
}
