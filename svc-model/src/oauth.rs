//! What a client is, and what it is given.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::ids::GrantId;
use crate::timestamp::Timestamp;

/// Where a client comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientSource {
    /// It registered itself.
    Registered,
    /// Whoever runs the server made it.
    Admin,
    /// Its id is the address of a document that describes it.
    Document,
}

crate::text_enum! {
    ClientSource {
        Registered => "registered",
        Admin => "admin",
        Document => "document",
    }
}

/// How a client proves who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientAuthMethod {
    /// It does not: a program on somebody's machine cannot keep a secret.
    None,
    /// By a secret in the `Authorization` header.
    ClientSecretBasic,
    /// By a secret in the form.
    ClientSecretPost,
}

crate::text_enum! {
    ClientAuthMethod {
        None => "none",
        ClientSecretBasic => "client_secret_basic",
        ClientSecretPost => "client_secret_post",
    }
}

/// What a client can exchange for a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantType {
    /// A code that a human's browser brought.
    AuthorizationCode,
    /// A refresh token.
    RefreshToken,
    /// Its own secret, to act as the agent that it is bound to.
    ClientCredentials,
    /// A device code that a human approved in a browser elsewhere.
    #[serde(rename = "urn:ietf:params:oauth:grant-type:device_code")]
    DeviceCode,
}

impl GrantType {
    /// The word that requests and registrations use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::RefreshToken => "refresh_token",
            Self::ClientCredentials => "client_credentials",
            Self::DeviceCode => "urn:ietf:params:oauth:grant-type:device_code",
        }
    }

    /// All of them.
    pub const ALL: [Self; 4] = [Self::AuthorizationCode, Self::RefreshToken, Self::ClientCredentials, Self::DeviceCode];

    /// What a word stands for.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grant_type| grant_type.as_str() == word)
    }
}

/// A program that asks for tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// Its public name among programs.
    pub client_id: String,
    /// Where it comes from.
    pub source: ClientSource,
    /// Its name for people, as it gave it.
    pub name: String,
    /// How it proves who it is.
    pub token_endpoint_auth_method: ClientAuthMethod,
    /// Where codes may be sent.
    pub redirect_uris: Vec<String>,
    /// What it can exchange for tokens.
    pub grant_types: Vec<GrantType>,
    /// Its home page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_uri: Option<String>,
    /// Its picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo_uri: Option<String>,
    /// The agent that it acts as by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Since when it is known.
    pub created_at: Timestamp,
}

impl Client {
    /// Whether it can keep a secret.
    pub fn is_confidential(&self) -> bool {
        self.token_endpoint_auth_method != ClientAuthMethod::None
    }

    /// The host that stands behind it, where that is known and not only claimed: the document of a
    /// client was read from there. What a client says about itself when it registers proves nothing.
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
    /// How many there are in all.
    pub total: i64,
}

/// A client that whoever runs the server makes.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// Its name for people.
    pub name: String,
    /// How it proves who it is.
    pub auth_method: ClientAuthMethod,
    /// What it can exchange for tokens.
    pub grant_types: Vec<GrantType>,
    /// Where codes may be sent.
    pub redirect_uris: Vec<String>,
    /// The agent that it acts as by itself; needed for client credentials, and only for them.
    pub agent: Option<String>,
}

/// How a client introduces itself in a request.
#[derive(Clone, Default)]
pub struct ClientClaim {
    /// Who it says it is.
    pub client_id: Option<String>,
    /// The secret that it shows.
    pub secret: Option<String>,
}

impl std::fmt::Debug for ClientClaim {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ClientClaim").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// What a client learns about one of its tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenFacts {
    /// What the token may do.
    pub scope: String,
    /// The client that it was given to.
    pub client_id: String,
    /// The human who allowed it.
    pub username: String,
    /// The agent that it acts as.
    pub sub: String,
    /// When it ends, in seconds since 1970.
    pub exp: i64,
    /// When it was made, in seconds since 1970.
    pub iat: i64,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aud: Option<String>,
    /// `Bearer` for access tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_type: Option<&'static str>,
}

/// What a human is asked about a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    /// The client on the device.
    pub client: Client,
    /// The code, as it is shown.
    pub user_code: String,
}

crate::row! {
    /// A client that may act as one of the caller's agents.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Grant {
        /// Its id.
        pub id: GrantId,
        /// The client.
        pub client_id: String,
        /// What the client calls itself.
        pub client_name: String,
        /// The agent that it acts as.
        pub agent: String,
        /// Since when.
        pub created_at: Timestamp,
        /// When it ends unless the client uses it before.
        pub expires_at: Timestamp,
    }
}

/// A page of grants.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct GrantPage {
    /// The grants, newest first.
    pub grants: Vec<Grant>,
    /// How many there are in all.
    pub total: i64,
}
