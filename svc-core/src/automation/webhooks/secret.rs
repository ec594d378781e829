//! Secrets of webhooks, as Standard Webhooks writes them: `whsec_` and base64.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::limits;

const PREFIX: &str = "whsec_";

/// The bytes of a secret. `Debug` shows nothing of them.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::automation) struct Secret(Vec<u8>);

impl Secret {
    /// Makes a secret.
    pub(super) fn make(entropy: &dyn Entropy) -> Self {
        let mut bytes = vec![0; limits::WEBHOOK_SECRET_MADE];
        entropy.fill(&mut bytes);
        Self(bytes)
    }

    /// Reads a secret that the caller brings.
    pub(in crate::automation) fn parse(text: &str) -> Result<Self> {
        let (least, most) = (limits::WEBHOOK_SECRET_BYTES.start(), limits::WEBHOOK_SECRET_BYTES.end());
        let bytes = text.strip_prefix(PREFIX).and_then(|encoded| STANDARD.decode(encoded).ok());
        bytes.filter(|bytes| limits::WEBHOOK_SECRET_BYTES.contains(&bytes.len())).map(Self).ok_or_else(|| {
            Error::invalid("secret", format!("must be {PREFIX} and the base64 of {least} to {most} bytes"))
        })
    }

    /// A secret from the vault.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text that is shown once.
    pub(super) fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemEntropy;

    #[test]
    fn secrets_survive_a_round_trip() {
        let made = Secret::make(&SystemEntropy);
        assert_eq!(Secret::parse(&made.reveal()).unwrap(), made);
        assert_eq!(format!("{made:?}"), "Secret(…)");
    }

    #[test]
    fn secrets_of_other_sizes_and_forms_are_rejected() {
        for bytes in [0, 23, 65] {
            assert!(Secret::parse(&format!("whsec_{}", STANDARD.encode(vec![7; bytes]))).is_err(), "{bytes}");
        }
        for bytes in [24, 64] {
            assert!(Secret::parse(&format!("whsec_{}", STANDARD.encode(vec![7; bytes]))).is_ok(), "{bytes}");
        }
        for text in ["", "whsec_", "whsec_!!!", &STANDARD.encode([7; 32])] {
            assert_eq!(Secret::parse(text).unwrap_err().fields()[0].field, "secret", "{text}");
        }
    }
}
