//! The signatures of machine principals: the parts of HTTP Message Signatures (RFC 9421) and of body digests
//! (RFC 9530) that client and hub share.

mod authority;
mod base;

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

pub use authority::normal_authority;
pub use base::{Absent, Covered, field_value, signature_base};

/// The tag that distinguishes svc's signatures from those of other applications.
pub const TAG: &str = "svc.machine/v1";
/// The only supported algorithm.
pub const ALGORITHM: &str = "ed25519";
/// The components that every signature covers; a body is covered by its digest in addition.
pub const REQUIRED: [&str; 4] = ["@method", "@authority", "@path", "@query"];
/// The components that a signature must cover when the request has them, because they affect the result.
pub const CONDITIONS: [&str; 2] = ["if-match", "if-none-match"];
/// The name of the header field with the digest of the body, which is also a component.
pub const CONTENT_DIGEST: &str = "content-digest";

/// The value of the `Content-Digest` header field for this body.
pub fn content_digest(body: &[u8]) -> String {
    format!("sha-256=:{}:", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(body)))
}
