//! Lock for one server per data directory. The operating system releases it when the process ends, however it ends.
//!
//! The lock covers the directory only. Programs that embed a hub, and the command line, may still open the store
//! beside a running server.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use svc_core::{Error, Result};

/// Number of attempts to lock a directory that another server holds, and the delay between them: a server that is
/// stopping may need a moment.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// Hint for a lock file that other users could open before: any user who can read a file can lock it.
const REMEDY: &str = "; if there is none, another user holds server.lock, which was open to others: remove that file";

/// Holds the directory until it is dropped.
pub(crate) struct DataLock {
    /// Never read: the lock lives as long as the open file.
    _file: File,
}

impl DataLock {
    /// Locks the prepared directory; `None` when the lock file cannot be created, which opening the hub is about to
    /// explain better.
    pub(crate) async fn take(data: &Path) -> Result<Option<Self>> {
        let path = data.join("server.lock");
        let mut options = tokio::fs::OpenOptions::new();
        options.create(true).truncate(false).write(true);
        options.mode(0o600);
        let Ok(file) = options.open(&path).await else {
            return Ok(None);
        };
        let was_open = close_to_others(&file).await;
        let file = file.into_std().await;
        let mut outcome = file.try_lock();
        for _ in 1..TRIES {
            if !matches!(outcome, Err(TryLockError::WouldBlock)) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            outcome = file.try_lock();
        }
        match outcome {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Err(Error::conflict(
                "data_in_use",
                format!(
                    "Another server is running on the data directory {}: stop it, or name another directory with --data{}.",
                    data.display(),
                    if was_open { REMEDY } else { "" },
                ),
            )),
            Err(TryLockError::Error(error)) => Err(Error::unavailable(
                "data_directory",
                format!(
                    "The data directory {} is on a file system without locks: name one on a local disk with --data.",
                    data.display()
                ),
            )
            .with_source(error)),
        }
    }
}

/// Permission bits of group and others.
const OTHERS: u32 = 0o077;

/// Removes the permissions of group and others; returns whether there were any.
async fn close_to_others(file: &tokio::fs::File) -> bool {
    use std::os::unix::fs::PermissionsExt;

    let Ok(found) = file.metadata().await else {
        return false;
    };
    let mode = found.permissions().mode();
    if mode & OTHERS == 0 {
        return false;
    }
    // Fails only for a file of another user, who may lock it in any case.
    drop(file.set_permissions(std::fs::Permissions::from_mode(mode & 0o700)).await);
    true
}
