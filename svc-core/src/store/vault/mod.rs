//! The vault: encryption of values that must be readable again but must not be stored in plain text.
//!
//! Invariants: encryption is XChaCha20-Poly1305 with a key that is never in the store; a sealed value is
//! bound to its context, so that it cannot be opened after being moved to another row; with another key
//! nothing opens, and the error says so. ([`secrets`](crate::identity::secrets) ensures that no second key is
//! mixed in.)

mod key;

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

pub use key::SecretKey;
pub(crate) use key::{FILE, existing, load, place};

use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::store::idempotency::IdempotencyKey;

const NONCE: usize = 24;

/// Seals and opens values. Clones share the key.
#[derive(Clone)]
pub(crate) struct Vault {
    cipher: XChaCha20Poly1305,
    /// The state of a hash that has taken the key.
    derivation: Hmac<Sha256>,
    entropy: Arc<dyn Entropy>,
}

impl Vault {
    pub(crate) fn new(key: &SecretKey, entropy: Arc<dyn Entropy>) -> Self {
        let derivation =
            <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key.bytes()).expect("HMAC takes keys of any length");
        Self { cipher: XChaCha20Poly1305::new(key.bytes().into()), derivation, entropy }
    }

    /// Bytes that follow from the key and a context, and are as good as random to everybody without the key.
    pub(crate) fn derive(&self, context: &str) -> [u8; 32] {
        // The prefix keeps these apart from every other use of the key.
        let derived = self.derivation.clone().chain_update(b"svc derived bytes\0").chain_update(context.as_bytes());
        derived.finalize().into_bytes().into()
    }

    /// Seals a value for this context.
    pub(crate) fn seal(&self, context: &str, value: &[u8]) -> Result<Vec<u8>> {
        let mut nonce = [0; NONCE];
        self.entropy.fill(&mut nonce);
        let payload = Payload { msg: value, aad: context.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| Error::internal("a value could not be sealed"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens a value that was sealed for this context with this key.
    pub(crate) fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let refuse = || {
            Error::unavailable(
                "secret_key_mismatch",
                "This was encrypted with another key: start the server with its original key file or SVC_SECRET_KEY.",
            )
        };
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or_else(refuse)?;
        let payload = Payload { msg: sealed, aad: context.as_bytes() };
        self.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| refuse())
    }

    /// The context of a stored response to a request with an idempotency key.
    pub(crate) fn response_context(key: Option<&IdempotencyKey>) -> String {
        key.map_or_else(|| "answer".to_owned(), |key| format!("answer {}", key.context()))
    }

    /// Seals a response that contains a credential and is stored for repeated requests.
    pub(crate) fn seal_response<T: Serialize>(&self, context: &str, answer: &T) -> Result<String> {
        let text = serde_json::to_vec(answer)
            .map_err(|error| Error::internal("a response cannot be stored").with_source(error))?;
        Ok(STANDARD.encode(self.seal(context, &text)?))
    }

    /// Opens a sealed response.
    pub(crate) fn open_response<T: DeserializeOwned>(&self, context: &str, sealed: &str) -> Result<T> {
        let sealed = STANDARD
            .decode(sealed)
            .map_err(|error| Error::internal("a stored response cannot be read").with_source(error))?;
        serde_json::from_slice(&self.open(context, &sealed)?)
            .map_err(|error| Error::internal("a stored response cannot be read").with_source(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemEntropy;

    fn vault(byte: u8) -> Vault {
        Vault::new(&SecretKey::from_bytes([byte; 32]), Arc::new(SystemEntropy))
    }

    #[test]
    fn a_value_opens_only_with_its_context_and_key() {
        let sealed = vault(1).seal("here", b"hunter2").unwrap();
        assert_eq!(vault(1).open("here", &sealed).unwrap(), b"hunter2");
        assert!(!sealed.windows(7).any(|window| window == b"hunter2"));
        for (other, context) in [(vault(2), "here"), (vault(1), "there")] {
            assert_eq!(other.open(context, &sealed).unwrap_err().code(), "secret_key_mismatch");
        }
        let mut changed = sealed.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(vault(1).open("here", &changed).is_err());
        assert!(vault(1).open("here", b"short").is_err());
    }

    #[test]
    fn sealing_twice_gives_different_texts() {
        assert_ne!(vault(1).seal("here", b"same").unwrap(), vault(1).seal("here", b"same").unwrap());
    }
}
