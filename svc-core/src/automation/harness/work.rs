//! The directories of runs.
//!
//! An agent has a directory with `work`, `tmp` and `home`. The first two are new in every run. `home` stays, because
//! programs keep their sessions there; it is removed when it has grown too large. `work` has the same path in every
//! run of an agent, since some programs look for a session under the directory that it was begun in.
//!
//! Invariants: every directory is private to the user of the server; only one run at a time uses those of an agent;
//! what a run left in them is never followed: links are not, and only a regular file of bounded size is read.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{RunJob, mcp_files};
use crate::error::{Error, Result};
use crate::limits;
use svc_model::harness::is_inner_path;

/// The directory of all agents.
pub(super) struct WorkArea {
    root: PathBuf,
}

/// The directories of one run. The lock on them ends with it.
pub(super) struct Work {
    pub(super) directory: PathBuf,
    pub(super) temporary: PathBuf,
    pub(super) home: PathBuf,
    _lock: File,
}

impl WorkArea {
    /// Makes the directory.
    pub(super) async fn open(directory: &Path) -> Result<Self> {
        let directory = directory.to_owned();
        let made = blocking(move || {
            make_private(&directory)?;
            directory.canonicalize()
        });
        let root = made.await.map_err(|error| {
            Error::unavailable("run_directory", "The directory of runs cannot be made.").with_source(error)
        })?;
        Ok(Self { root })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of an agent. Its name has no separators.
    fn agent(&self, name: &str) -> PathBuf {
        self.root.join("agents").join(name)
    }

    /// Makes the directories of a run, and lays its files into them.
    pub(super) async fn prepare(&self, job: &RunJob) -> io::Result<Work> {
        let directory = self.agent(&job.agent);
        let job = Arc::new(job.clone());
        blocking(move || {
            make_private(&directory)?;
            let lock = lock(&directory)?;
            let work = Work {
                directory: directory.join("work"),
                temporary: directory.join("tmp"),
                home: directory.join("home"),
                _lock: lock,
            };
            for fresh in [&work.directory, &work.temporary] {
                remove(fresh)?;
                make_private(fresh)?;
            }
            make_real(&work.home)?;
            make_private(&work.home)?;
            lay(&job, &work)?;
            Ok(work)
        })
        .await
    }

    /// The agents that have directories.
    pub(super) async fn kept(&self) -> Result<Vec<String>> {
        let agents = self.root.join("agents");
        let listed = blocking(move || {
            let entries = match std::fs::read_dir(&agents) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
                Err(error) => return Err(error),
            };
            entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()
        });
        let names = listed.await.map_err(|error| {
            Error::unavailable("run_directory", "The directories of agents cannot be listed.").with_source(error)
        })?;
        Ok(names.into_iter().filter_map(|name| name.into_string().ok()).collect())
    }

    /// Removes the directories of an agent.
    pub(super) async fn forget(&self, agent: &str) -> Result<()> {
        let directory = self.agent(agent);
        blocking(move || remove(&directory)).await.map_err(|error| {
            Error::unavailable("run_directory", "The directory of the agent cannot be removed.").with_source(error)
        })
    }
}

impl Work {
    /// The file `result.json`, when the run wrote one.
    pub(super) async fn report(&self) -> io::Result<Option<Vec<u8>>> {
        let path = self.directory.join("result.json");
        blocking(move || read_report(&path)).await
    }

    /// Removes what the run left, and a home that has grown too large.
    pub(super) async fn clean(self) {
        let cleaned = blocking(move || {
            remove(&self.directory)?;
            remove(&self.temporary)?;
            if size(&self.home, limits::RUN_HOME_MAX)? > limits::RUN_HOME_MAX {
                tracing::warn!(home = %self.home.display(), "the home directory of an agent was too large and is removed");
                remove(&self.home)?;
            }
            Ok(())
        });
        if let Err(error) = cleaned.await {
            tracing::warn!(%error, "the directory of a run could not be removed");
        }
    }
}

/// Runs work on files on a thread for it.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o700))
}

/// Makes a directory, in place of anything else that is there.
fn make_real(directory: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(directory) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => std::fs::remove_file(directory)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    DirBuilder::new().mode(0o700).create(directory)
}

