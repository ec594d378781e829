//! Faults of a disk, put into the system calls of a server while it runs.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::child::TestChild;

/// A fault that lasts until it is dropped. Needs the program `strace`, and the right to trace.
pub(crate) struct DiskFault(Child);

impl DiskFault {
    /// Every call that makes writes durable takes this many milliseconds longer.
    pub(crate) fn slow(server: &TestChild, milliseconds: u32) -> Option<Self> {
        Self::begin(server, "fsync,fdatasync", &format!("delay_enter={milliseconds}ms"))
    }

    /// The disk became read-only, as the kernel makes one with errors.
    pub(crate) fn read_only(server: &TestChild) -> Option<Self> {
        Self::begin(server, "pwrite64,fsync,fdatasync,ftruncate", "error=EROFS")
    }

    /// Nothing can be made durable.
    pub(crate) fn broken(server: &TestChild) -> Option<Self> {
        Self::begin(server, "fsync,fdatasync", "error=EIO")
    }

    fn begin(server: &TestChild, calls: &str, fault: &str) -> Option<Self> {
        let tracer = Command::new("strace")
            .args(["-f", "-o", "/dev/null", "-e", &format!("trace={calls}"), "-e", &format!("inject={calls}:{fault}")])
            .args(["-p", &server.id().to_string()])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let said = match tracer {
            Ok(mut tracer) => {
                let mut line = String::new();
                BufReader::new(tracer.stderr.take().unwrap()).read_line(&mut line).unwrap();
                if line.contains("attached") {
                    return Some(Self(tracer));
                }
                line
            }
            Err(error) => error.to_string(),
        };
        assert!(std::env::var("STRICT").is_err(), "strace cannot trace a server: {said}");
        println!("skipped: faults of a disk: strace: {said}");
        None
    }
}

impl Drop for DiskFault {
    fn drop(&mut self) {
        // It lets go of the server before it ends.
        drop(Command::new("kill").args(["-INT", &self.0.id().to_string()]).status());
        drop(self.0.wait());
    }
}
