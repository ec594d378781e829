//! Archive of attachments: a tar file, compressed with gzip.
//!
//! Each attachment has an entry `attachments/HASH/meta.json` with its metadata, then `attachments/HASH/content`. The
//! last entry is `manifest.json` with their number.
//!
//! Invariants: content that is read matches its hash, and content that does not is reported; an entry name that this
//! program does not write is rejected, and none is ever used as a path; an archive without its manifest is
//! incomplete.

use std::io::{self, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use svc_core::attachments::{ContentHash, RestoreFacts};
use svc_core::{Timestamp, limits};
use tar::{Archive, Entries, EntryType, Header};

const MANIFEST: &str = "manifest.json";
const FORMAT: &str = "svc-attachments";
const VERSION: u32 = 1;
/// The block size of a tar file.
const BLOCK: usize = 512;
/// Largest metadata entry.
const META_MAX: u64 = 1024 * 1024;

/// The last entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: String,
    version: u32,
    created_at: Timestamp,
    /// Number of attachments.
    pub(super) attachments: u64,
    /// Total number of bytes.
    pub(super) bytes: u64,
}

/// Writes an archive incrementally.
pub(super) struct ArchiveWriter<W: Write> {
    out: GzEncoder<W>,
    attachments: u64,
    bytes: u64,
}

impl<W: Write> ArchiveWriter<W> {
    pub(super) fn new(out: W) -> Self {
        // Pictures do not compress, and the fastest level suffices for the rest.
        Self { out: GzEncoder::new(out, Compression::fast()), attachments: 0, bytes: 0 }
    }

    /// Begins an attachment; exactly its bytes must follow, then [`ArchiveWriter::end`].
    pub(super) fn begin(&mut self, facts: &RestoreFacts) -> io::Result<()> {
        let meta = serde_json::to_vec(facts)?;
        self.entry(&format!("attachments/{}/meta.json", facts.hash), &meta)?;
        self.header(&format!("attachments/{}/content", facts.hash), facts.size)?;
        self.attachments += 1;
        self.bytes += facts.size;
        Ok(())
    }

    pub(super) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.out.write_all(piece)
    }

    pub(super) fn end(&mut self, size: u64) -> io::Result<()> {
        let over = usize::try_from(size % BLOCK as u64).unwrap_or_default();
        if over > 0 { self.out.write_all(&[0; BLOCK][over..]) } else { Ok(()) }
    }

    /// Writes the manifest and the end of the archive.
    pub(super) fn finish(mut self, created_at: Timestamp) -> io::Result<(W, Manifest)> {
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            created_at,
            attachments: self.attachments,
            bytes: self.bytes,
        };
        self.entry(MANIFEST, &serde_json::to_vec_pretty(&manifest)?)?;
        self.out.write_all(&[0; 2 * BLOCK])?;
        let mut out = self.out.finish()?;
        out.flush()?;
        Ok((out, manifest))
    }

    fn entry(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        self.header(path, content.len() as u64)?;
        self.out.write_all(content)?;
        self.end(content.len() as u64)
    }

    fn header(&mut self, path: &str, size: u64) -> io::Result<()> {
        let mut header = Header::new_ustar();
        header.set_path(path)?;
        header.set_size(size);
        header.set_mode(0o600);
        header.set_mtime(0);
        header.set_entry_type(EntryType::Regular);
        header.set_cksum();
        self.out.write_all(header.as_bytes())
    }
}

/// The reason why an archive is damaged, as the end of a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Damage(pub(super) String);

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Self {
        Self(format!("it cannot be read to its end: {error}"))
    }
}

type Source<R> = GzDecoder<BufReader<R>>;

/// An archive that is being read.
pub(super) struct ArchiveReader<R: Read>(Archive<Source<R>>);

/// An attachment from an archive, which matched its hash.
pub(super) struct Item {
    pub(super) facts: RestoreFacts,
    pub(super) content: Vec<u8>,
}

impl<R: Read> ArchiveReader<R> {
    pub(super) fn new(source: R) -> Self {
        Self(Archive::new(GzDecoder::new(BufReader::new(source))))
    }

