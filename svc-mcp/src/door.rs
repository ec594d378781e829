//! Who is calling: from what the transport knows to the hub's caller, for each request anew.

use rmcp::model::Extensions;
use svc_core::{Caller, Error, ErrorKind, Hub, Surface, Visit};

/// Where callers come from.
#[derive(Clone)]
pub enum Door {
    /// Over HTTP: the server has checked the request's credential and put the caller into the request.
    Request,
    /// Through a pipe: one program, with this key, which is checked for every request.
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
    /// A program that holds this key.
    pub fn key(key: impl Into<std::sync::Arc<str>>) -> Self {
        Self::Key(key.into())
    }

    /// Who sent the request with these extensions.
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
        "Send a key or a token in the header Authorization: Bearer.",
    )
}
