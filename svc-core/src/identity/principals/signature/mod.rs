//! Signed requests, as pure rules: HTTP Message Signatures (RFC 9421) by Ed25519, over a digest of the body
//! (RFC 9530).
//!
//! What always holds:
//! - Method, authority, path, query and conditions are covered, and a body by its digest: whatever is changed on
//!   the way breaks the signature.
//! - The signature is proved by the header fields alone, so that no body is read for somebody who is not known.
//! - One signature counts, the one with our tag. Two of them are refused, because readers could differ about
//!   which one is meant; so is a field that names one thing twice.
//! - What cannot be checked exactly is refused and never passed over.

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

/// What a request without a signature that counts is answered with, as `Accept-Signature` (RFC 9421, section 5):
/// what has to be covered, and how.
pub const ACCEPT_SIGNATURE: &str = "sig1=(\"@method\" \"@authority\" \"@path\" \"@query\" \"content-digest\")\
                                    ;created;alg=\"ed25519\";tag=\"svc.machine/v1\"";

/// A request as it arrived, as far as signatures are about it, before its body.
#[derive(Debug, Clone, Copy)]
pub struct SignedRequest<'a> {
    /// The method, as it was sent.
    pub method: &'a str,
    /// Where it may have been sent to, each by [`normal_authority`]. The signature has to be for one of them.
    pub authorities: &'a [String],
    /// The path, as it was sent.
    pub path: &'a str,
    /// What follows the question mark, as it was sent; `None` where there is none.
    pub query: Option<&'a str>,
    /// The header fields.
    pub headers: &'a HeaderMap,
    /// Whether a body may follow.
    pub has_body: bool,
}