    /// The attachments one after another, then the manifest.
    pub(super) fn items(&mut self) -> Result<Items<'_, R>, Damage> {
        // Raw, so that no entry can make the library read on by itself.
        let entries = self.0.entries()?.raw(true);
        Ok(Items { entries, attachments: 0, bytes: 0 })
    }

    /// Reads the rest, so that the checksum at the end is verified.
    pub(super) fn finish(self) -> Result<(), Damage> {
        let mut rest = self.0.into_inner().take(META_MAX + 1);
        let read = io::copy(&mut rest, &mut io::sink())?;
        if read > META_MAX { Err(Damage("there is data after its end".into())) } else { Ok(()) }
    }
}

/// The attachments of an archive.
pub(super) struct Items<'a, R: Read> {
    entries: Entries<'a, Source<R>>,
    attachments: u64,
    bytes: u64,
}

/// The next entry of an archive.
pub(super) enum Next {
    Item(Item),
    /// An attachment that does not match its hash, by its name in the archive. The entries after it can be read.
    Damaged(String),
    /// The end, which agrees with the entries that were read.
    End,
}

impl<R: Read> Items<'_, R> {
    pub(super) fn next(&mut self) -> Result<Next, Damage> {
        let (name, text) = self.entry(META_MAX)?;
        if name == MANIFEST {
            return self.end(&text).map(|()| Next::End);
        }
        let hash = name.strip_prefix("attachments/").and_then(|rest| rest.strip_suffix("/meta.json"));
        let hash: ContentHash = hash.and_then(|hash| hash.parse().ok()).ok_or_else(|| unknown_entry(&name))?;
        let (name, content) = self.entry(limits::ATTACHMENT_MAX)?;
        if name != format!("attachments/{hash}/content") {
            return Err(unknown_entry(&name));
        }
        let size = content.len() as u64;
        self.attachments += 1;
        self.bytes += size;
        let facts = serde_json::from_slice::<RestoreFacts>(&text).ok();
        let facts = facts.filter(|facts| facts.hash == hash && facts.size == size);
        Ok(match facts {
            Some(facts) if ContentHash::of(&content) == hash => Next::Item(Item { facts, content }),
            _ => Next::Damaged(hash.to_string()),
        })
    }

    fn entry(&mut self, most: u64) -> Result<(String, Vec<u8>), Damage> {
        let mut entry = self.entries.next().ok_or_else(|| Damage("its end is missing".into()))??;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type() != EntryType::Regular || entry.size() > most {
            return Err(unknown_entry(&name));
        }
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        if content.len() as u64 != entry.size() {
            return Err(Damage("its end is missing".into()));
        }
        Ok((name, content))
    }

    fn end(&mut self, text: &[u8]) -> Result<(), Damage> {
        let manifest: Manifest =
            serde_json::from_slice(text).map_err(|error| Damage(format!("its manifest cannot be read: {error}")))?;
        if manifest.format != FORMAT || manifest.version != VERSION {
            return Err(Damage("its format or version is not supported".into()));
        }
        if (manifest.attachments, manifest.bytes) != (self.attachments, self.bytes) {
            return Err(Damage("its manifest does not match its contents".into()));
        }
        if self.entries.next().is_some() {
            return Err(Damage("there is data after its manifest".into()));
        }
        Ok(())
    }
}

