//! Restores in progress, between two steps of a command.
//!
//! Invariants: a restore without a step for a while is aborted, and leaves nothing behind.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_core::attachments::Restored;
use svc_core::{Error, Result};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::attachments::PIECE;

/// Time limit between two steps.
const PATIENCE: Duration = Duration::from_mins(5);
/// Maximum number of concurrent restores.
const AT_ONCE: usize = 16;

/// All restores in progress.
#[derive(Default)]
pub struct Restores {
    active: Mutex<Active>,
}

#[derive(Default)]
struct Active {
    next: u64,
    by_name: HashMap<String, ActiveRestore>,
}

/// One restore: a pipe for its bytes, and the task that stores them.
struct ActiveRestore {
    pipe: DuplexStream,
    task: JoinHandle<Result<Restored>>,
    used: Instant,
}

impl Restores {
    fn active(&self) -> MutexGuard<'_, Active> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a restore; the task reads the content from the pipe. Returns its id.
    pub(super) fn begin<F, T>(&self, task: F) -> Result<String>
    where
        F: FnOnce(DuplexStream) -> T,
        T: Future<Output = Result<Restored>> + Send + 'static,
    {
        let mut active = self.active();
        // Dropping the pipe of an abandoned restore ends its content early, which is then rejected.
        active.by_name.retain(|_, restore| restore.used.elapsed() < PATIENCE);
        if active.by_name.len() >= AT_ONCE {
            return Err(Error::conflict(
                "too_many_restores",
                "Too many archives are being restored: wait for one to end.",
            ));
        }
        active.next += 1;
        let name = active.next.to_string();
        let (pipe, content) = tokio::io::duplex(usize::try_from(PIECE).unwrap_or(64 * 1024));
        let task = tokio::spawn(task(content));
        active.by_name.insert(name.clone(), ActiveRestore { pipe, task, used: Instant::now() });
        Ok(name)
    }

    /// Passes bytes on.
    pub(super) async fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut restore = self.take(name)?;
        if restore.pipe.write_all(bytes).await.is_err() {
            // The task has ended early, for a reason.
            let ended = finish(restore).await?;
            return Err(Error::internal(format!("a content ended as {ended:?} before all of it was there")));
        }
        restore.used = Instant::now();
        self.active().by_name.insert(name.to_owned(), restore);
        Ok(())
    }

    /// Ends the content, and waits for the result.
    pub(super) async fn end(&self, name: &str) -> Result<Restored> {
        finish(self.take(name)?).await
    }

    fn take(&self, name: &str) -> Result<ActiveRestore> {
        self.active().by_name.remove(name).ok_or_else(|| Error::not_found("restore in progress: begin again"))
    }
}

async fn finish(restore: ActiveRestore) -> Result<Restored> {
    drop(restore.pipe);
    restore.task.await.map_err(|error| Error::internal(format!("a restore panicked: {error}")))?
}
