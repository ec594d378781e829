//! Files that are downloaded.

use std::path::{Path, PathBuf};

use tokio::io::AsyncWriteExt;

use crate::backend::{Failure, Result};

/// Attempts at a name that is not taken.
const NAMES: u32 = 100;

/// Endings of files that programs show and do not run.
const DOCUMENTS: &[&str] = &[
    "avif", "bmp", "csv", "doc", "docx", "flac", "gif", "jpeg", "jpg", "json", "log", "m4a", "md", "mkv", "mov", "mp3",
    "mp4", "odp", "ods", "odt", "ogg", "opus", "pdf", "png", "ppt", "pptx", "rtf", "tif", "tiff", "toml", "tsv", "txt",
    "wav", "webm", "webp", "xls", "xlsx", "yaml", "yml",
];

/// Whether a file is shown by the program that opens it. Others, such as scripts and launchers, might be run.
pub(crate) fn is_document(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    DOCUMENTS.contains(&ending.as_str())
}

/// Saves a file in a directory under a name that is not taken, and returns its path.
pub(crate) async fn save(directory: &Path, name: &str, content: Vec<u8>) -> Result<PathBuf> {
    tokio::fs::create_dir_all(directory).await.map_err(|error| refused(directory, &error))?;
    for number in 0..NAMES {
        let path = directory.join(numbered(name, number));
        let mut options = tokio::fs::OpenOptions::new();
        // A file that is there stays.
        match options.write(true).create_new(true).open(&path).await {
            Ok(mut file) => {
                let written = async {
                    file.write_all(&content).await?;
                    file.flush().await
                };
                written.await.map_err(|error| refused(&path, &error))?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(refused(&path, &error)),
        }
    }
    Err(Failure::unreachable(format!("{} has too many files of this name.", directory.display())))
}

fn refused(path: &Path, error: &std::io::Error) -> Failure {
    Failure::unreachable(format!("{} cannot be written: {error}.", path.display()))
}

/// The directory of the user for files that are downloaded.
pub(crate) fn directory() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("XDG_DOWNLOAD_DIR")
        .or_else(|| variable("HOME").map(|home| home.join("Downloads")))
        .unwrap_or_else(std::env::temp_dir)
}

/// The name of a file without directories, with a number before its ending from the second one on.
fn numbered(name: &str, number: u32) -> String {
    let name: String =
        name.chars().filter(|letter| !letter.is_control() && !matches!(letter, '/' | '\\' | ':')).take(120).collect();
    let name = match name.trim_matches(['.', ' ']) {
        "" => "file",
        name => name,
    };
    match (number, name.rsplit_once('.')) {
        (0, _) => name.to_owned(),
        (number, Some((stem, ending))) => format!("{stem} ({number}).{ending}"),
        (number, None) => format!("{name} ({number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_not_a_document() {
        for name in ["report.PDF", "a.b.png", "notes.txt"] {
            assert!(is_document(Path::new(name)), "{name}");
        }
        for name in ["run.sh", "shop.desktop", "setup.exe", "page.html", "file", "pdf", ".txt", "a.pdf.sh"] {
            assert!(!is_document(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn a_name_cannot_leave_its_directory() {
        assert_eq!(numbered("../../etc/passwd", 0), "etcpasswd");
        assert_eq!(numbered("..", 0), "file");
        assert_eq!(numbered("a\x1b[2J.txt", 0), "a[2J.txt");
        assert_eq!(numbered("report.pdf", 2), "report (2).pdf");
    }
}
