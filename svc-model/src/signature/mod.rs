//! What a machine principal signs: the parts of HTTP Message Signatures (RFC 9421) and digests of bodies
//! (RFC 9530) that signer and hub have in common.

mod authority;
mod base;

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

pub use authority::normal_authority;
pub use base::{Absent, Covered, field_value, signature_base};

/// The tag that tells svc's signatures from those of other applications.
pub const TAG: &str = "svc.machine/v1";
/// The one algorithm.
pub const ALGORITHM: &str = "ed25519";
/// The components that every signature covers; a body besides, by its digest.
pub const REQUIRED: [&str; 4] = ["@method", "@authority", "@path", "@query"];
/// The components that a signature covers where the request has them, because they decide what is done.
pub const CONDITIONS: [&str; 2] = ["if-match", "if-none-match"];
/// The name of the field that carries the digest of the body, as a component too.
pub const CONTENT_DIGEST: &str = "content-digest";

/// The value of the field `Content-Digest` for this body.
pub fn content_digest(body: &[u8]) -> String {
    format!("sha-256=:{}:", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(body)))
}