/// Takes the lock on the directories of an agent.
fn lock(directory: &Path) -> io::Result<File> {
    let lock = File::options().create(true).append(true).mode(0o600).open(directory.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::other("another run of this agent has not ended on this machine"))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn lay(job: &RunJob, work: &Work) -> io::Result<()> {
    let in_work = |path: &str, text: &str| write(&work.directory, path, text);
    for name in ["AGENTS.md", "CLAUDE.md", "GEMINI.md"] {
        in_work(name, &job.instructions)?;
    }
    in_work("prompt.md", &job.prompt)?;
    in_work("messages.json", &format!("{:#}\n", job.messages))?;
    for (name, text) in &job.skills {
        let path = format!(".claude/skills/{name}/SKILL.md");
        if is_inner_path(&path) {
            in_work(&path, text)?;
            in_work(&format!("skills/{name}.md"), text)?;
        }
    }
    for (path, text) in &job.settings.files {
        in_work(path, text)?;
    }
    for file in mcp_files::files(&job.mcp_config, &job.settings) {
        write(if file.is_home { &work.home } else { &work.directory }, file.path, &file.text)?;
    }
    Ok(())
}

/// Writes a new file below a directory. A script can be executed.
fn write(directory: &Path, path: &str, text: &str) -> io::Result<()> {
    if !is_inner_path(path) {
        return Err(io::Error::other(format!("{path} is not inside the work directory")));
    }
    let file = directory.join(path);
    // In the home directory an earlier run may have put links in the place of directories and of the file, to let the
    // hub write elsewhere.
    let mut parent = directory.to_owned();
    let parts: Vec<&str> = path.split('/').collect();
    for part in &parts[..parts.len() - 1] {
        parent.push(part);
        make_real(&parent)?;
    }
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mode = if text.starts_with("#!") { 0o700 } else { 0o600 };
    File::options().write(true).create_new(true).mode(mode).open(&file)?.write_all(text.as_bytes())
}

/// Reads a report that a run may have written. It may have put anything in its place: a link to a file of the hub, a
/// pipe that never ends, a file that never stops growing.
fn read_report(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = match File::options().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    // A second name may be that of a file elsewhere.
    if !metadata.is_file() || metadata.nlink() > 1 {
        return Err(io::Error::other("result.json is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(limits::RUN_REPORT_MAX as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limits::RUN_REPORT_MAX {
        return Err(io::Error::other(format!("result.json is larger than {} bytes", limits::RUN_REPORT_MAX)));
    }
    Ok(Some(bytes))
}

/// Removes a directory with all that is in it. Links are removed and not followed.
///
/// A run can nest directories deeper than a path or a stack is long. So every directory inside is moved up first, and
/// none is entered more than one level deep. What was interrupted is finished the next time.
fn remove(directory: &Path) -> io::Result<()> {
    let aside = directory.with_extension("removed");
    let mut waiting = Vec::new();
    let mut number = 0_u64;
    match std::fs::symlink_metadata(&aside) {
        Ok(_) => waiting.push(aside.clone()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make_private(&aside)?,
        Err(error) => return Err(error),
    }
    match std::fs::symlink_metadata(directory) {
        Ok(found) if found.is_dir() => waiting.push(moved(directory, &aside, &mut number)?),
        Ok(_) => std::fs::remove_file(directory)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                std::fs::remove_file(entry.path())?;
            } else if next == aside {
                waiting.push(entry.path());
            } else {
                waiting.push(moved(&entry.path(), &aside, &mut number)?);
            }
        }
        if next != aside {
            std::fs::remove_dir(&next)?;
        }
    }
    std::fs::remove_dir(&aside)
}

/// Moves a directory into another one, under a number that is free. Its owner gets all rights in it, which a run may
/// have taken away.
fn moved(directory: &Path, into: &Path, number: &mut u64) -> io::Result<PathBuf> {
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o700))?;
    loop {
        *number += 1;
        let place = into.join(number.to_string());
        if std::fs::symlink_metadata(&place).is_err() {
            std::fs::rename(directory, &place)?;
            return Ok(place);
        }
    }
}

/// The size of a directory in bytes on the disk; counting stops beyond `most`.
fn size(directory: &Path, most: u64) -> io::Result<u64> {
    let mut sum = 0;
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        // What cannot be listed, or is nested too deeply, counts as too large.
        let Ok(entries) = std::fs::read_dir(&directory) else { return Ok(most + 1) };
        for entry in entries {
            let entry = entry?;
            let metadata = entry.metadata()?;
            sum += metadata.blocks() * 512;
            if metadata.is_dir() {
                waiting.push(entry.path());
            }
            if sum > most {
                return Ok(sum);
            }
        }
    }
    Ok(sum)
}
