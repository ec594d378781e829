//! The secret key of a machine principal.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer as _, SigningKey};

use svc_model::clock::{Entropy as _, SystemEntropy};
use svc_model::{Error, Result};

/// The prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410).
const PKCS8: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/// An Ed25519 signing key. It is parsed from 32 bytes in base64url (43 characters), or from PKCS #8 as PEM,
/// as `svc-admin machines keygen` writes them.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// Generates a key from the operating system's random source.
    pub fn generate() -> Self {
        let mut seed = [0; 32];
        SystemEntropy.fill(&mut seed);
        Self::from_bytes(&seed)
    }

    /// Builds the key from its bytes.
    pub fn from_bytes(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// The secret key as text, for storing it.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.as_bytes())
    }

    /// The public key, as the registry lists it: `public_key_base64url`.
    pub fn public_key_base64url(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.verifying_key().as_bytes())
    }

    /// Signs a text.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

impl FromStr for SecretKey {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let bytes = if text.starts_with("-----") { from_pem(text) } else { URL_SAFE_NO_PAD.decode(text).ok() };
        let bytes = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let rule = "must be the 43 characters of base64url that 32 bytes make, or an Ed25519 key in PKCS #8 as PEM";
        bytes.map(|bytes| Self::from_bytes(&bytes)).ok_or_else(|| Error::invalid("secret_key", rule))
    }
}

/// Reads the bytes of the key in a PEM file.
fn from_pem(text: &str) -> Option<Vec<u8>> {
    let body = text.strip_prefix("-----BEGIN PRIVATE KEY-----")?.strip_suffix("-----END PRIVATE KEY-----")?;
    let body: String = body.split_ascii_whitespace().collect();
    STANDARD.decode(body).ok()?.strip_prefix(&PKCS8).map(ToOwned::to_owned)
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_a_round_trip_and_are_never_printed() {
        let key = SecretKey::generate();
        let again: SecretKey = format!("{}\n", key.reveal()).parse().unwrap();
        assert_eq!(key.public_key_base64url(), again.public_key_base64url());
        assert_eq!(format!("{key:?}"), "SecretKey(…)");
        // The key of RFC 9421, appendix B.1.4.
        let pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n\
                   -----END PRIVATE KEY-----\n";
        let public = "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs";
        assert_eq!(pem.parse::<SecretKey>().unwrap().public_key_base64url(), public);
        for text in ["", "abc", &"A".repeat(44), &"=".repeat(43), "-----", &pem.replace("MC4C", "MC5C")] {
            assert!(text.parse::<SecretKey>().is_err(), "{text}");
        }
    }
}
