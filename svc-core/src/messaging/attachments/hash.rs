//! The name of a content: its SHA-256 in small hexadecimal letters.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::digest::Output;
use sha2::{Digest, Sha256};

use crate::clock::hex;
use crate::error::{Error, Result};

/// The SHA-256 of a content, as 64 small hexadecimal letters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(String);

impl ContentHash {
    /// Of bytes that are at hand.
    pub fn of(content: &[u8]) -> Self {
        Self::from_digest(Sha256::digest(content))
    }

    pub(super) fn from_digest(digest: Output<Sha256>) -> Self {
        Self(hex(&digest))
    }

    /// The letters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for ContentHash {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let sane = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if sane {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::invalid("hash", "must be a SHA-256 in 64 small hexadecimal letters"))
        }
    }
}

impl TryFrom<String> for ContentHash {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_one_writing_of_a_digest_is_a_hash() {
        let empty = ContentHash::of(b"");
        assert_eq!(empty.as_str(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(empty.as_str().parse::<ContentHash>().unwrap(), empty);
        let upper = empty.as_str().to_uppercase();
        for text in ["", "e3b0", upper.as_str(), &"g".repeat(64), &"../".repeat(22)[..64], &"é".repeat(32)] {
            assert!(text.parse::<ContentHash>().is_err(), "{text}");
        }
    }
}
