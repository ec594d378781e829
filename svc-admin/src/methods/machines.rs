//! `machines.*`: the registry of machine principals.

use serde::{Deserialize, Serialize};
use svc_core::principals::{Audience, Loaded, LoadedRegistry, PurgedEvents, RegistryFileState, RegistryPrincipal};
use svc_core::{Result, Timestamp};

use super::{Method, NoParams, Server, root};

/// Loads a registry.
pub struct Load;

/// Parameters of [`Load`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadParams {
    /// The unmodified document.
    pub document: String,
    /// Its source, such as the name of its file.
    pub source: String,
    /// Whether to load it although the server watches a file with another registry.
    #[serde(default)]
    pub force: bool,
}

impl Method for Load {
    const NAME: &'static str = "machines.load";
    const ABOUT: &'static str = "Load a registry of machine principals in place of the current one.";
    type Params = LoadParams;
    type Answer = Loaded;

    async fn run(server: &Server, params: LoadParams) -> Result<Loaded> {
        let LoadParams { document, source, force } = params;
        server.hub.principals().load_by_hand(&root(), &source, document.into_bytes(), force).await
    }
}

/// Deletes old events of machines.
pub struct Purge;

/// Parameters of [`Purge`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurgeParams {
    /// Events that were stored before this time are deleted.
    pub before: Timestamp,
}

impl Method for Purge {
    const NAME: &'static str = "machines.purge";
    const ABOUT: &'static str = "Delete events that machine principals reported before a given time.";
    type Params = PurgeParams;
    type Answer = PurgedEvents;

    async fn run(server: &Server, params: PurgeParams) -> Result<PurgedEvents> {
        server.hub.principals().purge_events(&root(), params.before).await
    }
}

/// Shows the current registry.
pub struct Show;

/// The current registry, and the state of its file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shown {
    /// The audience of this hub.
    pub audience: Audience,
    /// The registry; absent if none was ever loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry: Option<LoadedRegistry>,
    /// The registry file, if the server has one, and the result of its last load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<RegistryFileState>,
    /// Whether the current registry differs from the one in the file.
    #[serde(default)]
    pub differs_from_file: bool,
    /// The principals by name, at most a thousand.
    pub principals: Vec<RegistryPrincipal>,
    /// Whether there are more.
    #[serde(default)]
    pub truncated: bool,
}

impl Method for Show {
    const NAME: &'static str = "machines.show";
    const ABOUT: &'static str = "Show the current registry, its principals, and the state of its file.";
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
