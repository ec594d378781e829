//! One server per data directory: a lock that the system releases when the process ends, however
//! it ends.
//!
//! It is about the directory. Programs that embed a hub, and the command line, may still open the
//! store beside a running server.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use svc_core::{Error, Result};

/// How often, and after which pause, a directory is tried that another server holds: one that is ending may
/// need a moment.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// Holds the directory until it is dropped.
pub(crate) struct DataLock {
    /// Never read: the lock lives as long as the open file does.
    _file: File,
}

impl DataLock {
    /// Takes the directory, making it if need be; `None` when it cannot be made or written to,
    /// which opening the hub is about to explain better.
    pub(crate) async fn take(data: &Path) -> Result<Option<Self>> {
        let mut directory = tokio::fs::DirBuilder::new();
        directory.recursive(true);
        #[cfg(unix)]
        directory.mode(0o700);
        if directory.create(data).await.is_err() {
            return Ok(None);
        }
        let mut options = tokio::fs::OpenOptions::new();
        let Ok(file) = options.create(true).truncate(false).write(true).open(data.join("server.lock")).await else {
            return Ok(None);
        };
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
                    "Another server is running on the data directory {}: stop it, or name another directory with --data.",
                    data.display()
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
