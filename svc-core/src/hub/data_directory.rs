//! The data directory: made or checked before anything in it is used.
//!
//! What always holds: only its owner can look into it, because keys and private messages are kept
//! there. A directory that is open to others is closed to them, or refused when it is evidently used
//! for other things too. A small file keeps some room in reserve, so that a server can be started
//! when the disk is full.

use std::fs::Metadata;
use std::io::ErrorKind as Io;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use crate::error::Error;
use crate::limits;

/// How the names begin of what the hub itself keeps in the directory, at the top. Files on their way to such a
/// name have a dot before it.
const OURS: [&str; 8] =
    ["svc.db", "secret.key", "server.lock", "admin.sock", "blobs", "uploads", "write-test", RESERVE];
/// The rights of everybody but the owner.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
/// The right of others to put something there.
#[cfg(unix)]
const OTHERS_WRITE: u32 = 0o022;
/// A directory in which everybody may make files, such as `/tmp`.
#[cfg(unix)]
const STICKY: u32 = 0o1000;
/// Takes room while there is some.
const RESERVE: &str = "room.reserve";

/// Files that this process makes are for its user alone, whatever the shell that started it says. A
/// server calls this once, before anything else; it is a setting of the whole process.
#[cfg(unix)]
pub fn keep_new_files_private() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

/// Makes the data directory if need be, sees that nobody else can look into it, and that it can be
/// written to. A full disk is no reason to refuse.
pub async fn prepare_data_directory(data: &Path) -> Result<(), Error> {
    let shown = data.display();
    let refuse = |error: std::io::Error, what: &str, remedy: &str| {
        Error::unavailable("data_directory", format!("The data directory {shown} {what}: {remedy}.")).with_source(error)
    };
    create(data).await.map_err(|error| match error.kind() {
        Io::PermissionDenied => {
            refuse(error, "cannot be made", "give this user the right to write there, or name another with --data")
        }
        Io::ReadOnlyFilesystem => {
            refuse(error, "is on a read-only file system", "mount it writable, or name another with --data")
        }
        Io::StorageFull => refuse(error, "cannot be made", "the disk is full, free some space"),
        Io::AlreadyExists | Io::NotADirectory => {
            refuse(error, "is not a directory", "move the file away, or name another with --data")
        }
        _ => refuse(error, "cannot be made", "name another with --data"),
    })?;
    #[cfg(unix)]
    close_to_others(data).await?;
    match try_writing(data).await {
        Ok(()) => {
            reserve(data).await;
            Ok(())
        }
        Err(error) if error.kind() == Io::StorageFull => {
            release(data).await;
            tracing::warn!(data = %shown, "the disk is full: reading goes on, and nothing new is saved until there is room");
            Ok(())
        }
        Err(error) => Err(match error.kind() {
            Io::PermissionDenied => {
                refuse(error, "is not writable by this user", "change its owner or rights, or name another with --data")
            }
            Io::ReadOnlyFilesystem => {
                refuse(error, "is on a read-only file system", "mount it writable, or name another with --data")
            }
            _ => refuse(error, "cannot be written to", "name another with --data"),
        }),
    }
}

/// Bytes that this user may still write to the file system of the path; `None` where that cannot be told.
pub(crate) async fn free_space(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let path = path.to_owned();
        let found = tokio::task::spawn_blocking(move || rustix::fs::statvfs(&path)).await.ok()?.ok()?;
        Some(found.f_bavail.saturating_mul(found.f_frsize))
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

/// Takes the rights of others away, unless the directory is not this user's to close or holds other
/// things than a hub's, which others may rely on.
#[cfg(unix)]
async fn close_to_others(data: &Path) -> Result<(), Error> {
    let shown = data.display();
    let explain = |error: std::io::Error| {
        let sentence = format!("The data directory {shown} cannot be looked at: name another with --data.");
        Error::unavailable("data_directory", sentence).with_source(error)
    };
    let found = tokio::fs::metadata(data).await.map_err(explain)?;
    let mode = found.mode() & 0o7777;
    if mode & OTHERS == 0 {
        return Ok(());
    }
    let refuse = |what: &str| {
        let sentence = format!(
            "The data directory {shown} is open to other users (mode {mode:04o}) and {what}: make it private with \
             chmod 700, or name a directory of its own with --data.",
        );
        Err(Error::unavailable("data_directory_open", sentence))
    };
    if mode & STICKY != 0 {
        return refuse("is meant for everybody");
    }
    if let Some(reason) = strange_content(data, mode, &found).await.map_err(explain)? {
        return refuse(&reason);
    }
    let closed = std::fs::Permissions::from_mode(mode & !OTHERS);
    if tokio::fs::set_permissions(data, closed).await.is_err() {
        return refuse("belongs to another user");
    }
    tracing::warn!(data = %shown, mode = format!("{mode:04o}"), "the data directory was open to other users and is private now");
    Ok(())
}

/// Why the directory cannot just be closed: it is used for something else, or somebody else has put
/// something there while they could.
#[cfg(unix)]
async fn strange_content(data: &Path, mode: u32, directory: &Metadata) -> std::io::Result<Option<String>> {
    let own = rustix::process::geteuid().as_raw();
    let mut entries = tokio::fs::read_dir(data).await?;
    let (mut empty, mut ours) = (true, false);
    while let Some(entry) = entries.next_entry().await? {
        let name = entry.file_name();
        // Another process that starts at this moment may have removed it again.
        let Ok(found) = tokio::fs::symlink_metadata(entry.path()).await else { continue };
        let owner = found.uid();
        empty = false;
        ours |= is_ours(&name.to_string_lossy());
        if mode & OTHERS_WRITE != 0 && owner != own && owner != directory.uid() && owner != 0 {
            return Ok(Some(format!("{} in it belongs to user {owner}", name.to_string_lossy())));
        }
    }
    Ok((!empty && !ours).then(|| "holds other things than a hub's".to_owned()))
}

#[cfg(unix)]
fn is_ours(name: &str) -> bool {
    let name = name.strip_prefix('.').unwrap_or(name);
    OURS.iter().any(|known| name.starts_with(known))
}

/// Writes as much as opening a store takes, and removes it again.
async fn try_writing(data: &Path) -> std::io::Result<()> {
    let probe = data.join(".write-test");
    // What an earlier start left behind, or anything else that has this name.
    drop(tokio::fs::remove_file(&probe).await);
    let written = write_new(&probe, limits::START_ROOM).await;
    drop(tokio::fs::remove_file(&probe).await);
    match written {
        // Another process is trying at this very moment.
        Err(error) if error.kind() == Io::AlreadyExists => Ok(()),
        outcome => outcome,
    }
}

/// Makes the file that keeps some room, unless it is there. Without it everything works as well, but
/// for a start on a full disk.
async fn reserve(data: &Path) {
    let path = data.join(RESERVE);
    if tokio::fs::symlink_metadata(&path).await.is_ok() {
        return;
    }
    match write_new(&path, limits::ROOM_RESERVE).await {
        Err(error) if error.kind() != Io::AlreadyExists => {
            tracing::debug!(%error, "no room could be kept in reserve");
            drop(tokio::fs::remove_file(&path).await);
        }
        _ => {}
    }
}

/// Gives the room that was kept to what a start needs.
async fn release(data: &Path) {
    drop(tokio::fs::remove_file(data.join(RESERVE)).await);
}

/// A new file of this size, which really takes the room.
async fn write_new(path: &Path, size: usize) -> std::io::Result<()> {
    use tokio::io::AsyncWriteExt;

    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(path).await?;
    // Not zeros, which some file systems keep without taking any room.
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
