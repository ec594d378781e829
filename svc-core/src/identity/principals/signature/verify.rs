//! Whether a signature is of its time, and whether it is by the key over the request.

use ed25519_dalek::{Signature, VerifyingKey};
use svc_model::principals::PublicKey;

use super::{Covered, Presented, Proof, SignedRequest, codes, signature_base};
use crate::error::Result;
use crate::limits;
use crate::timestamp::Timestamp;
use svc_model::signature::Absent;

/// Checks that it was made about now, and has not expired.
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
    /// After this it is too old, whatever the clock of the node that looks at it says within reason.
    pub(crate) fn forgotten_at(&self) -> Timestamp {
        moment(self.created).plus(limits::SIGNATURE_WINDOW * 2)
    }
}

fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds.saturating_mul(1_000_000))
}

/// Checks that it is by this key over this request, sent to one of its authorities. The body is no part of this,
/// its digest is.
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

/// Strictly: neither a key nor a signature that would do for several messages passes.
pub(super) fn is_by(key: PublicKey, signature: &[u8; 64], message: &[u8]) -> bool {
    let signature = Signature::from_bytes(signature);
    VerifyingKey::from_bytes(&key.0).is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}
