//! Digests of bodies (RFC 9530).

use http::HeaderMap;
use sfv::{BareItem, ListEntry};
use sha2::{Digest, Sha256, Sha512};
use subtle::ConstantTimeEq;
use svc_model::signature::CONTENT_DIGEST;

use super::{codes, field};
use crate::error::Result;

/// The supported digests of a request's body, before there is a body to compare them with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Digests(Vec<Digested>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Digested {
    Sha256(Vec<u8>),
    Sha512(Vec<u8>),
}

impl Digests {
    /// Reads the header field. A body requires a digest that can be checked; a request without a body does
    /// not.
    pub(crate) fn read(headers: &HeaderMap, has_body: bool) -> Result<Self> {
        if !headers.contains_key(CONTENT_DIGEST) {
            return if has_body { Err(codes::digest_missing()) } else { Ok(Self(Vec::new())) };
        }
        let fields = field::dictionary(headers, CONTENT_DIGEST).ok_or_else(codes::digest_missing)?;
        let mut known = Vec::new();
        for (algorithm, entry) in fields {
            let digested = match algorithm.as_str() {
                "sha-256" => Digested::Sha256,
                "sha-512" => Digested::Sha512,
                // Other algorithms, and those that are no longer safe, prove nothing.
                _ => continue,
            };
            let ListEntry::Item(sfv::Item { bare_item: BareItem::ByteSequence(claimed), .. }) = entry else {
                return Err(codes::digest_missing());
            };
            known.push(digested(claimed));
        }
        if known.is_empty() { Err(codes::digest_missing()) } else { Ok(Self(known)) }
    }

    /// Checks the body against all digests.
    pub(crate) fn check(&self, body: &[u8]) -> Result<()> {
        if self.0.is_empty() && !body.is_empty() {
            return Err(codes::digest_missing());
        }
        let matches = |digested: &Digested| match digested {
            Digested::Sha256(claimed) => bool::from(claimed.ct_eq(&Sha256::digest(body))),
            Digested::Sha512(claimed) => bool::from(claimed.ct_eq(&Sha512::digest(body))),
        };
        if self.0.iter().all(matches) { Ok(()) } else { Err(codes::digest_mismatch()) }
    }
}
