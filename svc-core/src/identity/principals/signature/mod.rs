//! Signed requests: HTTP Message Signatures (RFC 9421) with Ed25519, over a digest of the body (RFC 9530).
//! Pure functions.
//!
//! Invariants:
//! - Method, authority, path, query and conditional headers are covered, and a body by its digest: any change
//!   in transit breaks the signature.
//! - The signature is verified by the header fields alone, so that no body is read for an unknown sender.
//! - Only the signature with our tag counts. Two of them are rejected, because parsers could differ about
//!   which one is meant; so is a field that repeats a name.
//! - Anything that cannot be checked exactly is rejected and never skipped.

mod codes;
mod digest;
mod field;
mod parse;
mod verify;

#[cfg(test)]
mod tests;

use http::HeaderMap;
pub use svc_model::signature::normal_authority;
pub(crate) use svc_model::signature::{ALGORITHM, CONDITIONS, CONTENT_DIGEST, Covered, REQUIRED, TAG, signature_base};

pub(crate) use digest::Digests;
pub(crate) use parse::{Presented, Proof, find};
pub(crate) use verify::{check_signature, check_time};

pub(crate) use codes::{body_not_covered, unknown_key};

/// The `Accept-Signature` header (RFC 9421, section 5) of the response to an unsigned request: the components
/// to cover, and how.
pub const ACCEPT_SIGNATURE: &str = "sig1=(\"@method\" \"@authority\" \"@path\" \"@query\" \"content-digest\")\
                                    ;created;alg=\"ed25519\";tag=\"svc.machine/v1\"";

/// The parts of a received request that signatures concern, before its body.
#[derive(Debug, Clone, Copy)]
pub struct SignedRequest<'a> {
    /// The method, as it was sent.
    pub method: &'a str,
    /// The possible authorities of the request, each by [`normal_authority`]. The signature must be for one
    /// of them.
    pub authorities: &'a [String],
    /// The path, as it was sent.
    pub path: &'a str,
    /// The part after the question mark, as it was sent; `None` without one.
    pub query: Option<&'a str>,
    /// The header fields.
    pub headers: &'a HeaderMap,
    /// Whether a body may follow.
    pub has_body: bool,
}
