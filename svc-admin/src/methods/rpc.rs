//! `rpc.discover`: lists the methods.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_core::Result;

use super::{Method, NoParams, Server, TABLE};
use crate::VERSION;

/// Lists the methods.
pub struct Discover;

/// Methods of a server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Discovery {
    /// The server's version.
    pub version: String,
    /// Its methods.
    pub methods: Vec<MethodSummary>,
    /// The data directory of its hub; absent when it does not exist, and from older servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<DataDirectory>,
}

/// Identity of a data directory, so that a command can verify that it talks to the intended hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataDirectory {
    /// Its path on the server.
    pub path: PathBuf,
    /// Device number of its file system.
    pub device: u64,
    /// Its inode number.
    pub inode: u64,
}

impl DataDirectory {
    /// The directory at this path; `None` when there is none.
    pub fn at(path: &Path) -> Option<Self> {
        let found = path.metadata().ok()?;
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Some(Self { path, device: found.dev(), inode: found.ino() })
    }

    /// Whether both are the same directory, whatever their paths.
    pub fn is(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// One method.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MethodSummary {
    /// Its name.
    pub name: String,
    /// Summary.
    pub description: String,
}

impl Method for Discover {
    const NAME: &'static str = "rpc.discover";
    const ABOUT: &'static str = "List the methods and the server's version.";
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
