//! The data directory: created or checked before anything in it is used.
//!
//! Invariants:
//! - Only its owner can access it, because it contains keys and private messages. A directory that
//!   is open to others is made private, or rejected if it evidently serves other purposes too.
//! - A small file reserves some space, so that a server can start when the disk is full.

use std::fs::Metadata;
use std::io::ErrorKind as Io;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use crate::error::Error;
use crate::limits;

/// Prefixes of the names that the hub itself uses in the directory. Temporary files have a leading
/// dot.
const HUB_NAMES: [&str; 11] = [
    "svc.db",
    "secret.key",
    "server.lock",
    "admin.sock",
    "blobs",
    "runs",
    "uploads",
    "write-test",
    "restore.incomplete",
    "backup.draft",
    RESERVE,
];
/// The permission bits of everybody but the owner.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
/// The write permission of others.
#[cfg(unix)]
const OTHERS_WRITE: u32 = 0o022;
/// The sticky bit of a shared directory such as `/tmp`.
#[cfg(unix)]
const STICKY: u32 = 0o1000;
/// The file that reserves disk space.
const RESERVE: &str = "room.reserve";

/// Makes new files of this process private to its user, whatever its inherited umask. A server
/// calls this once, before anything else, because it changes the whole process.
#[cfg(unix)]
pub fn keep_new_files_private() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

/// Creates the data directory if it is missing, makes it private, and checks that it is writable. A
/// full disk is not an error.
pub async fn prepare_data_directory(data: &Path) -> Result<(), Error> {
    let shown = data.display();
    let refuse = |error: std::io::Error, what: &str, remedy: &str| {
        Error::unavailable("data_directory", format!("The data directory {shown} {what}: {remedy}.")).with_source(error)
    };
    create(data).await.map_err(|error| match error.kind() {
        Io::PermissionDenied => {
            refuse(error, "cannot be created", "give this user write permission there, or choose another with --data")
        }
        Io::ReadOnlyFilesystem => {
            refuse(error, "is on a read-only file system", "mount it writable, or choose another with --data")
        }
        Io::StorageFull => refuse(error, "cannot be created", "the disk is full, free some space"),
        Io::AlreadyExists | Io::NotADirectory => {
            refuse(error, "is not a directory", "move the file away, or choose another with --data")
        }
        _ => refuse(error, "cannot be created", "choose another with --data"),
    })?;
    #[cfg(unix)]
    make_private(data).await?;
    match try_writing(data).await {
        Ok(()) => {
            reserve(data).await;
            Ok(())
        }
        Err(error) if error.kind() == Io::StorageFull => {
            release(data).await;
            tracing::warn!(data = %shown, "the disk is full: reads continue, but nothing can be saved");
            Ok(())
        }
        Err(error) => Err(match error.kind() {
            Io::PermissionDenied => {
                refuse(error, "is not writable by this user", "change its owner or mode, or choose another with --data")
            }
            Io::ReadOnlyFilesystem => {
                refuse(error, "is on a read-only file system", "mount it writable, or choose another with --data")
            }
            _ => refuse(error, "cannot be written to", "choose another with --data"),
        }),
    }
}

/// The space of a file system in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DiskSpace {
    /// Bytes that this user may still write.
    pub(crate) free: u64,
    /// Its size.
    pub(crate) total: u64,
}