fn unknown_entry(name: &str) -> Damage {
    let shown: String = name.chars().filter(|letter| !letter.is_control()).take(100).collect();
    Damage(format!("its entry {shown:?} is not one that `attachments backup` writes"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn facts(content: &[u8]) -> RestoreFacts {
        RestoreFacts { hash: ContentHash::of(content), size: content.len() as u64, uploads: Vec::new() }
    }

    fn archive(contents: &[&[u8]]) -> Vec<u8> {
        let mut writer = ArchiveWriter::new(Vec::new());
        for content in contents {
            writer.begin(&facts(content)).unwrap();
            writer.write(content).unwrap();
            writer.end(content.len() as u64).unwrap();
        }
        writer.finish(Timestamp::from_micros(0)).unwrap().0
    }

    fn read(bytes: &[u8]) -> Result<Vec<Vec<u8>>, Damage> {
        let mut reader = ArchiveReader::new(bytes);
        let mut items = reader.items()?;
        let mut contents = Vec::new();
        loop {
            match items.next()? {
                Next::Item(item) => contents.push(item.content),
                Next::Damaged(hash) => return Err(Damage(hash)),
                Next::End => break,
            }
        }
        reader.finish()?;
        Ok(contents)
    }

    /// An archive that begins with a given entry.
    fn with_entry(path: &[u8], entry_type: EntryType, content: &[u8]) -> Vec<u8> {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..path.len()].copy_from_slice(path);
        header.set_size(content.len() as u64);
        header.set_entry_type(entry_type);
        header.set_cksum();
        let mut out = GzEncoder::new(Vec::new(), Compression::fast());
        out.write_all(header.as_bytes()).unwrap();
        out.write_all(content).unwrap();
        out.write_all(&vec![0; BLOCK * 3 - content.len() % BLOCK]).unwrap();
        out.finish().unwrap()
    }

    #[test]
    fn contents_round_trip() {
        let large = vec![7; 100_000];
        for contents in [&[][..], &[&b"a"[..]], &[b"one", &large, &[0; 512]]] {
            assert_eq!(read(&archive(contents)).unwrap(), contents);
        }
    }

    #[test]
    fn a_truncated_or_modified_archive_is_rejected() {
        let whole = archive(&[b"one", b"two"]);
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "cut at {end}");
        }
        assert!(read(b"no archive").is_err());
    }

    #[test]
    fn one_damaged_content_does_not_hide_the_others() {
        let mut writer = ArchiveWriter::new(Vec::new());
        for (declared, written) in [(b"one", b"one"), (b"two", b"2wo"), (b"six", b"six")] {
            writer.begin(&facts(declared)).unwrap();
            writer.write(written).unwrap();
            writer.end(3).unwrap();
        }
        let bytes = writer.finish(Timestamp::from_micros(0)).unwrap().0;
        let mut reader = ArchiveReader::new(&bytes[..]);
        let mut items = reader.items().unwrap();
        let mut found = Vec::new();
        loop {
            match items.next().unwrap() {
                Next::Item(item) => found.push(String::from_utf8(item.content).unwrap()),
                Next::Damaged(hash) => found.push(hash),
                Next::End => break,
            }
        }
        assert_eq!(found, ["one".to_owned(), ContentHash::of(b"two").to_string(), "six".to_owned()]);
        reader.finish().unwrap();
    }

    #[test]
    fn unknown_entries_are_rejected() {
        let hash = ContentHash::of(b"x");
        for (path, entry_type) in [
            (&b"../../etc/passwd"[..], EntryType::Regular),
            (b"/etc/passwd", EntryType::Regular),
            (b"attachments/../../x/meta.json", EntryType::Regular),
            (b"manifest.json", EntryType::Symlink),
            (b"manifest.json", EntryType::GNULongName),
            (b"manifest.json", EntryType::GNUSparse),
            (format!("attachments/{hash}/meta.json").as_bytes(), EntryType::Directory),
        ] {
            let damage = read(&with_entry(path, entry_type, b"{}")).unwrap_err();
            assert!(!damage.0.is_empty());
        }
        let other = serde_json::to_vec(&facts(b"y")).unwrap();
        let swapped = with_entry(format!("attachments/{hash}/meta.json").as_bytes(), EntryType::Regular, &other);
        assert!(read(&swapped).is_err());
    }

    proptest! {
        #[test]
        fn one_changed_byte_never_brings_another_content(at in 0_usize..400, change in 1_u8..) {
            let whole = archive(&[b"one", b"two"]);
            let mut changed = whole.clone();
            let at = at % whole.len();
            changed[at] ^= change;
            // Some bytes of the container are not significant; then the contents are unchanged.
            if let Ok(contents) = read(&changed) {
                prop_assert_eq!(contents, [b"one".to_vec(), b"two".to_vec()]);
            }
        }
    }
}
