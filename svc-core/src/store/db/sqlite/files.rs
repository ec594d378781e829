//! The identity of the files of a store. A removed file can be written to as long as it is open, and is gone
//! afterwards.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// The files of a store as they were opened.
#[derive(Debug)]
pub(in crate::store::db) struct StoreFiles {
    files: Vec<(PathBuf, (u64, u64))>,
}

impl StoreFiles {
    /// The database, its write-ahead log and the shared memory file, which exist while a connection is open.
    pub(super) fn of(path: &Path) -> Self {
        let files = ["", "-wal", "-shm"].iter().filter_map(|suffix| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            let name = PathBuf::from(name);
            let found = name.metadata().ok()?;
            Some((name, identity(&found)))
        });
        Self { files: files.collect() }
    }

    /// The first file that is missing or was replaced.
    pub(in crate::store::db) fn missing(&self) -> Option<&Path> {
        let is_there = |path: &Path, opened: (u64, u64)| path.metadata().is_ok_and(|found| identity(&found) == opened);
        self.files.iter().find(|(path, opened)| !is_there(path, *opened)).map(|(path, _)| path.as_path())
    }
}

#[cfg(unix)]
fn identity(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;

    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}
