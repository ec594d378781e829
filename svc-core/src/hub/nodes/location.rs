//! The location of a process's files, in a form that can be compared.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::clock::hex;

/// A directory of this machine, or a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlobLocation {
    /// Equal for processes that share the location.
    pub(super) id: String,
    /// A readable form.
    pub(super) shown: String,
}

impl BlobLocation {
    /// A bucket, by its URL.
    pub(crate) fn bucket(url: &str) -> Self {
        let url = url.trim_end_matches('/');
        Self { id: digest(&[b"bucket", url.as_bytes()]), shown: url.to_owned() }
    }

    /// An existing directory. Different machines may use the same path for different directories,
    /// and containers of one machine may reach one directory by different paths.
    pub(crate) async fn directory(path: &Path) -> Self {
        let machine = text_of("/proc/sys/kernel/random/boot_id").await;
        let host = text_of("/proc/sys/kernel/hostname").await;
        let id = match tokio::fs::metadata(path).await {
            #[cfg(unix)]
            Ok(found) => {
                use std::os::unix::fs::MetadataExt;

                digest(&[b"directory", machine.as_bytes(), &found.dev().to_be_bytes(), &found.ino().to_be_bytes()])
            }
            _ => digest(&[b"directory", machine.as_bytes(), path.as_os_str().as_encoded_bytes()]),
        };
        let path = tokio::fs::canonicalize(path).await.unwrap_or_else(|_| path.to_owned());
        let shown = match host.as_str() {
            "" => path.display().to_string(),
            host => format!("{} on {host}", path.display()),
        };
        Self { id, shown }
    }
}

/// The text of a system file; empty if it does not exist.
async fn text_of(path: &str) -> String {
    tokio::fs::read_to_string(path).await.map(|text| text.trim().to_owned()).unwrap_or_default()
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_identified_by_its_url() {
        assert_eq!(BlobLocation::bucket("s3://files/hub/"), BlobLocation::bucket("s3://files/hub"));
        assert_ne!(BlobLocation::bucket("s3://files/hub"), BlobLocation::bucket("s3://files/other"));
    }
}
