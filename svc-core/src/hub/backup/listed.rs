//! The files of a snapshot, in the order in which an archive gets them. A few are listed in memory, and more in a
//! temporary file, so that memory does not grow with the number of files.
//!
//! Invariant: the temporary file loses its name as soon as it is open, so nothing of it is left when the process ends.

use std::io::{self, Cursor, SeekFrom};
use std::path::{Path, PathBuf};

use svc_model::attachments::ContentHash;
use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncSeekExt, AsyncWriteExt, BufReader};

use crate::error::{Error, Result};

/// Bytes of a file in the list: its hash and its size.
const RECORD: usize = 32 + 8;

/// A list that grows.
pub(super) struct FileList {
    /// The path of the temporary file, should one be needed.
    path: PathBuf,
    /// The number of files that are listed in memory.
    most: usize,
    /// Records that are not in the temporary file.
    held: Vec<u8>,
    spilled: Option<File>,
    count: u64,
}

impl FileList {
    pub(super) fn new(path: PathBuf, most: usize) -> Self {
        Self { path, most, held: Vec::new(), spilled: None, count: 0 }
    }

    /// The number of files.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Adds a file by its hash, in hexadecimal digits, and its size.
    pub(super) async fn add(&mut self, hash: &str, size: u64) -> Result<()> {
        let hash = bytes_of(hash).ok_or_else(|| Error::internal("an attachment has no hash"))?;
        self.held.extend_from_slice(&hash);
        self.held.extend_from_slice(&size.to_le_bytes());
        self.count += 1;
        if self.held.len() >= self.most * RECORD {
            self.spill().await?;
        }
        Ok(())
    }

    async fn spill(&mut self) -> Result<()> {
        let written = async {
            let mut file = match self.spilled.take() {
                Some(file) => file,
                None => create(&self.path).await?,
            };
            file.write_all(&self.held).await?;
            self.held.clear();
            self.spilled = Some(file);
            io::Result::Ok(())
        };
        written.await.map_err(unusable)
    }

    /// Reads the list from its beginning.
    pub(super) async fn read(mut self) -> Result<ListedFiles> {
        if self.spilled.is_some() {
            self.spill().await?;
        }
        let records: Box<dyn AsyncRead + Send + Unpin> = match self.spilled {
            Some(mut file) => {
                file.flush().await.map_err(unusable)?;
                file.seek(SeekFrom::Start(0)).await.map_err(unusable)?;
                Box::new(BufReader::new(file))
            }
            None => Box::new(Cursor::new(self.held)),
        };
        Ok(ListedFiles { left: self.count, records })
    }
}

/// A list that is read.
pub(super) struct ListedFiles {
    left: u64,
    records: Box<dyn AsyncRead + Send + Unpin>,
}

impl ListedFiles {
    /// The hash and the size of the next file.
    pub(super) async fn next(&mut self) -> Result<Option<(ContentHash, u64)>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut hash = [0; 32];
        self.records.read_exact(&mut hash).await.map_err(unusable)?;
        let size = self.records.read_u64_le().await.map_err(unusable)?;
        Ok(Some((crate::clock::hex(&hash).parse()?, size)))
    }
}

/// A file without a name. Where a file that is open cannot lose its name, it keeps it.
async fn create(path: &Path) -> io::Result<File> {
    let mut options = tokio::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    let file = options.open(path).await?;
    drop(tokio::fs::remove_file(path).await);
    Ok(file)
}

fn unusable(error: io::Error) -> Error {
    let sentence = format!(
        "The list of the files of a backup cannot be kept in the data directory ({error}): see that there is room, and \
         try again."
    );
    Error::unavailable("backup_list", sentence).with_source(error)
}

/// The bytes of a hash in hexadecimal digits.
fn bytes_of(hash: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> = hash
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{SystemEntropy, random_hex};

    #[tokio::test]
    async fn a_list_returns_what_was_added_however_long_it_is() {
        for (most, number) in [(4, 3_u64), (4, 4), (4, 11), (1, 0)] {
            let path = std::env::temp_dir().join(format!("svc-list-{}", random_hex(&SystemEntropy, 8)));
            let mut list = FileList::new(path.clone(), most);
            for size in 0..number {
                list.add(ContentHash::of(&size.to_le_bytes()).as_str(), size).await.unwrap();
                assert!(!path.exists(), "a temporary file has no name");
            }
            assert_eq!(list.count(), number);
            let mut listed = list.read().await.unwrap();
            for size in 0..number {
                assert_eq!(listed.next().await.unwrap(), Some((ContentHash::of(&size.to_le_bytes()), size)));
            }
            assert_eq!(listed.next().await.unwrap(), None);
        }
    }

    #[tokio::test]
    async fn a_row_without_a_hash_is_no_file() {
        let mut list = FileList::new(PathBuf::from("/nonexistent/list"), 4);
        for text in ["", "abc", "zz", "0".repeat(62).as_str(), "g".repeat(64).as_str()] {
            assert_eq!(list.add(text, 1).await.unwrap_err().code(), "internal", "{text}");
        }
    }
}
