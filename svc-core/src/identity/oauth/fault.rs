//! The refusals of OAuth, by the words that RFC 6749 and its companions give them.
//!
//! What always holds: the code of such an error is the word that the client is told, and its message
//! is what stands beside the word, so that a surface has nothing to translate.

use crate::error::{Error, ErrorKind};

/// The client is not known, or did not prove that it is who it says.
pub(crate) fn invalid_client(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unauthenticated, "invalid_client", message)
}

/// A parameter is missing, malformed or contradicts another.
pub(crate) fn invalid_request(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_request", message)
}

/// The code, token or device code is unknown, used, expired, or somebody else's.
pub(crate) fn invalid_grant(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_grant", message)
}

/// The scope is not one that can be given here.
pub(crate) fn invalid_scope() -> Error {
    Error::new(ErrorKind::Invalid, "invalid_scope", "The only scope is mcp.")
}

/// The resource is not one of this server's.
pub(crate) fn invalid_target(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_target", message)
}

/// The client may not use this grant.
pub(crate) fn unauthorized_client(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "unauthorized_client", message)
}

/// A registration names an address that codes cannot be sent to.
pub(crate) fn invalid_redirect_uri(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_redirect_uri", message)
}

/// A registration is not acceptable for another reason.
pub(crate) fn invalid_client_metadata(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_client_metadata", message)
}

/// The human, or the hub on the human's behalf, said no.
pub(crate) fn access_denied(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Forbidden, "access_denied", message)
}
