//! What attachments look like from outside.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::digest::Output;
use sha2::{Digest as _, Sha256};

use crate::clock::hex;
use crate::error::{Error, Result};
use crate::timestamp::Timestamp;

/// A file as a message shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Attachment {
    /// The SHA-256 of its content, under which it can be fetched.
    pub hash: String,
    /// What it is called here.
    pub filename: String,
    /// How many bytes it has.
    pub size: i64,
    /// Its type, as its bytes and then its name tell it.
    pub mime_type: String,
    /// Whether it is a picture that can be shown.
    pub is_image: bool,
}

/// A file that was uploaded: the same facts, under the name that the uploader gave.
pub type Uploaded = Attachment;

/// A content as whoever runs the server sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAttachment {
    /// The SHA-256 of its content.
    pub hash: String,
    /// Its bytes.
    pub size: u64,
    /// Its type.
    pub mime_type: String,
    /// Whether it is a picture that can be shown.
    pub is_image: bool,
    /// How many messages carry it.
    pub messages: u64,
    /// Who uploaded it, and under which name.
    pub uploads: Vec<UploadFact>,
    /// Since when it is here.
    pub created_at: Timestamp,
    /// When it was last uploaded or linked.
    pub touched_at: Timestamp,
}

crate::row! {
    /// That somebody uploaded a content.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct UploadFact {
        /// Their handle.
        pub by: String,
        /// What they called it.
        pub filename: String,
    }
}

/// A page of contents.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AttachmentPage {
    /// The contents, by their hashes.
    pub attachments: Vec<StoredAttachment>,
    /// How many there are in all.
    pub total: i64,
    /// How many bytes they take in all.
    pub bytes: u64,
}

/// What was found when all contents were compared with their hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedFiles {
    /// How many were compared.
    pub compared: u64,
    /// How many are lost or damaged.
    pub damaged: u64,
    /// The hashes of those, of many the first.
    pub hashes: Vec<ContentHash>,
}

/// What a sweep removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Collected {
    /// How many contents.
    pub removed: u64,
    /// How many bytes they took.
    pub bytes: u64,
}

impl std::ops::AddAssign for Collected {
    fn add_assign(&mut self, more: Self) {
        self.removed += more.removed;
        self.bytes += more.bytes;
    }
}

/// What is known of a content that comes back from an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestoreFacts {
    /// What the content has to come to.
    pub hash: ContentHash,
    /// How many bytes it has to have.
    pub size: u64,
    /// Who had uploaded it. Those who are not here are passed over.
    pub uploads: Vec<UploadFact>,
}

/// What became of a content from an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restored {
    /// It was not here, or was damaged, and is here now.
    Stored,
    /// It was here.
    Present,
}

/// The SHA-256 of a content, as 64 small hexadecimal letters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(String);

impl ContentHash {
    /// Of bytes that are at hand.
    pub fn of(content: &[u8]) -> Self {
        Self::from_digest(Sha256::digest(content))
    }

    /// Of a digest that was computed elsewhere.
    pub fn from_digest(digest: Output<Sha256>) -> Self {
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
