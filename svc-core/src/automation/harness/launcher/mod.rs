//! The launcher: a process of its own for each run, which starts the command, watches it, and ends with all of its
//! processes.
//!
//! Code between `fork` and `exec` would be unsafe, so the restrictions of a run are put on by a program: the server
//! starts itself again as the launcher. A program that embeds the hub calls [`main`] when its first argument is
//! [`ARGUMENT`], and gives [`Launcher::this_program`] to the hub; or it names an installed `svc-http`.
//!
//! Server and launcher talk over a socket, which is the launcher's standard input: one line of JSON with the task, and
//! one in each direction for whatever happens then. When the socket ends, the server has died, and the launcher ends
//! the run. That is more than the parent-death signal does, which follows the thread that started a process.

#[cfg(target_os = "linux")]
mod confine;
#[cfg(not(target_os = "linux"))]
#[path = "confine_none.rs"]
mod confine;
pub(super) mod processes;
mod spec;
mod supervise;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) use spec::{Confinement, Ended, LaunchSpec, Order, Report};

/// The argument with which a program is asked to be the launcher.
pub const ARGUMENT: &str = "run-launcher";

/// The program that is started as the launcher of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its environment. That of the run is another one.
    pub environment: Vec<(OsString, OsString)>,
}

impl Launcher {
    /// This program, started with the argument [`ARGUMENT`]; it stays the same one when its file is replaced.
    pub fn this_program() -> Self {
        let program = if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            std::env::current_exe().unwrap_or_else(|_| PathBuf::from("svc-http"))
        };
        Self { program, arguments: vec![ARGUMENT.into()], environment: Vec::new() }
    }

    /// An installed `svc-http`.
    pub fn installed(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: vec![ARGUMENT.into()], environment: Vec::new() }
    }
}

/// The main function of the launcher. It must be called before other threads are started.
pub fn main() -> ExitCode {
    match supervise::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc: the launcher of a run failed: {error}");
            ExitCode::FAILURE
        }
    }
}
