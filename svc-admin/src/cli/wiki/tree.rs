//! The directory of an export: its files and folders.
//!
//! Invariants: no link is followed; a file gets its name when it is complete; a file that is too large is not read.

use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use svc_core::limits;
use tokio::io::AsyncReadExt;

use super::front_matter::FRONT_MATTER_MAX;
use super::shown;
use crate::cli::draft::Draft;
use crate::cli::outcome::Failure;

/// Maximum size of a file, in bytes.
const FILE_MAX: u64 = (limits::ARTICLE_BODY_MAX + FRONT_MATTER_MAX) as u64;

/// An entry of a folder.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// Its name; characters that are not UTF-8 are replaced, so that such a name is never valid.
    pub(super) name: String,
    /// Its path.
    pub(super) path: PathBuf,
    /// Its kind.
    pub(super) kind: Kind,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    File,
    Folder,
    /// A link, a device or another entry that is not read.
    Other,
}

/// Creates a folder, unless it is there.
pub(super) fn create_folder(path: &Path) -> Result<(), Failure> {
    let unwritable = |error: &dyn std::fmt::Display| {
        Failure::Here(format!("{} cannot be used ({error}): name another directory.", shown(path)))
    };
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(unwritable(&error)),
        _ => match std::fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(unwritable(&"it is a link or a file")),
            Err(error) => Err(unwritable(&error)),
        },
    }
}

/// Writes a file; one of this name is replaced.
pub(super) fn write_file(path: &Path, content: &str) -> Result<(), Failure> {
    let written = Draft::beside(path).and_then(|mut draft| {
        draft.write_all(content.as_bytes())?;
        draft.place()
    });
    written.map_err(|error| {
        let sentence =
            format!("{} cannot be written to ({error}): see that there is room and that this user may.", shown(path));
        Failure::Here(sentence)
    })
}

/// The entries of a folder, by name.
pub(super) async fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    if !tokio::fs::symlink_metadata(folder).await?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a link or a file"));
    }
    let mut reader = tokio::fs::read_dir(folder).await?;
    let mut found = Vec::new();
    while let Some(entry) = reader.next_entry().await? {
        let kind = match entry.file_type().await? {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            _ => Kind::Other,
        };
        found.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), path: entry.path(), kind });
    }
    found.sort();
    Ok(found)
}

/// The content of a file, or the reason why it is not read.
pub(super) async fn read_file(path: &Path) -> Result<String, String> {
    let unreadable = |error: io::Error| format!("it cannot be read ({error})");
    // Neither a link is followed, nor a pipe waited for.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).map_err(|error| error.to_string())?;
    let mut options = tokio::fs::OpenOptions::new();
    let file = options.read(true).custom_flags(flags).open(path).await.map_err(|error| match error.raw_os_error() {
        Some(code) if code == rustix::io::Errno::LOOP.raw_os_error() => "it is a link".to_owned(),
        _ => unreadable(error),
    })?;
    let found = file.metadata().await.map_err(unreadable)?;
    if !found.is_file() {
        return Err("it is no file".to_owned());
    }
    let too_large = |size: u64| format!("it has {size} bytes, and at most {FILE_MAX} are read");
    if found.len() > FILE_MAX {
        return Err(too_large(found.len()));
    }
    let mut content = Vec::new();
    let size = file.take(FILE_MAX + 1).read_to_end(&mut content).await.map_err(unreadable)?;
    if size as u64 > FILE_MAX {
        return Err(too_large(size as u64));
    }
    String::from_utf8(content).map_err(|_| "it is not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn links_pipes_and_large_files_are_not_read() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        write_file(&at("real.md"), "Text").unwrap();
        assert_eq!(read_file(&at("real.md")).await, Ok("Text".to_owned()));
        std::os::unix::fs::symlink(at("real.md"), at("link.md")).unwrap();
        assert_eq!(read_file(&at("link.md")).await, Err("it is a link".to_owned()));
        let sparse = std::fs::File::create(at("large.md")).unwrap();
        sparse.set_len(1 << 30).unwrap();
        assert!(read_file(&at("large.md")).await.unwrap_err().contains("1073741824 bytes"));
        sparse.set_len(FILE_MAX).unwrap();
        assert!(read_file(&at("large.md")).await.is_ok());
        tokio::fs::write(at("latin.md"), b"\xff").await.unwrap();
        assert_eq!(read_file(&at("latin.md")).await, Err("it is not UTF-8".to_owned()));
        assert_eq!(read_file(place.path()).await, Err("it is no file".to_owned()));
        let kinds: Vec<_> = entries(place.path()).await.unwrap().into_iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [Kind::File, Kind::File, Kind::Other, Kind::File]);
    }

    #[tokio::test]
    async fn a_link_is_replaced_and_never_followed() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        write_file(&at("target.md"), "Kept").unwrap();
        std::os::unix::fs::symlink(at("target.md"), at("page.md")).unwrap();
        write_file(&at("page.md"), "New").unwrap();
        assert_eq!(read_file(&at("target.md")).await, Ok("Kept".to_owned()));
        assert_eq!(read_file(&at("page.md")).await, Ok("New".to_owned()));
        std::os::unix::fs::symlink(place.path(), at("folder")).unwrap();
        assert!(create_folder(&at("folder")).is_err() && create_folder(&at("page.md")).is_err());
        assert!(entries(&at("folder")).await.is_err());
        create_folder(&at("new")).unwrap();
        create_folder(&at("new")).unwrap();
    }
}
