//! The OAuth 2.1 authorization server: clients, grants and tokens.
//!
//! Invariants: a token acts as one agent that its user chose; codes, tokens and device codes are stored as
//! hashes and used once, even under concurrent use; a replay revokes its own grant and nothing else; a
//! browser is only redirected to a URI that the client registered, and with an error only for a client that
//! the user approved before; PKCE is mandatory; only a request of a human causes a fetch of a document, and
//! nothing else waits for it.

mod approve;
mod authenticate;
mod clients;
mod credentials;
mod device;
mod document;
pub(crate) mod ending;
mod exchange;
mod fault;
mod fetch_limits;
mod grants;
mod inspect;
mod issue;
mod model;
mod pkce;
mod prune;
mod redirect;
mod refresh;
mod registration;
mod request;
mod service;
mod store;
pub(crate) mod sweep;
mod target;

pub use clients::Clients;
pub use document::ClientDocuments;
pub use model::{CreatedClient, DeviceAuthorization, IssuedTokens, TokenRequest, shown_host};
pub use request::{AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal};
pub(crate) use service::ClientSecrets;
pub use service::OAuth;
pub(crate) use store::listed;
pub(crate) use target::covers;
