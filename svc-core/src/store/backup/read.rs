//! Reading an archive from its first to its last byte, and checking all of it. Everything here blocks its thread.

use std::io::{self, BufReader, Read};

use sha2::{Digest, Sha256};
use svc_model::attachments::ContentHash;

use super::manifest::{FILES, HEADER, Header, KEY, MANIFEST, Manifest, SEAL, SealedKey, TABLES, damaged};
use super::trailer::HashedInput;
use crate::clock::hex;
use crate::error::{Error, Result};
use crate::limits;

/// The largest window of the decoder as a power of two: 32 MiB of memory. Archives are written with less.
const WINDOW: u32 = 25;

/// An entry of an archive. It is shown as soon as it was read; only the end of [`read`] says that all are right.
pub(crate) enum Entry<'a> {
    /// Rows of a table, by its place in the header.
    Part {
        table: usize,
        bytes: Vec<u8>,
    },
    /// A file; its content ends with an error if it does not match its hash.
    File {
        hash: &'a ContentHash,
        size: u64,
        content: &'a mut dyn Read,
    },
    Key(&'a SealedKey),
}

/// Reads an archive and shows its entries. Succeeds when the whole archive is as it was written.
pub(crate) fn read<R: Read>(input: R, visit: &mut dyn FnMut(Entry<'_>) -> Result<()>) -> Result<(Header, Manifest)> {
    let mut decoder =
        zstd::Decoder::new(HashedInput::new(input)).map_err(|error| no_backup().with_source(error))?.single_frame();
    decoder.window_log_max(WINDOW).map_err(|error| no_backup().with_source(error))?;
    let mut archive = tar::Archive::new(decoder);
    let mut reading = Reading::default();
    let entries = archive.entries().map_err(|error| reading.broken(error))?.raw(true);
    for entry in entries {
        let mut entry = entry.map_err(|error| reading.broken(error))?;
        reading.next(&mut entry, visit)?;
    }
    let ended = reading.end()?;
    end_of_stream(archive.into_inner()).map_err(|error| reading_failed("its end", error))?;
    Ok(ended)
}

/// Checks that nothing but padding and the trailer follows, and with it the checksums of the stream and of the file.
fn end_of_stream<R: Read>(mut decoder: zstd::Decoder<'_, BufReader<HashedInput<R>>>) -> io::Result<()> {
    let mut rest = [0; 4096];
    loop {
        match decoder.read(&mut rest)? {
            0 => break,
            read if rest[..read].iter().all(|byte| *byte == 0) => {}
            _ => return Err(io::Error::other("more than was written")),
        }
    }
    let mut input = decoder.finish();
    io::copy(&mut input, &mut io::sink())?;
    if input.into_inner().ends_right() { Ok(()) } else { Err(io::Error::other("the checksum of the file differs")) }
}

/// Everything that was read so far.
#[derive(Default)]
struct Reading {
    header: Option<(Header, String)>,
    /// For each table: rows, bytes, checksum, parts.
    tables: Vec<(u64, u64, Sha256, u32)>,
    files: (u64, u64, Sha256),
    key: Option<String>,
    manifest: Option<(Manifest, String)>,
    is_sealed: bool,
    /// The last entry.
    last: String,
}

impl Reading {
    /// The error of the stream after the last entry.
    fn broken(&self, error: io::Error) -> Error {
        if self.header.is_none() {
            let is_cut = error.kind() == io::ErrorKind::UnexpectedEof;
            return if is_cut { reading_failed("its beginning", error) } else { no_backup().with_source(error) };
        }
        reading_failed(&format!("the entry after {}", self.last), error)
    }

    fn next<R: Read>(
        &mut self,
        entry: &mut tar::Entry<'_, R>,
        visit: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        self.last.clone_from(&name);
        let size = entry.header().entry_size().map_err(|error| reading_failed(&name, error))?;
        let is_regular = entry.header().entry_type() == tar::EntryType::Regular;
        if !is_regular || self.is_sealed {
            return Err(if self.header.is_none() { no_backup() } else { damaged(&name, "is not part of a backup") });
        }
        if self.header.is_none() {
            if name != HEADER {
                return Err(no_backup());
            }
            let text = whole(entry, &name, size, limits::BACKUP_NOTE_MAX)?;
            let header = Header::parse(&text)?;
            self.tables = header.tables.iter().map(|_| (0, 0, Sha256::new(), 0)).collect();
            self.header = Some((header, hex(&Sha256::digest(&text))));
            return Ok(());
        }
        if self.manifest.is_some() && name != SEAL {
            return Err(damaged(&name, "is not where it belongs"));
        }
        if let Some(rest) = name.strip_prefix(TABLES) {
            return self.part(entry, &name, rest, size, visit);
        }
        if let Some(hash) = name.strip_prefix(FILES) {
            return self.file(entry, &name, hash, size, visit);
        }
        let text = whole(entry, &name, size, limits::BACKUP_NOTE_MAX)?;
        let sum = hex(&Sha256::digest(&text));
        let unreadable = |_| damaged(&name, "cannot be read");
        match name.as_str() {
            KEY if self.key.is_none() => {
                let key: SealedKey = serde_json::from_slice(&text).map_err(unreadable)?;
                self.key = Some(sum);
                visit(Entry::Key(&key))
            }
            MANIFEST => {
                self.manifest = Some((serde_json::from_slice(&text).map_err(unreadable)?, sum));
                Ok(())
            }
            SEAL if self.manifest.as_ref().is_some_and(|(_, sum)| sum.as_bytes() == text) => {
                self.is_sealed = true;
                Ok(())
            }
            SEAL => Err(damaged(MANIFEST, "does not match its checksum")),
            _ => Err(damaged(&name, "is not part of a backup")),
        }
    }

    fn part<R: Read>(
        &mut self,
        entry: &mut tar::Entry<'_, R>,
        name: &str,
        rest: &str,
        size: u64,
        visit: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let header = self.header.as_ref().map(|(header, _)| header);
        let place = rest.split_once('/').and_then(|(table, number)| {
            let at = header?.tables.iter().position(|found| found.name == table)?;
            (number == format!("{:06}.jsonl", self.tables.get(at)?.3 + 1)).then_some(at)
        });
        let table = place.ok_or_else(|| damaged(name, "is not part of a backup"))?;
        let bytes = whole(entry, name, size, limits::BACKUP_PART_MAX)?;
        let (rows, total, hash, parts) = &mut self.tables[table];
        *rows += bytes.split(|byte| *byte == b'\n').count() as u64 - 1;
        *total += size;
        *parts += 1;
        hash.update(&bytes);
        visit(Entry::Part { table, bytes })
    }

    fn file<R: Read>(
        &mut self,
        entry: &mut tar::Entry<'_, R>,
        name: &str,
        hash: &str,
        size: u64,
        visit: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let hash: ContentHash = hash.parse().map_err(|_| damaged(name, "is not part of a backup"))?;
        if size > limits::ATTACHMENT_MAX {
            return Err(damaged(name, "is larger than any file"));
        }
        self.files.0 += 1;
        self.files.1 += size;
        self.files.2.update(hash.as_str());
        let mut content = Hashed { content: entry, hasher: Sha256::new(), failed: None };
        let visited = visit(Entry::File { hash: &hash, size, content: &mut content });
        if let Some(kind) = content.failed {
            return Err(reading_failed(name, kind.into()));
        }
        visited?;
        io::copy(&mut content, &mut io::sink()).map_err(|error| reading_failed(name, error))?;
        if ContentHash::from_digest(content.hasher.finalize()) != hash {
            return Err(damaged(name, "does not match its hash"));
        }
        Ok(())
    }

    /// Compares everything with the manifest.
    fn end(&mut self) -> Result<(Header, Manifest)> {
        let (Some((header, header_sum)), Some((manifest, _)), true) =
            (self.header.take(), self.manifest.take(), self.is_sealed)
        else {
            let after = if self.last.is_empty() { "its beginning" } else { &self.last };
            return Err(damaged("its end", &format!("is missing after {after}")));
        };
        if manifest.header != header_sum {
            return Err(damaged(HEADER, "does not match its checksum"));
        }
        if manifest.tables.len() != header.tables.len() {
            return Err(damaged(MANIFEST, "has other tables than the header"));
        }
        let read = std::mem::take(&mut self.tables);
        for ((sum, shape), (rows, bytes, hash, _)) in manifest.tables.iter().zip(&header.tables).zip(read) {
            let same =
                sum.name == shape.name && sum.rows == rows && sum.bytes == bytes && sum.sha256 == hex(&hash.finalize());
            if !same {
                return Err(damaged(&format!("{TABLES}{}", shape.name), "does not match its checksum"));
            }
        }
        let (count, bytes, hash) = std::mem::take(&mut self.files);
        let files = &manifest.files;
        if (files.count, files.bytes) != (count, bytes) || files.sha256 != hex(&hash.finalize()) {
            return Err(damaged(FILES, "has other files than the manifest"));
        }
        if manifest.key != self.key {
            return Err(damaged(KEY, "does not match its checksum"));
        }
        Ok((header, manifest))
    }
}

/// A file that is hashed while it is read.
struct Hashed<'a, 'r, R: Read> {
    content: &'a mut tar::Entry<'r, R>,
    hasher: Sha256,
    failed: Option<io::ErrorKind>,
}

impl<R: Read> Read for Hashed<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer).inspect_err(|error| self.failed = Some(error.kind()))?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

/// All of an entry, up to a size.
fn whole(entry: &mut impl Read, name: &str, size: u64, most: u64) -> Result<Vec<u8>> {
    if size > most {
        return Err(damaged(name, "is larger than any such entry"));
    }
    let mut bytes = Vec::new();
    entry.take(size).read_to_end(&mut bytes).map_err(|error| reading_failed(name, error))?;
    if bytes.len() as u64 != size {
        return Err(damaged(name, "is cut off"));
    }
    Ok(bytes)
}

fn reading_failed(entry: &str, error: io::Error) -> Error {
    let what = if error.kind() == io::ErrorKind::UnexpectedEof { "is cut off" } else { "cannot be read" };
    damaged(entry, what).with_source(error)
}

fn no_backup() -> Error {
    Error::conflict("backup_unreadable", "This is not a backup of svc, or its beginning is damaged.")
}
