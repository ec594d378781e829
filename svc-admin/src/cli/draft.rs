//! A file that gets its final name when it is complete.
//!
//! Invariants: it is a new file with an unpredictable name, and only its owner can read it; it is renamed when it is
//! complete, and replaces an existing file; an incomplete file is removed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that is being written.
pub(super) struct Draft {
    file: NamedTempFile,
    path: PathBuf,
}

impl Draft {
    /// Creates a temporary file for this path, in the same directory.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".");
        // Created with O_EXCL, which follows no link, and for its owner alone.
        let file =
            tempfile::Builder::new().prefix(&name).suffix(".part").tempfile_in(directory.unwrap_or(Path::new(".")))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Renames it to its final path. A link at that path is replaced, not followed.
    pub(super) fn place(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
