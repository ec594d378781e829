//! OAuth errors, with the codes of RFC 6749 and related standards.
//!
//! Invariant: the code of such an error is the `error` that the client receives, and its message is the
//! `error_description`, so that a surface has nothing to translate.

use crate::error::{Error, ErrorKind};

/// The client is unknown or failed to authenticate.
pub(crate) fn invalid_client(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unauthenticated, "invalid_client", message)
}

/// A parameter is missing, malformed or contradicts another.
pub(crate) fn invalid_request(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_request", message)
}

/// The code, token or device code is unknown, used, expired, or belongs to another client.
pub(crate) fn invalid_grant(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_grant", message)
}

/// The requested scope is not supported.
pub(crate) fn invalid_scope() -> Error {
    Error::new(ErrorKind::Invalid, "invalid_scope", "The only scope is mcp.")
}

/// The resource does not belong to this server.
pub(crate) fn invalid_target(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_target", message)
}

/// The client may not use this grant.
pub(crate) fn unauthorized_client(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "unauthorized_client", message)
}

/// A registration names an unacceptable redirect URI.
pub(crate) fn invalid_redirect_uri(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_redirect_uri", message)
}

/// A registration is unacceptable for another reason.
pub(crate) fn invalid_client_metadata(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_client_metadata", message)
}

/// The human, or the hub on the human's behalf, denied the request.
pub(crate) fn access_denied(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Forbidden, "access_denied", message)
}
