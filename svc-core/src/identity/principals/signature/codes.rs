//! Errors of signed requests, each with its own code and a remedy.

use super::{ALGORITHM, TAG};
use crate::error::{Error, ErrorKind};
use crate::limits;

fn refusal(code: &'static str, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unauthenticated, code, message)
}

pub(super) fn missing() -> Error {
    refusal(
        "signature_missing",
        "Sign the request (RFC 9421): send Signature-Input and Signature. Keys, tokens and logins are not valid here.",
    )
}

pub(super) fn malformed(what: &str) -> Error {
    refusal("signature_malformed", format!("The signature cannot be read: {what}."))
}

pub(super) fn ambiguous() -> Error {
    refusal("signature_ambiguous", format!("The request has two signatures with the tag {TAG}: send one."))
}

pub(super) fn component_missing(name: &str) -> Error {
    refusal("signature_component_missing", format!("The signature does not cover {name}: sign again with it."))
        .with_detail("component", name)
}

pub(super) fn component_absent(name: &str) -> Error {
    refusal(
        "signature_component_missing",
        format!("The signature covers {name}, which the request does not have: send it or leave it out."),
    )
    .with_detail("component", name)
}

pub(super) fn parameter_missing(name: &str) -> Error {
    refusal("signature_parameter_missing", format!("The signature has no {name}: sign again with it."))
        .with_detail("parameter", name)
}

pub(super) fn algorithm() -> Error {
    refusal("signature_algorithm", format!("Sign with Ed25519, and say so with alg=\"{ALGORITHM}\"."))
}

pub(super) fn tag() -> Error {
    refusal("signature_tag", format!("No signature of the request is for this hub: sign with tag=\"{TAG}\"."))
}

pub(super) fn stale() -> Error {
    let seconds = limits::SIGNATURE_WINDOW.as_secs();
    refusal(
        "signature_stale",
        format!("The signature is older than {seconds} seconds, or has expired: sign again, with a correct clock."),
    )
}

pub(super) fn future() -> Error {
    let seconds = limits::SIGNATURE_WINDOW.as_secs();
    refusal(
        "signature_future",
        format!("The signature was made more than {seconds} seconds from now: sign again, with a correct clock."),
    )
}

pub(super) fn digest_missing() -> Error {
    refusal(
        "digest_missing",
        "The request has a body without a supported digest: send Content-Digest (RFC 9530) with sha-256 or \
         sha-512.",
    )
}

pub(super) fn digest_mismatch() -> Error {
    refusal("digest_mismatch", "The body does not match Content-Digest: send it as it was signed.")
}

/// The authorities are included, because signing for another one is the most likely mistake.
pub(super) fn invalid(authorities: &[String]) -> Error {
    let known = authorities.join(" or ");
    refusal(
        "signature_invalid",
        format!("The signature does not match the key and the request. Sign what is sent, for the authority {known}."),
    )
}

/// The error for a body that the signature does not cover.
pub(crate) fn body_not_covered() -> Error {
    component_missing(super::CONTENT_DIGEST)
}

/// The error for an unknown key, or one of another principal.
pub(crate) fn unknown_key() -> Error {
    refusal("unknown_machine_key", "The registry has no such key of this principal: sign with a registered key.")
}
