//! `rpc.discover`: what can be asked.

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

    async fn run(_: &Server, _: NoParams) -> Result<Discovery> {
        let methods = TABLE
            .iter()
            .map(|entry| MethodSummary { name: entry.name.to_owned(), description: entry.about.to_owned() })
            .collect();
        Ok(Discovery { version: VERSION.to_owned(), methods })
    }
}
