//! Backups in progress, between two steps of a command.
//!
//! Invariants: a backup without a step for a while is ended, so that it does not hold the state of the store that it
//! reads.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_core::backups::{BackupProgress, BackupSummary, NewBackup};
use svc_core::{Error, Hub, Result, limits};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::attachments::{PIECE, Piece};
use super::backup::CreateStep;
use super::root;

/// Maximum number of concurrent backups.
const AT_ONCE: usize = 2;
/// Pieces that wait for the command.
const WAITING: usize = 4;

/// All backups in progress.
#[derive(Default)]
pub struct BackupStreams {
    active: Mutex<Active>,
}

#[derive(Default)]
struct Active {
    next: u64,
    by_name: HashMap<String, ActiveBackup>,
}

/// One backup: its bytes, and the task that makes it.
struct ActiveBackup {
    pieces: mpsc::Receiver<Vec<u8>>,
    progress: Arc<Mutex<BackupProgress>>,
    task: JoinHandle<Result<BackupSummary>>,
    used: Instant,
}

impl BackupStreams {
    fn active(&self) -> MutexGuard<'_, Active> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a backup and returns its id.
    pub(super) fn begin(&self, hub: &Hub, new: NewBackup) -> Result<String> {
        let mut active = self.active();
        active.by_name.retain(|_, backup| backup.used.elapsed() < limits::BACKUP_READER_PATIENCE);
        if active.by_name.len() >= AT_ONCE {
            return Err(Error::conflict("too_many_backups", "Too many backups are being made: wait for one to end."));
        }
        active.next += 1;
        let name = active.next.to_string();
        let (sender, pieces) = mpsc::channel(WAITING);
        let out = Box::new(Output { waiting: Vec::new(), sender, runtime: Handle::current() });
        let progress = Arc::<Mutex<BackupProgress>>::default();
        let (hub, told) = (hub.clone(), progress.clone());
        let task = tokio::spawn(async move {
            let tell = Arc::new(move |so_far| *told.lock().unwrap_or_else(PoisonError::into_inner) = so_far);
            hub.backups().create(&root(), new, out, tell).await
        });
        active.by_name.insert(name.clone(), ActiveBackup { pieces, progress, task, used: Instant::now() });
        Ok(name)
    }

    /// Waits for the next bytes, or for the end.
    pub(super) async fn next(&self, name: &str) -> Result<CreateStep> {
        let taken = self.active().by_name.remove(name);
        let mut backup = taken.ok_or_else(|| Error::not_found("backup in progress: begin again"))?;
        let Some(piece) = backup.pieces.recv().await else {
            let ended = backup.task.await.map_err(|error| Error::internal(format!("a backup panicked: {error}")))?;
            return ended.map(CreateStep::Ended);
        };
        backup.used = Instant::now();
        let progress = *backup.progress.lock().unwrap_or_else(PoisonError::into_inner);
        self.active().by_name.insert(name.to_owned(), backup);
        Ok(CreateStep::Piece { content: Piece(piece), progress })
    }
}

/// The output of a backup, cut into pieces.
struct Output {
    waiting: Vec<u8>,
    sender: mpsc::Sender<Vec<u8>>,
    runtime: Handle,
}

impl Output {
    fn send(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.waiting);
        let sent = self.runtime.block_on(self.sender.send_timeout(piece, limits::BACKUP_READER_PATIENCE));
        sent.map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "nobody reads it"))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let size = usize::try_from(PIECE).unwrap_or(64 * 1024);
        let taken = bytes.len().min(size - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        if self.waiting.len() == size {
            self.send()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() { Ok(()) } else { self.send() }
    }
}
