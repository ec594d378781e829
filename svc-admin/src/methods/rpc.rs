//! `rpc.discover`: what can be asked.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_core::Result;

use super::{Method, NoParams, Server, TABLE};
use crate::VERSION;

/// Lists the methods.
pub struct Discover;

/// What a server can be asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Discovery {
    /// The server's version.
    pub version: String,
    /// Its methods.
    pub methods: Vec<MethodSummary>,
    /// The data directory of its hub; absent when it is gone, and from servers that do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<DataDirectory>,
}

/// A data directory, so that a command can see that it talks to the hub that it was meant for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataDirectory {
    /// Where the server sees it.
    pub path: PathBuf,
    /// The file system that it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
}

impl DataDirectory {
    /// The directory at this path; `None` when there is none.
    pub fn at(path: &Path) -> Option<Self> {
        let found = path.metadata().ok()?;
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Some(Self { path, device: found.dev(), inode: found.ino() })
    }

    /// Whether both are one directory, whatever the paths to it.
    pub fn is(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// One method.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MethodSummary {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
}

impl Method for Discover {
    const NAME: &'static str = "rpc.discover";
    const ABOUT: &'static str = "Lists the methods and tells the server's version.";
    type Params = NoParams;
    type Answer = Discovery;

    async fn run(server: &Server, _: NoParams) -> Result<Discovery> {
        let methods = TABLE
            .iter()
            .map(|entry| MethodSummary { name: entry.name.to_owned(), description: entry.about.to_owned() })
            .collect();
        let data = DataDirectory::at(&server.hub.config().data);
        Ok(Discovery { version: VERSION.to_owned(), methods, data })
    }
}
