//! The check of a signature, as Standard Webhooks describes it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The greatest difference between the clocks of sender and receiver.
const TOLERANCE: Duration = Duration::from_mins(5);

/// Checks signatures with one secret.
pub(crate) struct Verifier {
    key: Vec<u8>,
}

impl Verifier {
    /// Reads a secret, `whsec_…`.
    pub(crate) fn new(secret: &str) -> Result<Self, &'static str> {
        let encoded = secret.strip_prefix("whsec_").ok_or("a secret begins with whsec_")?;
        let key = STANDARD.decode(encoded).map_err(|_| "the rest of a secret is base64")?;
        Ok(Self { key })
    }

    /// Whether a delivery is recent and one of its signatures is by this secret.
    pub(crate) fn accepts(&self, id: &str, timestamp: &str, signatures: &str, body: &str) -> bool {
        is_recent(timestamp) && self.is_signed(id, timestamp, signatures, body)
    }

    fn is_signed(&self, id: &str, timestamp: &str, signatures: &str, body: &str) -> bool {
        signatures.split(' ').filter_map(|signature| signature.strip_prefix("v1,")).any(|signature| {
            let Ok(signature) = STANDARD.decode(signature) else { return false };
            let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) else { return false };
            mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
            // The comparison takes the same time wherever the difference is.
            mac.verify_slice(&signature).is_ok()
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "a program of its own has no clock of a hub")]
fn is_recent(timestamp: &str) -> bool {
    let Ok(seconds) = timestamp.parse::<u64>() else { return false };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.abs_diff(Duration::from_secs(seconds)) <= TOLERANCE
}
