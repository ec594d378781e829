//! A disk that is easily full.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// A small disk of its own, for as long as the test runs. Needs the right to mount.
pub(crate) struct SmallDisk {
    directory: TempDir,
}

impl SmallDisk {
    pub(crate) fn mount() -> Option<Self> {
        let directory = TempDir::new().unwrap();
        let disk = Self { directory };
        if disk.run("mount", &["-t", "tmpfs", "-o", "size=6m", "tmpfs"]) {
            return Some(disk);
        }
        assert!(std::env::var("STRICT").is_err(), "a small disk cannot be mounted");
        println!("skipped: full and read-only disks: mounting needs more rights");
        None
    }

    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> bool {
        let status = Command::new(program).args(arguments).arg(self.directory.path()).status();
        status.is_ok_and(|status| status.success())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// Leaves no byte free; gives it all back when it is removed.
    pub(crate) fn fill(&self) -> PathBuf {
        self.fill_with("filler")
    }

    /// The same for what came free since.
    pub(crate) fn fill_rest(&self) -> PathBuf {
        self.fill_with("rest")
    }

    fn fill_with(&self, name: &str) -> PathBuf {
        use std::io::Write;

        let filler = self.directory.path().join(name);
        let mut file = std::fs::File::create(&filler).unwrap();
        for size in [64 * 1024, 4096, 512, 1] {
            while file.write_all(&vec![1; size]).is_ok() {}
        }
        filler
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.run("umount", &["-l"]);
    }
}
