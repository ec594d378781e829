//! The source of the encryption key: the settings, or a file that only its owner can read.

use std::fmt;
use std::io::ErrorKind as Io;
use std::path::Path;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::AsyncWriteExt;

use crate::clock::{Entropy, hex};
use crate::error::{Error, Result};

/// The name of the key file in the data directory.
pub(crate) const FILE: &str = "secret.key";

/// The encryption key of the vault: 32 bytes. Its `Debug` output shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey([u8; 32]);

impl SecretKey {
    /// Builds the key from its bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretKey(…)")
    }
}

impl FromStr for SecretKey {
    type Err = Error;

    /// Parses 64 hexadecimal digits, or 32 bytes in base64.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let bytes = if text.len() == 64 { unhex(text) } else { STANDARD.decode(text).ok() };
        bytes
            .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())
            .map(Self)
            .ok_or_else(|| Error::invalid("secret_key", "must be 64 hexadecimal digits, or 32 bytes in base64"))
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect())
}

/// Reads the key file, or creates it. When several processes create it at once, all use the first one.
pub(crate) async fn load(data: &Path, entropy: &dyn Entropy) -> Result<SecretKey> {
    let path = data.join(FILE);
    let explain = |error: std::io::Error| {
        let sentence = format!(
            "The key file {} cannot be read or created: check its permissions, or set SVC_SECRET_KEY.",
            path.display()
        );
        Error::unavailable("secret_key_file", sentence).with_source(error)
    };
    for _ in 0..2 {
        match tokio::fs::read_to_string(&path).await {
            Ok(text) => {
                return text.parse().map_err(|_| {
                    let sentence = format!(
                        "The key file {} has no valid key: restore it from a backup, or move it away if nothing was \
                         encrypted yet.",
                        path.display()
                    );
                    Error::unavailable("secret_key_file", sentence)
                });
            }
            Err(error) if error.kind() == Io::NotFound => make(data, &path, entropy).await.map_err(explain)?,
            Err(error) => return Err(explain(error)),
        }
    }
    let message = format!("The key file {} was removed during its creation.", path.display());
    Err(Error::unavailable("secret_key_file", message))
}

/// Reads the key file; `None` if there is none.
pub(crate) async fn existing(data: &Path) -> Result<Option<SecretKey>> {
    let path = data.join(FILE);
    match tokio::fs::read_to_string(&path).await {
        Ok(text) => text.parse().map(Some),
        Err(error) if error.kind() == Io::NotFound => Ok(None),
        Err(error) => {
            let sentence = format!("The key file {} cannot be read: check its permissions.", path.display());
            Err(Error::unavailable("secret_key_file", sentence).with_source(error))
        }
    }
}

/// Writes a key to the key file, unless there is one.
pub(crate) async fn place(data: &Path, key: &SecretKey, entropy: &dyn Entropy) -> std::io::Result<()> {
    let mut name = [0; 8];
    entropy.fill(&mut name);
    write(data, &data.join(FILE), &key.0, &name).await
}

/// Writes a new key to a temporary file and renames it unless another process was faster, so that no process
/// ever reads a partial key.
async fn make(data: &Path, path: &Path, entropy: &dyn Entropy) -> std::io::Result<()> {
    let mut bytes = [0; 40];
    entropy.fill(&mut bytes);
    let (key, name) = bytes.split_at(32);
    write(data, path, key, name).await
}

async fn write(data: &Path, path: &Path, key: &[u8], name: &[u8]) -> std::io::Result<()> {
    let draft = data.join(format!(".{FILE}.{}", hex(name)));
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(&draft).await?;
    file.write_all(format!("{}\n", hex(key)).as_bytes()).await?;
    file.sync_all().await?;
    let placed = tokio::fs::hard_link(&draft, path).await;
    tokio::fs::remove_file(&draft).await?;
    match placed {
        Err(error) if error.kind() != Io::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_parsed_from_hex_and_base64() {
        let key = SecretKey([0xab; 32]);
        assert_eq!("ab".repeat(32).parse::<SecretKey>().unwrap(), key);
        assert_eq!(STANDARD.encode([0xab; 32]).parse::<SecretKey>().unwrap(), key);
        for text in ["", "abc", &"zz".repeat(32), &"ab".repeat(31)] {
            assert_eq!(text.parse::<SecretKey>().unwrap_err().fields()[0].field, "secret_key");
        }
        assert!(!format!("{key:?}").contains("ab"));
    }
}
