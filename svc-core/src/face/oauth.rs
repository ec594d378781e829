//! The OAuth 2.1 authorization server, without HTTP: clients, grants and tokens. The handle is `hub.oauth()`.

pub use crate::identity::oauth::{
    AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal, ClientDocuments, Clients, CreatedClient,
    DeviceAuthorization, IssuedTokens, OAuth, TokenRequest, shown_host,
};

#[doc(inline)]
pub use svc_model::oauth::{
    Client, ClientAuthMethod, ClientClaim, ClientPage, ClientSource, DeviceRequest, Grant, GrantPage, GrantType,
    NewClient, TokenFacts,
};
