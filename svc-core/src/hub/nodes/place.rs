//! Where a process keeps the bytes of files, so that two can be compared.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::clock::hex;

/// A directory of this machine, or a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlobPlace {
    /// Equal for those who share it.
    pub(super) id: String,
    /// In words, for people.
    pub(super) shown: String,
}

impl BlobPlace {
    /// A bucket, by its address.
    pub(crate) fn bucket(url: &str) -> Self {
        let url = url.trim_end_matches('/');
        Self { id: digest(&[b"bucket", url.as_bytes()]), shown: url.to_owned() }
    }

    /// A directory, which is there. Two machines may call different ones by the same path, and containers of one
    /// machine may reach one by different paths.
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

/// What stands in a file of the system; nothing where there is none.
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
    fn a_bucket_is_known_by_its_address() {
        assert_eq!(BlobPlace::bucket("s3://files/hub/"), BlobPlace::bucket("s3://files/hub"));
        assert_ne!(BlobPlace::bucket("s3://files/hub"), BlobPlace::bucket("s3://files/other"));
    }
}
