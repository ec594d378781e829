//! Verification of a signature: its time, its key and the request.

use ed25519_dalek::{Signature, VerifyingKey};
use svc_model::principals::PublicKey;

use super::{Covered, Presented, Proof, SignedRequest, codes, signature_base};
use crate::error::Result;
use crate::limits;
use crate::timestamp::Timestamp;
use svc_model::signature::Absent;

/// Checks that the signature was created recently and has not expired.
pub(crate) fn check_time(presented: &Presented, now: Timestamp) -> Result<()> {
    let created = moment(presented.created);
    if created > now.plus(limits::SIGNATURE_WINDOW) {
        return Err(codes::future());
    }
    let expired = presented.expires.is_some_and(|expires| moment(expires) <= now);
    if expired || created < now.minus(limits::SIGNATURE_WINDOW) {
        return Err(codes::stale());
    }
    Ok(())
}

impl Presented {
    /// When the signature is too old on every node, given the allowed difference between clocks.
    pub(crate) fn forgotten_at(&self) -> Timestamp {
        moment(self.created).plus(limits::SIGNATURE_WINDOW * 2)
    }
}

fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds.saturating_mul(1_000_000))
}

/// Verifies the signature of this request by this key, for one of its authorities. The body is not involved,
/// only its digest.
pub(crate) fn check_signature(proof: &Proof, request: &SignedRequest<'_>, key: PublicKey) -> Result<()> {
    for authority in request.authorities {
        let SignedRequest { method, path, query, headers, .. } = *request;
        let covered = Covered { method, authority, path, query, headers };
        let base = signature_base(&covered, &proof.components, &proof.parameters)
            .map_err(|Absent(component)| codes::component_absent(component))?;
        if is_by(key, &proof.signature, base.as_bytes()) {
            return Ok(());
        }
    }
    Err(codes::invalid(request.authorities))
}

/// Strict verification: rejects keys and signatures that would be valid for several messages.
pub(super) fn is_by(key: PublicKey, signature: &[u8; 64], message: &[u8]) -> bool {
    let signature = Signature::from_bytes(signature);
    VerifyingKey::from_bytes(&key.0).is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}
