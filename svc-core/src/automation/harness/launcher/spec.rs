//! What the server and the launcher tell each other, as lines of JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The command of a run, with its surroundings and limits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in super::super) struct LaunchSpec {
    /// The command; `None` to try the confinement only.
    pub(in super::super) command: Option<String>,
    pub(in super::super) arguments: Vec<String>,
    pub(in super::super) environment: BTreeMap<String, String>,
    pub(in super::super) directory: PathBuf,
    /// The file that is its standard input, which is empty without one.
    pub(in super::super) input: Option<PathBuf>,
    /// Memory of all processes together, in bytes.
    pub(in super::super) memory: Option<u64>,
    /// The number of processes.
    pub(in super::super) processes: Option<u32>,
    /// The size of a file, in bytes.
    pub(in super::super) file_size: Option<u64>,
    /// The number of open files of a process.
    pub(in super::super) open_files: Option<u64>,
    /// `None` for a run that is not confined.
    pub(in super::super) confinement: Option<Confinement>,
}

/// The confinement of a run: the files that it may reach.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in super::super) struct Confinement {
    /// Whether the run must not start without it.
    pub(in super::super) is_required: bool,
    /// Directories and files that it may read and execute.
    pub(in super::super) readable: Vec<PathBuf>,
    /// Directories in which it may do everything.
    pub(in super::super) writable: Vec<PathBuf>,
    /// Paths that it may not reach, even inside of readable directories.
    pub(in super::super) hidden: Vec<PathBuf>,
}

/// An order of the server to a launcher, after the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Order {
    /// Ask the processes to end, and end them after a while.
    End,
}

/// A report of a launcher to the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Report {
    /// The command runs.
    Started {
        /// Its process, which leads a group of its own.
        process: i32,
        /// The means of the confinement, in words.
        confined: Option<String>,
    },
    /// The command could not be started.
    NotStarted(String),
    /// The run cannot be confined as required.
    NotConfined(String),
    /// The confinement was tried.
    Tried(Option<String>),
    /// The command has ended, and so have all processes of the run.
    Ended(Ended),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in super::super) struct Ended {
    /// The exit code of the command.
    pub(in super::super) code: Option<i32>,
    /// The signal that ended the command.
    pub(in super::super) signal: Option<i32>,
    /// Whether it was ended because of its memory.
    pub(in super::super) memory: bool,
    /// Whether it was ended because of the number of its processes.
    pub(in super::super) processes: bool,
    /// The number of processes that could not be ended.
    pub(in super::super) left: u32,
}
