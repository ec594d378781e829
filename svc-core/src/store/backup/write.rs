//! Writing an archive, one entry after the other. Everything here blocks its thread.

use std::io::{self, Read, Write};

use serde::Serialize;
use sha2::{Digest, Sha256};
use svc_model::attachments::ContentHash;

use super::manifest::{FILES, FileSum, HEADER, Header, KEY, MANIFEST, Manifest, SEAL, SealedKey, TABLES, TableSum};
use super::snapshot::Part;
use super::trailer::HashedOutput;
use crate::clock::hex;
use crate::limits;

/// A fast level: an archive of text becomes a quarter of its size, at the speed of a disk.
const LEVEL: i32 = 3;

/// An archive that is being written.
pub(crate) struct ArchiveWriter<W: Write> {
    tar: tar::Builder<zstd::Encoder<'static, HashedOutput<W>>>,
    time: u64,
    header: String,
    tables: Vec<(TableSum, Sha256, u32)>,
    files: FileSum,
    file_hashes: Sha256,
    key: Option<String>,
}

impl<W: Write> ArchiveWriter<W> {
    pub(crate) fn begin(out: W, header: &Header) -> io::Result<Self> {
        let mut encoder = zstd::Encoder::new(HashedOutput::new(out), LEVEL)?;
        encoder.include_checksum(true)?;
        let sums = header.tables.iter().map(|table| {
            let sum = TableSum { name: table.name.clone(), ..TableSum::default() };
            (sum, Sha256::new(), 0)
        });
        let mut this = Self {
            tar: tar::Builder::new(encoder),
            time: u64::try_from(header.created_at.as_micros() / 1_000_000).unwrap_or(0),
            header: String::new(),
            tables: sums.collect(),
            files: FileSum::default(),
            file_hashes: Sha256::new(),
            key: None,
        };
        this.header = this.note(HEADER, header)?;
        Ok(this)
    }

    /// Writes rows of a table.
    pub(crate) fn part(&mut self, part: &Part) -> io::Result<()> {
        let (sum, hash, parts) = self.tables.get_mut(part.table).ok_or_else(|| io::Error::other("an unknown table"))?;
        sum.rows += part.rows;
        sum.bytes += part.bytes.len() as u64;
        hash.update(&part.bytes);
        *parts += 1;
        let name = format!("{TABLES}{}/{parts:06}.jsonl", sum.name);
        self.entry(&name, part.bytes.len() as u64, part.bytes.as_slice())
    }

    /// Writes a file of exactly this size.
    pub(crate) fn file(&mut self, hash: &ContentHash, size: u64, content: impl Read) -> io::Result<()> {
        self.files.count += 1;
        self.files.bytes += size;
        self.file_hashes.update(hash.as_str());
        self.entry(&format!("{FILES}{hash}"), size, content)
    }

    /// Records a file that the store has lost.
    pub(crate) fn lost(&mut self, hash: &ContentHash) {
        self.files.lost += 1;
        if self.files.lost_hashes.len() < limits::BACKUP_LOST_NAMED {
            self.files.lost_hashes.push(hash.to_string());
        }
    }

    pub(crate) fn key(&mut self, key: &SealedKey) -> io::Result<()> {
        self.key = Some(self.note(KEY, key)?);
        Ok(())
    }

    /// Writes the manifest and ends the archive.
    pub(crate) fn finish(mut self, last_numbers: Vec<(String, i64)>) -> io::Result<(W, Manifest)> {
        self.files.sha256 = hex(&std::mem::take(&mut self.file_hashes).finalize());
        let tables = std::mem::take(&mut self.tables).into_iter().map(|(mut sum, hash, _)| {
            sum.sha256 = hex(&hash.finalize());
            sum
        });
        let manifest = Manifest {
            header: std::mem::take(&mut self.header),
            tables: tables.collect(),
            last_numbers,
            files: std::mem::take(&mut self.files),
            key: self.key.take(),
        };
        let sum = self.note(MANIFEST, &manifest)?;
        self.entry(SEAL, sum.len() as u64, sum.as_bytes())?;
        let out = self.tar.into_inner()?.finish()?.finish()?;
        Ok((out, manifest))
    }

    /// Writes a document and returns its checksum.
    fn note(&mut self, name: &str, note: &impl Serialize) -> io::Result<String> {
        let text = serde_json::to_vec(note)?;
        self.entry(name, text.len() as u64, text.as_slice())?;
        Ok(hex(&Sha256::digest(&text)))
    }

    fn entry(&mut self, name: &str, size: u64, content: impl Read) -> io::Result<()> {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(0o600);
        header.set_mtime(self.time);
        header.set_size(size);
        let mut counted = Counted { content: content.take(size), read: 0 };
        self.tar.append_data(&mut header, name, &mut counted)?;
        if counted.read != size {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("{name} is shorter than it should be")));
        }
        Ok(())
    }
}

/// Counts what is read.
struct Counted<R> {
    content: R,
    read: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}
