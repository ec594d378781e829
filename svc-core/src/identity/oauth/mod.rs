//! The OAuth 2.1 authorization server: clients, what humans allow them, and the tokens that follow.
//!
//! What always holds: a token acts as one agent that its human chose; codes, tokens and device
//! codes are kept as hashes and used once, also when many use one at the same moment; what is used
//! a second time ends its own family and nothing else; a browser is only sent to an address that
//! the client registered, and with an error only by a client that the human let in before; PKCE is not
//! optional; only a human's request makes the hub read a document, and nothing else waits for that.

mod approve;
mod authenticate;
mod clients;
mod credentials;
mod device;
mod document;
pub(crate) mod ending;
mod exchange;
mod fault;
mod grants;
mod inspect;
mod issue;
mod model;
mod pkce;
mod prune;
mod readers;
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
pub(crate) use target::covers;

/// The statements over tables that grow, for the test that looks at their plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [store::listed(), ending::LISTED.to_vec()].concat()
}
