//! Authentication: resolves the caller of each request from the credential that the transport provides.

use rmcp::model::Extensions;
use svc_core::auth::{Surface, Visit};
use svc_core::{Caller, Error, ErrorKind, Hub};

/// Source of the caller's identity.
#[derive(Clone)]
pub enum Door {
    /// HTTP: the server has authenticated the request and attached the caller to it.
    Request,
    /// Pipe: one client with this key, which is checked for every request.
    Key(std::sync::Arc<str>),
}

impl std::fmt::Debug for Door {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Request => "Request",
            Self::Key(_) => "Key(…)",
        })
    }
}

impl Door {
    /// A client that holds this key.
    pub fn key(key: impl Into<std::sync::Arc<str>>) -> Self {
        Self::Key(key.into())
    }

    /// The caller of the request with these extensions.
    pub(crate) async fn caller(&self, hub: &Hub, extensions: &Extensions) -> Result<Caller, Error> {
        match self {
            Self::Request => of_request(extensions).ok_or_else(nobody),
            Self::Key(key) => {
                let caller = hub.auth().bearer_at(key, "/mcp").await?;
                Ok(caller.visiting(Visit::through(Surface::Mcp)))
            }
        }
    }
}

#[cfg(feature = "http")]
fn of_request(extensions: &Extensions) -> Option<Caller> {
    extensions.get::<http::request::Parts>()?.extensions.get::<Caller>().cloned()
}

#[cfg(not(feature = "http"))]
fn of_request(extensions: &Extensions) -> Option<Caller> {
    extensions.get::<Caller>().cloned()
}

fn nobody() -> Error {
    Error::new(
        ErrorKind::Unauthenticated,
        "missing_token",
        "Send a key or an access token in the header Authorization: Bearer.",
    )
}
