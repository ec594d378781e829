//! Attachments: files, their contents and hashes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::digest::Output;
use sha2::{Digest as _, Sha256};

use crate::clock::hex;
use crate::error::{Error, Result};
use crate::timestamp::Timestamp;

/// A file attached to a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Attachment {
    /// The SHA-256 of its content, under which it can be fetched.
    pub hash: String,
    /// Its name in this message.
    pub filename: String,
    /// Its size in bytes.
    pub size: i64,
    /// Its MIME type, detected from its content and then from its name.
    pub mime_type: String,
    /// Whether it is an image that can be displayed.
    pub is_image: bool,
}

/// An uploaded file, with the name that the uploader gave.
pub type Uploaded = Attachment;

/// A stored content, as the admin socket shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAttachment {
    /// The SHA-256 of its content.
    pub hash: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its MIME type.
    pub mime_type: String,
    /// Whether it is an image that can be displayed.
    pub is_image: bool,
    /// The number of messages that it is attached to.
    pub messages: u64,
    /// Its uploads, with the uploader and the name of each.
    pub uploads: Vec<UploadFact>,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was last uploaded or linked.
    pub touched_at: Timestamp,
}

crate::row! {
    /// An upload of a content.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct UploadFact {
        /// The handle of the uploader.
        pub by: String,
        /// The name that the uploader gave.
        pub filename: String,
    }
}

/// A page of contents.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AttachmentPage {
    /// The contents, by their hashes.
    pub attachments: Vec<StoredAttachment>,
    /// The total number of contents.
    pub total: i64,
    /// The total size in bytes.
    pub bytes: u64,
}

/// The result of comparing all contents with their hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedFiles {
    /// The number of contents that were compared.
    pub compared: u64,
    /// The number of contents that are lost or damaged.
    pub damaged: u64,
    /// The hashes of the damaged contents, up to a limit.
    pub hashes: Vec<ContentHash>,
}

/// The result of a sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Collected {
    /// The number of removed contents.
    pub removed: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

impl std::ops::AddAssign for Collected {
    fn add_assign(&mut self, more: Self) {
        self.removed += more.removed;
        self.bytes += more.bytes;
    }
}

/// The metadata of a content that is restored from an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestoreFacts {
    /// The expected hash of the content.
    pub hash: ContentHash,
    /// The expected size in bytes.
    pub size: u64,
    /// Its uploads. Uploaders that do not exist here are skipped.
    pub uploads: Vec<UploadFact>,
}

/// The result of restoring a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restored {
    /// It was missing or damaged, and has been stored.
    Stored,
    /// It was already present.
    Present,
}

/// The SHA-256 of a content, as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(String);

impl ContentHash {
    /// Computes the hash of a content.
    pub fn of(content: &[u8]) -> Self {
        Self::from_digest(Sha256::digest(content))
    }

    /// Converts a digest that was computed elsewhere.
    pub fn from_digest(digest: Output<Sha256>) -> Self {
        Self(hex(&digest))
    }

    /// The hexadecimal digits.
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
            Err(Error::invalid("hash", "must be a SHA-256 as 64 lower-case hexadecimal digits"))
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
    fn only_the_canonical_form_of_a_hash_is_parsed() {
        let empty = ContentHash::of(b"");
        assert_eq!(empty.as_str(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(empty.as_str().parse::<ContentHash>().unwrap(), empty);
        let upper = empty.as_str().to_uppercase();
        for text in ["", "e3b0", upper.as_str(), &"g".repeat(64), &"../".repeat(22)[..64], &"é".repeat(32)] {
            assert!(text.parse::<ContentHash>().is_err(), "{text}");
        }
    }
}