/// The space of the file system of a path; `None` if that is unknown.
pub(crate) async fn disk_space(path: &Path) -> Option<DiskSpace> {
    #[cfg(unix)]
    {
        let path = path.to_owned();
        let found = tokio::task::spawn_blocking(move || rustix::fs::statvfs(&path)).await.ok()?.ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
        Some(DiskSpace { free: bytes(found.f_bavail), total: bytes(found.f_blocks) })
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

async fn create(data: &Path) -> std::io::Result<()> {
    if tokio::fs::metadata(data).await.is_ok_and(|metadata| metadata.is_dir()) {
        return Ok(());
    }
    let mut builder = tokio::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(data).await
}

/// Removes the permissions of others, unless the directory belongs to another user or contains
/// other files than a hub's, which others may rely on.
#[cfg(unix)]
async fn make_private(data: &Path) -> Result<(), Error> {
    let shown = data.display();
    let explain = |error: std::io::Error| {
        let sentence = format!("The data directory {shown} cannot be inspected: choose another with --data.");
        Error::unavailable("data_directory", sentence).with_source(error)
    };
    let found = tokio::fs::metadata(data).await.map_err(explain)?;
    let mode = found.mode() & 0o7777;
    if mode & OTHERS == 0 {
        return Ok(());
    }
    let refuse = |what: &str| {
        let sentence = format!(
            "The data directory {shown} is open to other users (mode {mode:04o}) and {what}. Make it private with \
             chmod 700, or choose a separate directory with --data.",
        );
        Err(Error::unavailable("data_directory_open", sentence))
    };
    if mode & STICKY != 0 {
        return refuse("is a shared directory");
    }
    if let Some(reason) = reason_to_reject(data, mode, &found).await.map_err(explain)? {
        return refuse(&reason);
    }
    let closed = std::fs::Permissions::from_mode(mode & !OTHERS);
    if tokio::fs::set_permissions(data, closed).await.is_err() {
        return refuse("belongs to another user");
    }
    tracing::warn!(data = %shown, mode = format!("{mode:04o}"), "the data directory was open to other users and is private now");
    Ok(())
}

/// The reason why the directory cannot simply be made private: it serves other purposes, or others
/// have created files in it.
#[cfg(unix)]
async fn reason_to_reject(data: &Path, mode: u32, directory: &Metadata) -> std::io::Result<Option<String>> {
    let own = rustix::process::geteuid().as_raw();
    let mut entries = tokio::fs::read_dir(data).await?;
    let (mut empty, mut has_hub_files) = (true, false);
    while let Some(entry) = entries.next_entry().await? {
        let name = entry.file_name();
        // Another process that starts at this moment may have removed it again.
        let Ok(found) = tokio::fs::symlink_metadata(entry.path()).await else { continue };
        let owner = found.uid();
        empty = false;
        has_hub_files |= is_hub_name(&name.to_string_lossy());
        if mode & OTHERS_WRITE != 0 && owner != own && owner != directory.uid() && owner != 0 {
            return Ok(Some(format!("{} in it belongs to user {owner}", name.to_string_lossy())));
        }
    }
    Ok((!empty && !has_hub_files).then(|| "contains files that are not a hub's".to_owned()))
}

#[cfg(unix)]
fn is_hub_name(name: &str) -> bool {
    let name = name.strip_prefix('.').unwrap_or(name);
    HUB_NAMES.iter().any(|known| name.starts_with(known))
}

/// Writes as much as opening a store needs, and removes it again.
async fn try_writing(data: &Path) -> std::io::Result<()> {
    let probe = data.join(".write-test");
    // Left by an earlier start, or another file of this name.
    drop(tokio::fs::remove_file(&probe).await);
    let written = write_new(&probe, limits::START_ROOM).await;
    drop(tokio::fs::remove_file(&probe).await);
    match written {
        // Another process is running this check at the moment.
        Err(error) if error.kind() == Io::AlreadyExists => Ok(()),
        outcome => outcome,
    }
}

/// Creates the file that reserves space, unless it exists. Without it only a start on a full disk
/// fails.
async fn reserve(data: &Path) {
    let path = data.join(RESERVE);
    if tokio::fs::symlink_metadata(&path).await.is_ok() {
        return;
    }
    match write_new(&path, limits::ROOM_RESERVE).await {
        Err(error) if error.kind() != Io::AlreadyExists => {
            tracing::debug!(%error, "no disk space could be reserved");
            drop(tokio::fs::remove_file(&path).await);
        }
        _ => {}
    }
}

/// Frees the reserved space for a start.
async fn release(data: &Path) {
    drop(tokio::fs::remove_file(data.join(RESERVE)).await);
}

/// Creates a file of this size that really occupies space.
async fn write_new(path: &Path, size: usize) -> std::io::Result<()> {
    use tokio::io::AsyncWriteExt;

    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(path).await?;
    // Not zeros, which some file systems store without using space.
    let mut state = 0x9e37_79b9_u32;
    let content: Vec<u8> = (0..size)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
        .collect();
    file.write_all(&content).await?;
    file.flush().await
}
