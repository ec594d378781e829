//! `machines.*`: the registry of machine principals.

use serde::{Deserialize, Serialize};
use svc_core::{
    Audience, Loaded, LoadedRegistry, PurgedEvents, RegistryFileState, RegistryPrincipal, Result, Timestamp,
};

use super::{Method, NoParams, Server, root};

/// Puts a registry into force.
pub struct Load;

/// What [`Load`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadParams {
    /// The document, as it is.
    pub document: String,
    /// Where it came from, such as the name of its file.
    pub source: String,
    /// Whether to do so although the server follows a file with another one.
    #[serde(default)]
    pub force: bool,
}

impl Method for Load {
    const NAME: &'static str = "machines.load";
    const ABOUT: &'static str = "Puts a registry of machine principals into force, in place of the one before.";
    type Params = LoadParams;
    type Answer = Loaded;

    async fn run(server: &Server, params: LoadParams) -> Result<Loaded> {
        let LoadParams { document, source, force } = params;
        server.hub.principals().load_by_hand(&root(), &source, document.into_bytes(), force).await
    }
}

/// Forgets what machines reported long ago.
pub struct Purge;

/// What [`Purge`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurgeParams {
    /// Events that were stored before this are forgotten.
    pub before: Timestamp,
}

impl Method for Purge {
    const NAME: &'static str = "machines.purge";
    const ABOUT: &'static str = "Forgets the events that machine principals reported before a moment.";
    type Params = PurgeParams;
    type Answer = PurgedEvents;

    async fn run(server: &Server, params: PurgeParams) -> Result<PurgedEvents> {
        server.hub.principals().purge_events(&root(), params.before).await
    }
}

/// Shows the registry that is in force.
pub struct Show;

/// The registry that is in force, and what came of its file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shown {
    /// The component that this hub is.
    pub audience: Audience,
    /// The registry; absent if none was ever loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry: Option<LoadedRegistry>,
    /// The registry's file, where the server has one, and what came of reading it the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<RegistryFileState>,
    /// Whether another registry is in force than the one in the file.
    #[serde(default)]
    pub differs_from_file: bool,
    /// The principals, by name, a thousand at most.
    pub principals: Vec<RegistryPrincipal>,
    /// Whether there are more.
    #[serde(default)]
    pub truncated: bool,
}

impl Method for Show {
    const NAME: &'static str = "machines.show";
    const ABOUT: &'static str = "Shows the registry that is in force, its principals, and what came of its file.";
    type Params = NoParams;
    type Answer = Shown;

    async fn run(server: &Server, _: NoParams) -> Result<Shown> {
        let principals = server.hub.principals();
        let view = principals.list(&root()).await?;
        Ok(Shown {
            audience: principals.audience(),
            registry: view.registry,
            file: principals.file_state(),
            differs_from_file: principals.differs_from_file().await?,
            principals: view.principals,
            truncated: view.truncated,
        })
    }
}
