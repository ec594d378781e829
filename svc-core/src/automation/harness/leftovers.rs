//! What an earlier server left behind: it is found by a variable in the environment of its processes, and ended.
//!
//! Every server on a directory of runs has a name of its own and a locked file with that name. A lock ends with its
//! process, so a file that can be locked belongs to a server that is gone. Several servers can use one directory.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::process::Signal;

use super::environment::{RUN, SERVER};
use super::launcher::processes;
use super::work::blocking;
use crate::error::{Error, Result};

/// This server among those that use the directory of runs.
pub(super) struct Server {
    name: String,
    file: PathBuf,
    _lock: File,
}

impl Server {
    /// Registers this server, and ends what others left behind that are gone.
    pub(super) async fn register(root: &Path, name: &str) -> Result<Self> {
        let (directory, name) = (root.join("servers"), name.to_owned());
        let registered = blocking(move || {
            std::fs::create_dir_all(&directory)?;
            for entry in std::fs::read_dir(&directory)?.filter_map(std::result::Result::ok) {
                end_if_gone(&entry.path());
            }
            let file = directory.join(&name);
            let lock = File::options().create_new(true).append(true).mode(0o600).open(&file)?;
            lock.try_lock().map_err(std::io::Error::other)?;
            Ok(Self { name, file, _lock: lock })
        });
        registered.await.map_err(|error| {
            Error::unavailable("run_directory", "The directory of runs cannot be written.").with_source(error)
        })
    }

    /// Whether a server of this name is there.
    pub(super) fn is_registered(root: &Path, name: &str) -> bool {
        !name.is_empty() && root.join("servers").join(name).exists()
    }

    /// The name, for the environment of runs.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.file));
    }
}

/// Ends the processes of a server that is gone, and forgets it.
fn end_if_gone(file: &Path) {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return };
    let Ok(lock) = File::open(file) else { return };
    if lock.try_lock().is_err() {
        return;
    }
    let ended = end(name);
    if ended > 0 {
        tracing::warn!(processes = ended, "processes of runs that an earlier server left behind were ended");
    }
    drop(std::fs::remove_file(file));
}

/// Ends all processes of the runs of a server, and returns their number.
fn end(name: &str) -> usize {
    end_with(&[format!("{SERVER}={name}")])
}

/// Ends all processes of one run of a server, and returns their number.
pub(super) fn end_run(name: &str, run: &str) -> usize {
    end_with(&[format!("{SERVER}={name}"), format!("{RUN}={run}")])
}

/// Ends all processes with these variables. They may start others meanwhile, so it looks again.
fn end_with(entries: &[String]) -> usize {
    let mut ended = std::collections::BTreeSet::new();
    for _ in 0..ROUNDS {
        let found = processes::with_variables(entries);
        if found.is_empty() {
            break;
        }
        processes::signal(&found, Signal::KILL);
        ended.extend(found);
    }
    ended.len()
}

/// A killed process is listed until its parent notices.
const ROUNDS: usize = 20;
