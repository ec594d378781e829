//! Contents that are on their way back from an archive, between two steps of a command.
//!
//! What always holds: one that is not gone on with for a while is given up, and leaves nothing behind.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_core::{Error, Restored, Result};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::attachments::PIECE;

/// How long a command may take between two steps.
const PATIENCE: Duration = Duration::from_mins(5);
/// Contents on their way at a time.
const AT_ONCE: usize = 16;

/// All of them.
#[derive(Default)]
pub struct Restores {
    going: Mutex<Going>,
}

#[derive(Default)]
struct Going {
    next: u64,
    by_name: HashMap<String, Restoring>,
}

/// One content: where its bytes go, and who takes them.
struct Restoring {
    pipe: DuplexStream,
    task: JoinHandle<Result<Restored>>,
    used: Instant,
}

impl Restores {
    fn going(&self) -> MutexGuard<'_, Going> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts one; the task reads the content from what it is given. Returns its name.
    pub(super) fn begin<F, T>(&self, task: F) -> Result<String>
    where
        F: FnOnce(DuplexStream) -> T,
        T: Future<Output = Result<Restored>> + Send + 'static,
    {
        let mut going = self.going();
        // Dropping the pipe of one that was left ends its content early, and that is then refused.
        going.by_name.retain(|_, restoring| restoring.used.elapsed() < PATIENCE);
        if going.by_name.len() >= AT_ONCE {
            return Err(Error::conflict(
                "too_many_restores",
                "Too many archives are being restored: wait for one to end.",
            ));
        }
        going.next += 1;
        let name = going.next.to_string();
        let (pipe, content) = tokio::io::duplex(usize::try_from(PIECE).unwrap_or(64 * 1024));
        let task = tokio::spawn(task(content));
        going.by_name.insert(name.clone(), Restoring { pipe, task, used: Instant::now() });
        Ok(name)
    }

    /// Hands bytes on.
    pub(super) async fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut restoring = self.take(name)?;
        if restoring.pipe.write_all(bytes).await.is_err() {
            // Nobody takes them any more, for a reason.
            let ended = finish(restoring).await?;
            return Err(Error::internal(format!("a content ended as {ended:?} before all of it was there")));
        }
        restoring.used = Instant::now();
        self.going().by_name.insert(name.to_owned(), restoring);
        Ok(())
    }

    /// Says that there is no more, and waits for what becomes of it.
    pub(super) async fn end(&self, name: &str) -> Result<Restored> {
        finish(self.take(name)?).await
    }

    fn take(&self, name: &str) -> Result<Restoring> {
        self.going().by_name.remove(name).ok_or_else(|| Error::not_found("content on its way: begin again"))
    }
}

async fn finish(restoring: Restoring) -> Result<Restored> {
    drop(restoring.pipe);
    restoring.task.await.map_err(|error| Error::internal(format!("a restore panicked: {error}")))?
}
